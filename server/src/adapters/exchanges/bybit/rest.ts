import { candles, markCandles } from './candles.ts';
import { bybitPositioning } from './positioning.ts';
import { type Asset, assetIn, hasCome, objectsIn, pathWith, type RestDialect } from '../restDialect.ts';
import { readField } from '../rules.ts';
import { BYBIT_BOOK } from './rules.ts';

/** Coin listings use several region names. */
const assets: Record<string, Asset> = {
  '': 'coin',
  innovation: 'coin',
  adventure: 'coin',
  stock: 'stock',
  xstocks: 'stock',
  commodity: 'commodity',
  index: 'index',
};

export const bybitRest: RestDialect = {
  exchange: 'bybit',
  origin: 'https://api.bybit.com',
  // One market type: ccxt's defaults send five to ten requests at start.
  ccxt: {
    className: 'bybit',
    options: { fetchMarkets: { types: ['linear'] }, defaultType: 'swap', defaultSubType: 'linear' },
  },
  quantityUnit: 'coins',
  maxOrderOf({ lotSizeFilter }) {
    const market = readField(lotSizeFilter, 'maxMktOrderQty');
    return Number(market) > 0 ? market : readField(lotSizeFilter, 'maxOrderQty');
  },
  assetOf: ({ symbolType }) => assetIn(assets, symbolType),
  candles,
  markCandles,
  async quotes(transport) {
    const body = await transport.getJson('/v5/market/tickers?category=linear');
    // The envelope carries one timestamp for the whole list.
    const atMs = readField(body, 'time');
    return objectsIn(readField(readField(body, 'result'), 'list')).map((row) => ({
      id: String(row['symbol']),
      last: row['lastPrice'],
      bid: row['bid1Price'],
      ask: row['ask1Price'],
      mark: row['markPrice'],
      atMs,
    }));
  },
  async tops(transport) {
    const body = await transport.getJson('/v5/market/tickers?category=linear');
    const atMs = readField(body, 'time');
    return objectsIn(readField(readField(body, 'result'), 'list')).map((row) => ({
      id: String(row['symbol']),
      bid: row['bid1Price'],
      ask: row['ask1Price'],
      atMs,
      fundingRate: row['fundingRate'],
      nextFundingAtMs: row['nextFundingTime'],
    }));
  },
  book: {
    path: (id) => pathWith(BYBIT_BOOK, { category: 'linear', symbol: id, limit: '50' }),
    read(body) {
      const book = readField(body, 'result');
      return {
        bids: readField(book, 'b'),
        asks: readField(book, 'a'),
        atMs: readField(book, 'ts'),
        id: readField(book, 's'),
      };
    },
  },
  async tiers(transport, { id }) {
    const body = await transport.getJson(pathWith('/v5/market/risk-limit', { category: 'linear', symbol: id }));
    const rows = objectsIn(readField(readField(body, 'result'), 'list')).filter((row) => row['symbol'] === id);
    // A row states the end of its tier.
    const ends = rows.map((row) => Number(row['riskLimitValue']));
    return rows.map((row, i) => ({
      floor: Math.max(0, ...ends.filter((end) => end < Number(ends[i]))),
      end: ends[i],
      maintenance: row['maintenanceMargin'],
      initial: row['initialMargin'],
      leverageMax: row['maxLeverage'],
      deduction: row['mmDeduction'],
    }));
  },
  fundingHoursOf({ fundingInterval }) {
    const hours = Number(fundingInterval) / 60;
    return hours > 0 && hours <= 24 ? hours : null;
  },
  hasEnded: ({ status, deliveryTime }, nowMs) =>
    ['Delivering', 'Settling', 'Closed'].includes(String(status)) || hasCome(deliveryTime, nowMs),
  async turnovers(transport) {
    const body = await transport.getJson('/v5/market/tickers?category=linear');
    const rows = objectsIn(readField(readField(body, 'result'), 'list'));
    return rows.map((row) => ({ id: String(row['symbol']), turnover: row['turnover24h'] }));
  },
  fundingPage: { size: 200, order: 'youngestFirst' },
  fundingHasStart: true,
  positioning: bybitPositioning,
  fundingParams: (untilMs) => ({ until: untilMs }),
};
