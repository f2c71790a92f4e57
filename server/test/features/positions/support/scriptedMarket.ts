import { candlesOf } from '@sextant/workers/src/candles/candleColumns.ts';
import { ok } from '@sextant/workers/src/core/result.ts';
import { gapsOf } from '../../../../src/adapters/exchanges/validateCandles.ts';
import type { ClosedBar, ExchangeId, FundingHistory, LiveQuote, Market } from '../../../../src/features/market/port.ts';
import { type Outcome, reject } from '../../../../src/platform/errors.ts';

export const MINUTE_MS = 60_000;
const exchange: ExchangeId = 'binance';
/** Configuration of a service on such a market. */
export const simulated = { market: 'simulated', historySource: 'simulated' } as const;

type Candle = Pick<ClosedBar, 'time' | 'open' | 'high' | 'low' | 'close' | 'volume'>;

/**
 * A market whose prices and candles the test sets. Scripts lie in the past, so the clock of this process is always ahead: candles not set
 * yet are reported missing, as by a real market on a node whose clock is ahead.
 */
export class ScriptedMarket {
  readonly bars = new Map<string, Candle[]>();
  /** `SYMBOL interval` of each series that is watched. */
  readonly watched = new Set<string>();
  readonly fundings = new Map<string, { time: number; rate: number }[]>();
  readonly quotes = new Map<string, LiveQuote>();
  /** Rejects candle requests, as an exchange that is down. */
  isDown = false;
  /** Number of candle requests so far. */
  requestCount = 0;
  readonly #prices = new Set<Parameters<Market['onPrice']>[0]>();
  readonly #candles = new Set<Parameters<Market['onCandle']>[0]>();

  readonly onPrice: Market['onPrice'] = (listener) => {
    this.#prices.add(listener);
    return () => void this.#prices.delete(listener);
  };

  readonly onCandle: Market['onCandle'] = (listener) => {
    this.#candles.add(listener);
    return () => void this.#candles.delete(listener);
  };

  readonly keep: Market['keep'] = ({ symbol, interval }) => {
    this.watched.add(`${symbol} ${interval}`);
    return () => void this.watched.delete(`${symbol} ${interval}`);
  };

  readonly candles: Market['candles'] = ({ symbol, limit, endTimeMs = Date.now() }) => {
    this.requestCount += 1;
    if (this.isDown) return Promise.resolve(reject('upstream_unavailable'));
    const bars = (this.bars.get(symbol) ?? []).filter(
      ({ time }) => time + MINUTE_MS <= endTimeMs && time >= endTimeMs - limit * MINUTE_MS,
    );
    const candles = candlesOf((name) => Float64Array.from(bars, (bar) => bar[name]));
    const toMs = Math.floor(endTimeMs / MINUTE_MS) * MINUTE_MS - MINUTE_MS;
    const requested = { fromMs: toMs - (limit - 1) * MINUTE_MS, toMs, nowMs: Date.now(), closedByMs: Date.now() };
    const gaps = gapsOf(candles.time, { ...requested, intervalMs: MINUTE_MS, firstTradeMs: 0 });
    return Promise.resolve(ok({ exchange, fetchedAtMs: Date.now(), value: { candles, gaps, rejectedCount: 0 } }));
  };

  readonly readQuote: Market['readQuote'] = ({ symbol }) => this.quotes.get(symbol) ?? null;

  readonly symbols: Market['symbols'] = () => Promise.resolve(reject('upstream_unavailable'));

  readonly prices: Market['prices'] = () => Promise.resolve(reject('upstream_unavailable'));

  readonly fundingHistory: Market['fundingHistory'] = ({ symbol, sinceMs, untilMs }) => {
    const matches = (this.fundings.get(symbol) ?? []).filter(({ time }) => time >= sinceMs && time < untilMs);
    const value: FundingHistory = {
      time: Float64Array.from(matches, ({ time }) => time),
      rate: Float64Array.from(matches, ({ rate }) => rate),
    };
    return Promise.resolve(ok({ exchange, fetchedAtMs: Date.now(), value })) satisfies Promise<Outcome<unknown>>;
  };

  tick(symbol: string, last: number, atMs: number, mark: number | null = null): void {
    const none = {
      bid: null,
      ask: null,
      bookAtMs: null,
      fundingRate: null,
      nextFundingAtMs: null,
      fundingIntervalHours: null,
    };
    const quote = { symbol, last, mark, atMs, receivedAtMs: atMs, ...none };
    this.quotes.set(symbol, quote);
    for (const listener of this.#prices) listener(exchange, quote);
  }

  /** Closes a candle; without `isReceived` the stream missed it, so it has to be requested. */
  candle(symbol: string, bar: Candle, isReceived = true): void {
    this.bars.set(symbol, [...(this.bars.get(symbol) ?? []), bar]);
    if (isReceived) this.say(symbol, bar);
  }

  say(symbol: string, bar: Candle): void {
    for (const listener of this.#candles) listener(exchange, { symbol, interval: '1m', ...bar });
  }
}
