import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import { setTimeout as delay } from 'node:timers/promises';
import { fakeBinanceKey } from '../../../../fakes/exchanges/binance/key.ts';
import { type ExchangesFake, startExchanges } from '../../../../fakes/exchanges/server.ts';
import type { Clock } from '../../../../src/adapters/exchanges/clock.ts';
import type { StreamTimings } from '../../../../src/adapters/exchanges/streams/connection.ts';
import { createVenues, type Venues } from '../../../../src/adapters/exchanges/createVenues.ts';
import { createMarket } from '../../../../src/features/market/createMarket.ts';
import type { ExchangeId, Interval, Market } from '../../../../src/features/market/port.ts';

/**
 * The adapter against fake exchanges over loopback. Their wire formats follow the vendors' public documentation: no
 * recorded response of a live exchange was available when this was written.
 */
export const exchangeIds = ['binance', 'bybit', 'okx'] as const satisfies readonly ExchangeId[];

/** A clock that moves on command and during the sleeps of the code under test. */
export interface ManualClock extends Clock {
  set: (nowMs: number) => void;
  advance: (ms: number) => void;
}

export function manualClock(startMs: number): ManualClock {
  let nowMs = startMs;
  return {
    now: () => nowMs,
    set: (value) => (nowMs = value),
    advance: (ms) => (nowMs += ms),
    async sleep(ms, signal) {
      const untilMs = nowMs + ms;
      // Yield to the event loop, as a real sleep would.
      await delay(0, undefined, signal === undefined ? {} : { signal });
      nowMs = Math.max(nowMs, untilMs);
    },
  };
}

/** Friday, 14 March 2025, 10:07:30 UTC: in the middle of a bar of every interval. */
export const testNowMs = Date.UTC(2025, 2, 14, 10, 7, 30);

export interface TestExchanges {
  fake: ExchangesFake;
  clock: ManualClock;
  /** Fresh adapters: no ban, breaker or symbol list of an earlier test. */
  venues: (options?: {
    requestTimeoutMs?: number;
    streamTimings?: Partial<StreamTimings>;
    /** Without the key that Binance requires for its tiers. */
    isKeyless?: boolean;
    binanceKey?: typeof fakeBinanceKey;
  }) => Venues;
  market: (venues: Venues) => Market;
  close: () => Promise<void>;
}

export async function startTestExchanges(): Promise<TestExchanges> {
  const clock = manualClock(testNowMs);
  const fake = await startExchanges({ seed: 7, now: clock.now });
  const made: Venues[] = [];
  return {
    fake,
    clock,
    venues({ requestTimeoutMs = 20_000, streamTimings = {}, isKeyless = false, binanceKey = fakeBinanceKey } = {}) {
      const base = {
        exchangesUrl: fake.url,
        binanceKey: isKeyless ? undefined : binanceKey,
        clock,
        requestTimeoutMs,
        callDeadlineMs: 20_000,
      };
      const venues = createVenues({ ...base, streamTimings });
      made.push(venues);
      return venues;
    },
    market: (venues) => createMarket({ venues: venues.byExchange, now: clock.now }),
    close: async () => {
      await Promise.all(made.map((venues) => venues.close()));
      await fake.close();
    },
  };
}

export type TrueCandle = readonly [
  time: number,
  open: number,
  high: number,
  low: number,
  close: number,
  volume: number,
];

/** The fake market's candles by open time, in quote currency and coins. */
export function trueCandles(
  fake: ExchangesFake,
  exchange: ExchangeId,
  symbol: string,
  interval: Interval,
  fromMs: number,
  toMs: number,
): Map<number, TrueCandle> {
  const id = exchange === 'okx' ? `${symbol.slice(0, -4)}-USDT-SWAP` : symbol;
  const listing = fake.listings[exchange].get(id);
  if (listing === undefined) throw new Error(`${exchange} does not list ${symbol}`);
  const tick = 10 ** listing.priceDecimals;
  const coins = (lots: number): number =>
    exchange === 'okx'
      ? Number(((lots / 100) * listing.contractValue).toPrecision(15))
      : lots / 10 ** listing.quantityDecimals;
  const bars = fake.market.candles(listing, interval, fromMs, toMs + 1, toMs + intervalMs[interval]);
  return new Map(
    bars.map((bar) => [
      bar.openTimeMs,
      [bar.openTimeMs, bar.open / tick, bar.high / tick, bar.low / tick, bar.close / tick, coins(bar.lots)],
    ]),
  );
}
