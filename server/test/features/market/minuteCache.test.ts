import { ok } from '@sextant/workers/src/core/result.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Caller } from '../../../src/features/market/fetchShare.ts';
import { createMinuteCache, stretchesOf } from '../../../src/features/market/minuteCache.ts';
import type { Venue } from '../../../src/features/market/port.ts';
import { reject } from '../../../src/platform/errors.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const startMs = 480_000 * HOUR;

let nowMs: number;
/** Spans requested from the exchange, in minutes after the start: first and last. */
let requested: [number, number][];
let charged: number;
let holes: Set<number>;
let isDown: boolean;
let caller: Caller;
let read: (opens: number[], lengthMs?: number) => Promise<number[] | string>;

/** The close of a minute is its number. */
const candles: Venue['candles'] = ({ fromMs, toMs }) => {
  requested.push([(fromMs - startMs) / MINUTE, (toMs - startMs) / MINUTE]);
  if (isDown) return Promise.resolve(reject('upstream_unavailable', 'The exchange does not respond.'));
  const times: number[] = [];
  for (let at = fromMs; at <= toMs; at += MINUTE) if (!holes.has((at - startMs) / MINUTE)) times.push(at);
  const time = Float64Array.from(times);
  const price = time.map((at) => (at - startMs) / MINUTE + 1);
  const columns = { time, open: price, high: price, low: price, close: price, volume: price };
  return Promise.resolve(ok({ candles: columns, gaps: [], rejectedCount: 0 }));
};

beforeEach(() => {
  nowMs = startMs + 1000 * HOUR;
  requested = [];
  charged = 0;
  holes = new Set();
  isDown = false;
  caller = {
    charge: (cost) => {
      charged += cost;
      return Promise.resolve(ok(null));
    },
    owe: () => undefined,
    inPlace: (work) => work(),
  };
  const venue = { candles };
  const cache = createMinuteCache({ binance: venue, bybit: venue, okx: venue }, () => nowMs);
  read = async (opens, lengthMs = HOUR) => {
    const outcome = await cache(
      { exchange: 'binance', symbol: 'BTCUSDT', opens: opens.map((each) => startMs + each * HOUR), lengthMs },
      caller,
    );
    return outcome.ok ? Array.from(outcome.value.value.close) : outcome.error.code;
  };
});

const minutes = (from: number, count: number): number[] => Array.from({ length: count }, (_, i) => from + i + 1);

describe('minutes of single candles', () => {
  it('are returned in the order of time, each hour fetched once', async () => {
    expect(await read([40, 3])).toEqual([...minutes(180, 60), ...minutes(2400, 60)]);
    expect(requested).toEqual([
      [180, 239],
      [2400, 2459],
    ]);
    expect(charged).toBeCloseTo(0.4);
    expect(await read([3])).toEqual(minutes(180, 60));
    expect(requested).toHaveLength(2);
    expect(charged).toBeCloseTo(0.4);
  });

  it('of neighbours are one fetch of at most eight hours, as Binance weighs them', async () => {
    expect(stretchesOf([1, 2, 8, 9, 30])).toEqual([
      { first: 1, last: 8 },
      { first: 9, last: 9 },
      { first: 30, last: 30 },
    ]);
    await read([0], 24 * HOUR);
    expect(requested).toEqual([
      [0, 479],
      [480, 959],
      [960, 1439],
    ]);
    expect(charged).toBeCloseTo(1.2);
  });

  it('of a candle that is shorter than an hour are those inside it', async () => {
    expect(await read([2.25], 15 * MINUTE)).toEqual(minutes(135, 15));
    expect(await read([2.5], 15 * MINUTE)).toEqual(minutes(150, 15));
    expect(requested).toEqual([[120, 179]]);
  });

  it('of an hour that is running or has a gap are fetched again', async () => {
    nowMs = startMs + 5.5 * HOUR;
    expect(await read([5.25], 15 * MINUTE)).toEqual(minutes(315, 15));
    expect(requested).toEqual([[300, 329]]);
    await read([5.25], 15 * MINUTE);
    expect(requested).toHaveLength(2);
    holes.add(130);
    expect(await read([2])).toEqual(minutes(120, 60).filter((each) => each !== 131));
    holes.clear();
    expect(await read([2])).toEqual(minutes(120, 60));
  });

  it('fail with the error of the exchange or of the share of the user, and are fetched when that is over', async () => {
    isDown = true;
    expect(await read([1])).toBe('upstream_unavailable');
    isDown = false;
    const open = caller.charge;
    caller.charge = () => Promise.resolve(reject('rate_limited', 'too much'));
    expect(await read([1])).toBe('rate_limited');
    caller.charge = open;
    expect(await read([1])).toEqual(minutes(60, 60));
  });
});
