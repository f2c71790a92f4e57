import { beforeAll, describe, expect, it } from 'vitest';
import type { Candles } from '../../../src/protocol/backtest.ts';
import type { TaskResult } from '../../../src/protocol/taskResult.ts';
import type { ReplayInput, ReplayResult } from '../../../src/protocol/positions.ts';
import { runTask, startEngine, type TaskEngine } from '../../../src/tasks/index.ts';
import { engineTimeoutMs, testEngine } from '../../support/engine.ts';
import { longOf10, shortOf10 } from '../../support/openPositions.ts';

let engine: TaskEngine;
beforeAll(async () => {
  engine = startEngine(await testEngine());
}, engineTimeoutMs);

const minute = 60_000;

/** Rows of open, high, low, close, a minute each from 0 on. */
function minutes(text: string): Candles {
  const rows = text
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  const column = (at: number): Float64Array => Float64Array.from(rows, (row) => row[at] ?? NaN);
  return {
    time: Float64Array.from(rows, (_, i) => i * minute),
    open: column(0),
    high: column(1),
    low: column(2),
    close: column(3),
    volume: new Float64Array(rows.length).fill(1),
  };
}

const fresh = { isArmed: false } as const;
const run = (input: Partial<ReplayInput> & Pick<ReplayInput, 'position' | 'candles'>): TaskResult<ReplayResult> =>
  runTask(engine, { name: 'replay', input: { spanMs: minute, ranges: null, ...input } }) as TaskResult<ReplayResult>;
function resultOf(...args: Parameters<typeof run>): ReplayResult {
  const result = run(...args);
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

describe('a position lived again', () => {
  const candles = minutes(`
    100   100.1 99.95 100.05
    100.1 101   100   100.9
    101   103   100.9 102.8
    102.8 104.5 102   104`);

  it('reaches its target in the candle that did, at the level, its fee counted', () => {
    const { closed, armedAtMs } = resultOf({ position: longOf10(fresh), candles });
    expect(closed).toEqual({ atMs: 4 * minute, price: 104, reason: 'TP', exitFee: 0.52, isAmbiguous: false });
    expect(armedAtMs).toBe(2 * minute); // the first whole minute moved by 0.1 % only
  });

  it('is stopped by a nearer stop, and by a trailing one that followed', () => {
    const stopped = resultOf({ position: longOf10({ ...fresh, stopPrice: 100.5 }), candles });
    expect(stopped.closed).toMatchObject({ reason: 'SL', atMs: 2 * minute });
    // It opened beyond it, at 100.1: 0.02 % less is 100.07998.
    expect(stopped.closed?.price).toBeCloseTo(100.07998, 9);
    const trailing = { mode: 'percent', callbackFraction: 0.005, stepFraction: 0.0025 } as const;
    const trailed = resultOf({ position: longOf10({ ...fresh, trailing }), candles });
    // The best price of 103 puts the stop at 102.485; the last candle opens above it and falls to 102. 0.02 % of it is 0.020497.
    expect(trailed.closed).toMatchObject({ reason: 'SL', atMs: 4 * minute });
    expect(trailed.closed?.price).toBeCloseTo(102.464503, 9);
    expect([...trailed.stops].slice(0, 2)).toEqual([98, 101 * 0.995]);
    expect(trailed.stops[3]).toBeNaN();
  });

  it('follows the range known at each candle', () => {
    const trailing = { mode: 'atr', atrMultiplier: 2 } as const;
    const position = longOf10({ ...fresh, trailing, atr: { interval: '1h', period: 14 } });
    expect(resultOf({ position, candles }).stops[2]).toBe(98);
    const ranges = Float64Array.of(1, 1, 0.5, 0.5);
    expect(resultOf({ position, candles, ranges }).stops[2]).toBe(102); // 103 - 2 x 0.5
  });

  it('stays open over candles that reach nothing, and ignores those that started before it', () => {
    expect(resultOf({ position: shortOf10({ ...fresh, stopPrice: 110 }), candles }).closed).toBeNull();
    const late = longOf10({ ...fresh, entryTimeMs: 4 * minute });
    expect(resultOf({ position: late, candles }).closed).toBeNull();
  });

  it('rejects invalid input by name', () => {
    expect(run({ position: longOf10({ stopPrice: -1 }), candles })).toMatchObject({
      error: { field: 'position.stopPrice' },
    });
    expect(run({ position: longOf10(), candles, ranges: new Float64Array(1) })).toMatchObject({ ok: false });
  });
});
