import { lastClosedOpen } from './intervals.ts';
import type { CandleRequest, ExchangeId, Interval, Market } from './port.ts';
import { inBackground } from '../../platform/readPriority.ts';

export interface WarmMarket extends Market {
  /** One round: fetches the bars that have closed since the last one, of every series in use. */
  refresh: () => Promise<void>;
  stop: () => void;
}

interface InUse {
  exchange: ExchangeId;
  symbol: string;
  interval: Interval;
  usedAtMs: number;
  /** Open of the latest bar that was fetched or requested. */
  refreshedToMs: number;
}

export interface WarmOptions {
  now?: () => number;
  /** Milliseconds between rounds; 0 leaves the rounds to the caller. */
  everyMs?: number;
  /** Series that a stream already keeps current. */
  isStreamed?: (series: Pick<InUse, 'exchange' | 'symbol' | 'interval'>) => boolean;
}

/** A series that was not requested for this long is no longer refreshed. */
const inUseMs = 10 * 60_000;
/** Delay between a close and the request for its bar: the exchange needs a moment to finalise it. */
const settleMs = 1500;
const seriesMax = 400;
const perRound = 20;

/**
 * Refreshes the series in use, so that the first request after a close does not wait for an exchange. A failed fetch is not repeated
 * before the next close: the next request reports the error.
 */
export function keepWarm(market: Market, options: WarmOptions = {}): WarmMarket {
  const { now = Date.now, everyMs = 1000, isStreamed = () => false } = options;
  const series = new Map<string, InUse>();

  function note({ exchange = 'binance', symbol, interval, endTimeMs }: CandleRequest): void {
    // A request for past candles does not make a series current.
    if (endTimeMs !== undefined || isStreamed({ exchange, symbol, interval })) return;
    const key = `${exchange} ${symbol} ${interval}`;
    const nowMs = now();
    const refreshedToMs = lastClosedOpen(interval, nowMs);
    series.delete(key);
    series.set(key, { exchange, symbol, interval, usedAtMs: nowMs, refreshedToMs });
    const [oldest] = series.keys();
    if (series.size > seriesMax && oldest !== undefined) series.delete(oldest);
  }

  async function refresh(): Promise<void> {
    const nowMs = now();
    const due: InUse[] = [];
    for (const [key, each] of series) {
      if (nowMs - each.usedAtMs > inUseMs) series.delete(key);
      else if (lastClosedOpen(each.interval, nowMs - settleMs) > each.refreshedToMs && due.length < perRound)
        due.push(each);
    }
    await Promise.all(
      due.map(async (each) => {
        each.refreshedToMs = lastClosedOpen(each.interval, nowMs);
        const { exchange, symbol, interval } = each;
        await inBackground(() => market.candles({ exchange, symbol, interval, limit: 1 }));
      }),
    );
  }

  let isRunning = false;
  const round = (): void => {
    if (isRunning) return;
    isRunning = true;
    // A series that was not refreshed is loaded on request.
    void refresh()
      .catch(() => undefined)
      .finally(() => (isRunning = false));
  };
  const timer = everyMs === 0 ? undefined : setInterval(round, everyMs).unref();

  return {
    ...market,
    async candles(request) {
      const outcome = await market.candles(request);
      if (outcome.ok) note(request);
      return outcome;
    },
    refresh,
    stop: () => {
      clearInterval(timer);
    },
  };
}
