import { liveRules } from '@sextant/engine-as/abi/strategy.ts';
import { describe, expect, it } from 'vitest';
import { BacktestRequestWire } from '../../../src/protocol/wire/backtest.ts';
import { firstDifference } from '../../../src/protocol/wire/checkContext.ts';
import { firstIssue } from '../../../src/protocol/wire/issue.ts';
import { runTaskCommand } from '../../support/command.ts';
import { pureNoise } from '../../support/plantedWorlds.ts';

const HOUR = 3_600_000;
const START = Date.UTC(2026, 0, 5);
/** Eight hours by hand: highs 11 to 18, lows 9 to 2. */
const base = {
  time: Array.from({ length: 8 }, (_, i) => START + i * HOUR),
  open: [10, 10, 10, 10, 10, 10, 10, 10],
  high: [11, 12, 13, 14, 15, 16, 17, 18],
  low: [9, 8, 7, 6, 5, 4, 3, 2],
  close: [10, 10, 10, 10.5, 10, 10, 10, 9.5],
};
const longer = {
  time: [START - 4 * HOUR, START, START + 4 * HOUR],
  open: [1, 10, 10],
  high: [1, 14, 18],
  low: [1, 6, 2],
  close: [1, 10.5, 9.5],
};
const lengths = [HOUR, 4 * HOUR] as const;
const at = (change: Partial<typeof longer>) => firstDifference(base, { ...longer, ...change }, lengths);

describe('candles of a longer interval beside those of the base', () => {
  it('are those that the base makes up; what lies before the base is not compared', () => {
    expect(at({})).toBeUndefined();
    // Seven digits of a file.
    expect(at({ high: [1, 14.000001, 18] })).toBeUndefined();
  });

  it.each([
    ['a high that no base candle reaches', { high: [1, 14.1, 18] }, { name: 'high', index: 1 }],
    ['a low above that of the base', { low: [1, 6, 2.5] }, { name: 'low', index: 2 }],
    ['a close of the candle after', { close: [1, 9.5, 9.5] }, { name: 'close', index: 1 }],
    ['a file shifted by one candle', { time: [START, START + 4 * HOUR, START + 8 * HOUR] }, { name: 'high', index: 0 }],
    ['a file shifted by one hour', { time: longer.time.map((time) => time + HOUR) }, { name: 'high', index: 0 }],
  ])('%s differs', (_, change, result) => expect(at(change)).toMatchObject(result));

  it('say when, what they have and what the base gives', () => {
    expect(at({ high: [1, 14.1, 18] })).toMatchObject({ when: '2026-01-05T00:00Z', has: 14.1, count: 4, made: 14 });
  });

  it('may reach further where the base has a hole, not less far', () => {
    const holed = Object.fromEntries(
      Object.entries(base).map(([name, column]) => [name, column.filter((_, i) => i !== 3)]),
    ) as typeof base;
    expect(firstDifference(holed, longer, lengths)).toBeUndefined();
    expect(firstDifference(holed, { ...longer, high: [1, 12, 18] }, lengths)).toMatchObject({ name: 'high', index: 1 });
  });
});

describe('the command line', () => {
  const market = pureNoise({ count: 800, stepMs: HOUR, deviation: 0.01 }, 4711, 'normal');
  const candles = Object.fromEntries(
    Object.entries(market).map(([name, column]) => [name, Array.from(column as Float64Array)]),
  ) as Record<'time' | 'open' | 'high' | 'low' | 'close' | 'volume', number[]>;
  /** Joined four by four. @param shift candles of four hours that a row is too early */
  const joined = (shift: number) => {
    const rows = Array.from({ length: 200 - shift }, (_, j) => 4 * (j + shift));
    const four = (name: keyof typeof candles, i: number): number[] => candles[name].slice(i, i + 4);
    return {
      time: rows.map((i) => candles.time[i - 4 * shift]!),
      open: rows.map((i) => candles.open[i]!),
      high: rows.map((i) => Math.max(...four('high', i))),
      low: rows.map((i) => Math.min(...four('low', i))),
      close: rows.map((i) => candles.close[i + 3]!),
      volume: rows.map(() => 1),
    };
  };
  const strategy = liveRules(['1h', '4h']);

  it.each(['backtest', 'optimize', 'honesty'])(
    '%s rejects a file of four hours shifted by one candle, naming the first',
    async (task) => {
      const of = (shift: number) => {
        const request = {
          candles,
          context: [joined(shift)],
          strategy,
          scored: 200,
          ...(task === 'backtest' ? {} : { optimize: { samples: 10 } }),
        };
        return task === 'honesty' ? { search: request } : request;
      };
      const shifted = await runTaskCommand([task], of(1));
      expect(shifted.code).toBe(1);
      expect(shifted.stderr).toMatch(/context\[0\]\.high\[0\].* is .* the 4 base candles in it give /);
      const whole = await runTaskCommand([task], of(0));
      expect(whole.stderr).not.toContain('base candles');
    },
  );
});

describe('finer candles beside those of the run', () => {
  const candles = { ...longer, volume: [1, 1, 1] };
  const fine = { ...base, volume: base.time.map(() => 1) };
  const problemOf = (fineCandles: object): string | undefined => {
    const parsed = BacktestRequestWire.safeParse({ candles, fineCandles });
    if (parsed.success) return undefined;
    const { field, message } = firstIssue(parsed.error);
    return `${field} ${message}`;
  };
  const cut = (from: number, until: number) =>
    Object.fromEntries(Object.entries(fine).map(([name, column]) => [name, column.slice(from, until)]));

  it('are those that make up its candles, all of them or some', () => {
    expect(problemOf(fine)).toBeUndefined();
    expect(problemOf(cut(4, 8))).toBeUndefined();
    expect(problemOf(cut(3, 7))).toBeUndefined();
  });

  it.each([
    [
      'one candle late',
      { ...fine, time: fine.time.map((time) => time + HOUR) },
      /^fineCandles\.high\[3\] .*high of 17, .*has 18/,
    ],
    [
      'one candle early',
      { ...fine, time: fine.time.map((time) => time - HOUR) },
      /^fineCandles\.high\[0\] .*high of 11, .*has 1:/,
    ],
    [
      'of another market',
      { ...fine, high: fine.high.map((price) => 2 * price) },
      /^fineCandles\.high\[0\] .*high of 28, .*has 14/,
    ],
    [
      'in part, reaching further than the candle',
      { ...cut(1, 3), low: [7, 5] },
      /^fineCandles\.low\[0\] .*low of 5, .*has 6/,
    ],
  ])('%s are rejected with the first that differs', (_, sent, words) => {
    expect(problemOf(sent)).toMatch(words);
  });
});
