import type { ExchangeId, PriceQuote } from '../../features/market/port.ts';
import type { Transport } from './transport.ts';

/** A quote as it stands in the answer, before it is checked: by the exchange's own id, numbers still text. */
export interface RawQuote {
  id: string;
  last?: unknown;
  bid?: unknown;
  ask?: unknown;
  mark?: unknown;
  atMs?: unknown;
}

/** How to ask one exchange. ccxt maps symbols and fundings; all quotes at once are asked directly, which is far cheaper. */
export interface Dialect {
  exchange: ExchangeId;
  quotes: (transport: Transport) => Promise<RawQuote[]>;
  /** Turnover of the last 24 hours by id, in quote currency, still text. */
  turnovers: (transport: Transport) => Promise<{ id: string; turnover: unknown }[]>;
  /** Rows of one answer of settled fundings, and which end of a span comes first when it holds more. */
  fundingPage: { size: number; order: 'oldestFirst' | 'youngestFirst' };
  fundingParams: (untilMs: number) => Record<string, unknown>;
  /** Hours between fundings by id, where one list says so; `other` is the interval of ids it leaves out. */
  fundingHours?: (transport: Transport) => Promise<{ byId: Map<string, number>; other: number }>;
}

type Fields = Record<string, unknown>;
const rowsOf = (value: unknown): Fields[] =>
  Array.isArray(value) ? value.filter((row): row is Fields => typeof row === 'object' && row !== null) : [];
const at = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Fields)[name] : undefined;

function byId(rows: readonly Fields[], name: string): Map<string, Fields> {
  return new Map(rows.map((row) => [String(row[name]), row]));
}

/** Three lists of all symbols, 17 of 2,400 weight together; asking per symbol would cost 4 each. */
const binance: Dialect = {
  exchange: 'binance',
  async quotes(transport) {
    const [prices, books, marks] = await Promise.all([
      transport.getJson('/fapi/v2/ticker/price'),
      transport.getJson('/fapi/v1/ticker/bookTicker'),
      transport.getJson('/fapi/v1/premiumIndex'),
    ]);
    const book = byId(rowsOf(books), 'symbol');
    const mark = byId(rowsOf(marks), 'symbol');
    return rowsOf(prices).map((row) => {
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
  async turnovers(transport) {
    const rows = rowsOf(await transport.getJson('/fapi/v1/ticker/24hr'));
    return rows.map((row) => ({ id: String(row['symbol']), turnover: row['quoteVolume'] }));
  },
  fundingPage: { size: 1000, order: 'oldestFirst' },
  fundingParams: (untilMs) => ({ until: untilMs }),
  async fundingHours(transport) {
    // Only symbols whose interval or caps were changed are listed; the others pay every eight hours.
    const rows = rowsOf(await transport.getJson('/fapi/v1/fundingInfo'));
    const hours = rows.map((row) => [String(row['symbol']), Number(row['fundingIntervalHours'])] as const);
    return { byId: new Map(hours.filter(([, each]) => each > 0 && each <= 24)), other: 8 };
  },
};

const bybit: Dialect = {
  exchange: 'bybit',
  async quotes(transport) {
    const body = await transport.getJson('/v5/market/tickers?category=linear');
    // The list has one stamp for all, in the envelope.
    const atMs = at(body, 'time');
    return rowsOf(at(at(body, 'result'), 'list')).map((row) => ({
      id: String(row['symbol']),
      last: row['lastPrice'],
      bid: row['bid1Price'],
      ask: row['ask1Price'],
      mark: row['markPrice'],
      atMs,
    }));
  },
  async turnovers(transport) {
    const body = await transport.getJson('/v5/market/tickers?category=linear');
    const rows = rowsOf(at(at(body, 'result'), 'list'));
    return rows.map((row) => ({ id: String(row['symbol']), turnover: row['turnover24h'] }));
  },
  fundingPage: { size: 200, order: 'youngestFirst' },
  fundingParams: (untilMs) => ({ until: untilMs }),
};

const okx: Dialect = {
  exchange: 'okx',
  async quotes(transport) {
    const [tickers, marks] = await Promise.all([
      transport.getJson('/api/v5/market/tickers?instType=SWAP'),
      transport.getJson('/api/v5/public/mark-price?instType=SWAP'),
    ]);
    const mark = byId(rowsOf(at(marks, 'data')), 'instId');
    return rowsOf(at(tickers, 'data')).map((row) => {
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
  async turnovers(transport) {
    const rows = rowsOf(at(await transport.getJson('/api/v5/market/tickers?instType=SWAP'), 'data'));
    // OKX counts coins; the last price makes quote currency of them, near enough to rank by.
    return rows.map((row) => ({ id: String(row['instId']), turnover: Number(row['volCcy24h']) * Number(row['last']) }));
  },
  fundingPage: { size: 100, order: 'youngestFirst' },
  fundingParams: (untilMs) => ({ after: untilMs + 1 }),
};

export const dialects: Record<ExchangeId, Dialect> = { binance, bybit, okx };

const positive = (value: unknown): number | null => {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) && number > 0 ? number : null;
};

/** A checked quote, or undefined when there is no last price. A crossed or absurd side is unknown rather than wrong. */
export function quoteOf(raw: RawQuote, symbol: string, nowMs: number): PriceQuote | undefined {
  const last = positive(raw.last);
  if (last === null) return undefined;
  const near = (value: number | null): number | null =>
    value !== null && Math.abs(value / last - 1) < 0.5 ? value : null;
  const [bid, ask] = [near(positive(raw.bid)), near(positive(raw.ask))];
  const isCrossed = bid !== null && ask !== null && bid > ask;
  return {
    symbol,
    last,
    bid: isCrossed ? null : bid,
    ask: isCrossed ? null : ask,
    mark: near(positive(raw.mark)),
    // A stamp from the future would make an age negative.
    atMs: Math.min(nowMs, positive(raw.atMs) ?? nowMs),
  };
}
