import { createHmac } from 'node:crypto';
import { candles, markCandles } from './candles.ts';
import { binancePositioning } from './positioning.ts';
import { type Asset, assetIn, hasCome, indexBy, objectsIn, pathWith, type RestDialect } from '../restDialect.ts';
import { readField } from '../rules.ts';

const assets: Record<string, Asset> = { COIN: 'coin', COMMODITY: 'commodity', INDEX: 'index' };

export const binanceRest: RestDialect = {
  exchange: 'binance',
  origin: 'https://fapi.binance.com',
  // One market type: ccxt's defaults send five to ten requests at start.
  ccxt: { className: 'binanceusdm', options: { fetchMarkets: { types: ['linear'] } } },
  quantityUnit: 'coins',
  maxOrderOf({ filters }) {
    const most = new Map(objectsIn(filters).map(({ filterType, maxQty }) => [filterType, maxQty]));
    // 0: no filter of its own.
    return Number(most.get('MARKET_LOT_SIZE')) > 0 ? most.get('MARKET_LOT_SIZE') : most.get('LOT_SIZE');
  },
  assetOf({ contractType, underlyingType }) {
    // Stocks are listed by country: EQUITY, KR_EQUITY, HK_EQUITY.
    if (typeof underlyingType === 'string' && underlyingType.endsWith('EQUITY')) return 'stock';
    const asset = assetIn(assets, underlyingType);
    return asset === 'coin' && contractType === 'TRADIFI_PERPETUAL' ? 'otherAsset' : asset;
  },
  candles,
  markCandles,
  // Three lists of all symbols weigh 17 of 2,400 together; a request per symbol would cost 4 each.
  async quotes(transport) {
    const [prices, books, marks] = await Promise.all([
      transport.getJson('/fapi/v2/ticker/price'),
      transport.getJson('/fapi/v1/ticker/bookTicker'),
      transport.getJson('/fapi/v1/premiumIndex'),
    ]);
    const book = indexBy(objectsIn(books), 'symbol');
    const mark = indexBy(objectsIn(marks), 'symbol');
    return objectsIn(prices).map((row) => {
      const id = String(row['symbol']);
      return {
        id,
        last: row['price'],
        bid: book.get(id)?.['bidPrice'],
        ask: book.get(id)?.['askPrice'],
        mark: mark.get(id)?.['markPrice'],
        atMs: row['time'],
      };
    });
  },
  async tops(transport) {
    const rows = objectsIn(await transport.getJson('/fapi/v1/ticker/bookTicker'));
    return rows.map((row) => ({
      id: String(row['symbol']),
      bid: row['bidPrice'],
      ask: row['askPrice'],
      atMs: row['time'],
    }));
  },
  book: {
    path: (id) => pathWith('/fapi/v1/depth', { symbol: id, limit: '50' }),
    // T is the time of the book's last trade or change, E the time of the response.
    read: (body) => ({ bids: readField(body, 'bids'), asks: readField(body, 'asks'), atMs: readField(body, 'E') }),
  },
  // Requires any API key; the query is signed with it.
  async tiers(transport, { id, nowMs, key }) {
    if (key === undefined) return null;
    const query = new URLSearchParams({ symbol: id, timestamp: String(nowMs) }).toString();
    const signature = createHmac('sha256', key.secret).update(query).digest('hex');
    const body = await transport.getJson(`/fapi/v1/leverageBracket?${query}&signature=${signature}`, {
      'x-mbx-apikey': key.key,
    });
    const [row] = objectsIn(Array.isArray(body) ? body : [body]).filter((each) => each['symbol'] === id);
    return objectsIn(row?.['brackets']).map((bracket) => ({
      floor: bracket['notionalFloor'],
      end: bracket['notionalCap'],
      maintenance: bracket['maintMarginRatio'],
      initial: undefined,
      leverageMax: bracket['initialLeverage'],
      deduction: bracket['cum'],
    }));
  },
  async turnovers(transport) {
    const rows = objectsIn(await transport.getJson('/fapi/v1/ticker/24hr'));
    return rows.map((row) => ({ id: String(row['symbol']), turnover: row['quoteVolume'] }));
  },
  // The market list does not state the funding interval.
  fundingHoursOf: () => null,
  hasEnded: ({ status, deliveryDate }, nowMs) =>
    ['DELIVERING', 'DELIVERED', 'SETTLING', 'CLOSE'].includes(String(status)) || hasCome(deliveryDate, nowMs),
  fundingPage: { size: 1000, order: 'oldestFirst' },
  fundingHasStart: true,
  positioning: binancePositioning,
  fundingParams: (untilMs) => ({ until: untilMs }),
  async fundingHours(transport) {
    // Lists only symbols whose interval or caps were changed (developers.binance.com, USDS-M futures, Get Funding Rate Info); all
    // others settle every eight hours.
    const rows = objectsIn(await transport.getJson('/fapi/v1/fundingInfo'));
    const hours = rows.map((row) => [String(row['symbol']), Number(row['fundingIntervalHours'])] as const);
    return { byId: new Map(hours.filter(([, each]) => each > 0 && each <= 24)), usual: 8 };
  },
};
