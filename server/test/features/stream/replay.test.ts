import { ok } from '@sextant/workers/src/core/result.ts';
import { describe, expect, it } from 'vitest';
import { reject } from '../../../src/platform/errors.ts';
import { type ReplayDeps, replayEvents } from '../../../src/features/stream/replay.ts';

const MINUTE = 60_000;
const nowMs = Date.UTC(2026, 2, 14, 10, 0, 30);
const keys = ['signals BTCUSDT 1m'];

/** Two candles have closed since the break: at 9:59 and at 10:00. */
const market: ReplayDeps['market'] = {
  candles: ({ limit }) => {
    const time = Float64Array.from({ length: limit }, (_, i) => Date.UTC(2026, 2, 14, 10) - (limit - i) * MINUTE);
    const value = time.map(() => 1);
    const candles = { time, open: value, high: value, low: value, close: value, volume: value };
    const result = { exchange: 'binance' as const, fetchedAtMs: nowMs, value: { candles, gaps: [], rejectedCount: 0 } };
    return Promise.resolve(ok(result));
  },
};

/** @param failures how often the signal of 10:00 cannot be computed */
function depsOf(failures: number) {
  const requested: (number | undefined)[][] = [];
  let left = failures;
  const computeBatch: ReplayDeps['signals']['computeBatch'] = (requests) => {
    requested.push(requests.map(({ endTimeMs }) => endTimeMs));
    const outcomes = requests.map(({ endTimeMs }) => {
      if (endTimeMs === Date.UTC(2026, 2, 14, 10) && left > 0) {
        left -= 1;
        return reject('upstream_unavailable', 'The exchange is away.');
      }
      return ok({ wire: { candle_close_at: new Date(endTimeMs ?? 0).toISOString() } });
    });
    return Promise.resolve(outcomes as never);
  };
  const deps: ReplayDeps = { market, signals: { computeBatch }, mode: 'simulated', now: () => nowMs };
  return { deps, requested };
}

const missed = (signal = new AbortController().signal) => ({ sinceMs: nowMs - 2 * MINUTE, signal });

describe('a signal of a break that cannot be computed', () => {
  it('is tried again, alone, up to four times in all', async () => {
    const { deps, requested } = depsOf(3);
    const events = await replayEvents(deps, keys, missed());
    expect(events?.map(({ event }) => event)).toEqual(['signal', 'signal']);
    expect(requested.map(({ length }) => length)).toEqual([2, 1, 1, 1]);
  });

  it('is sent as missed after that', async () => {
    const { deps } = depsOf(4);
    const events = await replayEvents(deps, keys, missed());
    expect(events?.map(({ event, closeMs }) => [event, closeMs])).toEqual([
      ['signal', Date.UTC(2026, 2, 14, 9, 59)],
      ['missed', Date.UTC(2026, 2, 14, 10)],
    ]);
    expect(JSON.parse(events?.[1]?.data ?? '')).toMatchObject({ code: 'upstream_unavailable', symbol: 'BTCUSDT' });
  });

  it('is tried no more when its reader has left', async () => {
    const leaving = new AbortController();
    const { deps, requested } = depsOf(4);
    const compute = deps.signals.computeBatch;
    deps.signals = {
      computeBatch: (requests) => {
        leaving.abort();
        return compute(requests);
      },
    };
    expect(await replayEvents(deps, keys, missed(leaving.signal))).toBeUndefined();
    expect(requested).toHaveLength(1);
  });
});
