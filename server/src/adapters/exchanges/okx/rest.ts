import { candles, markCandles } from './candles.ts';
import { okxPositioning } from './positioning.ts';
import { type Asset, assetIn, hasCome, indexBy, objectsIn, pathWith, type RestDialect } from '../restDialect.ts';
import { readField } from '../rules.ts';

const assets: Record<string, Asset> = { '1': 'coin', '3': 'stock', '4': 'commodity' };

export const okxRest: RestDialect = {
  exchange: 'okx',
  origin: 'https://www.okx.com',
  // One market type: ccxt's defaults send five to ten requests at start.
  ccxt: { className: 'okx', options: { fetchMarkets: { types: ['swap'] }, defaultType: 'swap' } },
  quantityUnit: 'contracts',
  maxOrderOf: ({ maxMktSz, maxLmtSz }) => (Number(maxMktSz) > 0 ? maxMktSz : maxLmtSz),
  // A pre-market contract trades before its coin does: it has no index price to be marked by.
  assetOf: ({ instCategory, ruleType }) => (ruleType === 'pre_market' ? 'otherAsset' : assetIn(assets, instCategory)),
  candles,
  markCandles,
  async quotes(transport) {
    const [tickers, marks] = await Promise.all([
      transport.getJson('/api/v5/market/tickers?instType=SWAP'),
      transport.getJson('/api/v5/public/mark-price?instType=SWAP'),
    ]);
    const mark = indexBy(objectsIn(readField(marks, 'data')), 'instId');
    return objectsIn(readField(tickers, 'data')).map((row) => {
      const id = String(row['instId']);
      return {
        id,
        last: row['last'],
        bid: row['bidPx'],
        ask: row['askPx'],
        mark: mark.get(id)?.['markPx'],
        atMs: row['ts'],
      };
    });
  },
  async tops(transport) {
    const tickers = await transport.getJson('/api/v5/market/tickers?instType=SWAP');
    return objectsIn(readField(tickers, 'data')).map((row) => ({
      id: String(row['instId']),
      bid: row['bidPx'],
      ask: row['askPx'],
      atMs: row['ts'],
    }));
  },
  book: {
    path: (id) => pathWith('/api/v5/market/books', { instId: id, sz: '50' }),
    read(body) {
      const [book] = objectsIn(readField(body, 'data'));
      return { bids: book?.['bids'], asks: book?.['asks'], atMs: book?.['ts'] };
    },
  },
  // Tier sizes are in contracts; the mark price converts them to quote currency.
  async tiers(transport, { id, contractSize }) {
    const family = id.replace(/-SWAP$/, '');
    const [tiers, marks] = await Promise.all([
      transport.getJson(
        pathWith('/api/v5/public/position-tiers', { instType: 'SWAP', tdMode: 'isolated', uly: family }),
      ),
      transport.getJson(pathWith('/api/v5/public/mark-price', { instType: 'SWAP', instId: id })),
    ]);
    const mark = Number(indexBy(objectsIn(readField(marks, 'data')), 'instId').get(id)?.['markPx']);
    const rows = objectsIn(readField(tiers, 'data'));
    const ends = rows.map((row) => Number(row['maxSz']));
    return rows.map((row, i) => ({
      floor: Math.max(0, ...ends.filter((end) => end < Number(ends[i]))) * contractSize * mark,
      end: Number(ends[i]) * contractSize * mark,
      maintenance: row['mmr'],
      initial: row['imr'],
      leverageMax: row['maxLever'],
      deduction: 0,
    }));
  },
  async turnovers(transport) {
    const rows = objectsIn(readField(await transport.getJson('/api/v5/market/tickers?instType=SWAP'), 'data'));
    // OKX states turnover in coins; the last price converts it to quote currency, accurately enough for ranking.
    return rows.map((row) => ({ id: String(row['instId']), turnover: Number(row['volCcy24h']) * Number(row['last']) }));
  },
  // The market list does not state the funding interval.
  fundingHoursOf: () => null,
  hasEnded: ({ state, expTime }, nowMs) => state === 'expired' || hasCome(expTime, nowMs),
  fundingPage: { size: 100, order: 'youngestFirst' },
  fundingHasStart: false,
  positioning: okxPositioning,
  fundingParams: (untilMs) => ({ after: untilMs + 1 }),
};
