import { readFile } from 'node:fs/promises';
import { liveWeights } from '@sextant/engine-as/abi/liveWeights.ts';
import { buildEngine } from '@sextant/engine-as/build.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { compileEngine } from '../../src/engine/engine.ts';
import type { Candles } from '../../src/protocol/backtest.ts';
import type { TaskResult } from '../../src/protocol/taskResult.ts';
import type { EnsembleInput, EnsembleResult, EnsembleTimeframe } from '../../src/protocol/ensemble.ts';
import { runTask, startEngine, type TaskEngine } from '../../src/tasks/index.ts';

const MINUTE = 60_000;
const START = Date.UTC(2024, 0, 1);

let task: TaskEngine;
beforeAll(async () => {
  const { path } = await buildEngine();
  task = startEngine(await compileEngine(new Uint8Array(await readFile(path))));
});

/** A seeded walk of `count` candles of `step` minutes from a UTC midnight. */
function walk(count: number, step: number, seed = 5): Candles {
  let state = seed;
  const uniform = (): number => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 4294967296;
  const candles = Object.fromEntries(
    ['time', 'open', 'high', 'low', 'close', 'volume'].map((name) => [name, new Float64Array(count)]),
  ) as unknown as Candles;
  let price = 100;
  for (let i = 0; i < count; i++) {
    const close = price * (1 + (uniform() - 0.5) * 0.01);
    candles.time[i] = START + i * step * MINUTE;
    candles.open[i] = price;
    candles.close[i] = close;
    candles.high[i] = Math.max(price, close) * 1.001;
    candles.low[i] = Math.min(price, close) * 0.999;
    candles.volume[i] = 1 + uniform() * 100;
    price = close;
  }
  return candles;
}

/** Candles of `factor` times the step, the last incomplete one left out. */
function merged(candles: Candles, factor: number): Candles {
  const count = Math.floor(candles.time.length / factor);
  const rows = Array.from({ length: count }, (_, i) => i * factor);
  const column = (pick: (from: number) => number): Float64Array => Float64Array.from(rows, pick);
  const part = (x: Float64Array, from: number): Float64Array => x.subarray(from, from + factor);
  return {
    time: column((from) => candles.time[from]!),
    open: column((from) => candles.open[from]!),
    high: column((from) => Math.max(...part(candles.high, from))),
    low: column((from) => Math.min(...part(candles.low, from))),
    close: column((from) => candles.close[from + factor - 1]!),
    volume: column((from) => part(candles.volume, from).reduce((sum, x) => sum + x, 0)),
  };
}

const base = walk(1500, 15);
const quarter: EnsembleTimeframe = { interval: '15m', stepMs: 15 * MINUTE, candles: base, weight: 1 };
const hour: EnsembleTimeframe = { interval: '1h', stepMs: 60 * MINUTE, candles: merged(base, 4), weight: 0.5 };
const plain: EnsembleInput = {
  timeframes: [quarter, hour],
  weights: liveWeights,
  threshold: 0.08,
  levels: { mode: 'atr', stopAtr: 1.5, targetAtr: 3, stopFraction: 0.02, targetFraction: 0.04 },
};

const request = (change: Partial<EnsembleInput> = {}): TaskResult<EnsembleResult> =>
  runTask(task, { name: 'ensemble', input: { ...plain, ...change } }) as TaskResult<EnsembleResult>;

function responseOf(change: Partial<EnsembleInput> = {}): EnsembleResult {
  const response = request(change);
  if (!response.ok) throw new Error(response.error.message);
  return response.value;
}

describe('the ensemble task', () => {
  it('explains its score to the last unit', () => {
    const { score, numerator, denominator, contributions } = responseOf();
    expect(contributions.reduce((sum, part) => sum + part.numerator, 0)).toBe(numerator);
    expect(score).toBe(numerator / denominator);
    expect(contributions).toHaveLength(2 * 19);
    expect(contributions.filter(({ isLive }) => isLive)).toHaveLength(2 * 18);
  });

  it('is the mean of its intervals by their weights', () => {
    const { score, timeframes } = responseOf();
    expect(timeframes.map(({ interval }) => interval)).toEqual(['15m', '1h']);
    expect(score).toBeCloseTo((timeframes[0]!.score + 0.5 * timeframes[1]!.score) / 1.5, 12);
  });

  it('returns the last of its score history when there is no news', () => {
    const { score, scores } = responseOf();
    expect(scores).toHaveLength(1500);
    expect(scores.at(-1)).toBe(score);
  });

  it('is not moved by a higher candle that has not closed', () => {
    // One more hour whose close lies after the last quarter: absurd, so any use of it shows.
    const absurd = merged(base, 4);
    const grown = Object.fromEntries(
      Object.entries(absurd).map(([name, column]) => {
        const next = name === 'time' ? (column as Float64Array).at(-1)! + 60 * MINUTE : 1e6;
        return [name, Float64Array.of(...(column as Float64Array), next)];
      }),
    ) as unknown as Candles;
    expect(responseOf({ timeframes: [quarter, { ...hour, candles: grown }] })).toEqual(responseOf());
  });

  it('says at every candle what it said when that candle was the last', () => {
    const whole = responseOf().scores;
    for (const count of [700, 701, 702, 703, 1100, 1499]) {
      const cut = Object.fromEntries(
        Object.entries(base).map(([name, column]) => [name, (column as Float64Array).slice(0, count)]),
      ) as unknown as Candles;
      const then = responseOf({
        timeframes: [
          { ...quarter, candles: cut },
          { ...hour, candles: merged(cut, 4) },
        ],
      });
      expect([...then.scores]).toEqual([...whole.slice(0, count)]);
    }
  });

  it('tunes a vote by its factor', () => {
    const { contributions, denominator } = responseOf({ tuning: { adx: 1.5 } });
    const one = responseOf();
    expect(denominator).toBe(one.denominator + 15 * (10 * 30 - 10 * 20));
    const partOf = (list: typeof contributions) => list.find(({ vote }) => vote === 'adx')!.numerator;
    expect(partOf(contributions)).toBe(1.5 * partOf(one.contributions));
  });

  it('lets news weigh in only when there is a vote on it', () => {
    const [none, good] = [responseOf(), responseOf({ news: 1 })];
    expect(good.denominator).toBeGreaterThan(none.denominator);
    expect(good.numerator).toBeGreaterThan(none.numerator);
    expect(good.liveVoteCount).toBe(none.liveVoteCount + 1);
  });

  it('finds fewer opinions than votes', () => {
    const { effectiveVoteCount, liveVoteCount } = responseOf();
    expect(liveVoteCount).toBe(2 * 17); // all but ichimoku, which has no separate weight
    expect(effectiveVoteCount).toBeGreaterThan(1);
    expect(effectiveVoteCount).toBeLessThan(12);
  });

  it('has no levels without a direction, and both pairs with one', () => {
    expect(responseOf({ threshold: 1 })).toMatchObject({ direction: 'NEUTRAL', atrLevels: null, fractionLevels: null });
    const { direction, price, atrLevels, fractionLevels } = responseOf({ threshold: 0.001 });
    expect(direction).not.toBe('NEUTRAL');
    for (const pair of [atrLevels!, fractionLevels!]) {
      expect(Math.sign(pair.takeProfitPrice - price)).toBe(direction === 'LONG' ? 1 : -1);
      expect(Math.sign(pair.stopLossPrice - price)).toBe(direction === 'LONG' ? -1 : 1);
    }
  });

  it('uses a calibration map', () => {
    expect(responseOf().confidence).toBe(responseOf().rawConfidence);
    expect(
      responseOf({
        calibration: [
          [0, 0.5],
          [1, 0.5],
        ],
      }).confidence,
    ).toBe(0.5);
  });

  it.each<[string, Partial<EnsembleInput>, string]>([
    ['no interval', { timeframes: [] }, 'timeframes'],
    ['one interval twice', { timeframes: [quarter, quarter] }, 'timeframes[1].interval'],
    ['a candle length of 0', { timeframes: [{ ...quarter, stepMs: 0 }] }, 'timeframes[0].stepMs'],
    ['an interval weight that is no tenth', { timeframes: [{ ...quarter, weight: 0.55 }] }, 'timeframes[0].weight'],
    ['an unknown vote', { weights: { rsx: 1 } }, 'weights.rsx'],
    ['a weight beyond its bound', { weights: { rsi: 6 } }, 'weights.rsi'],
    ['a tuning between two steps', { tuning: { rsi: 1.01 } }, 'tuning.rsi'],
    ['a threshold of 0', { threshold: 0 }, 'threshold'],
    ['a stop at the price', { levels: { ...plain.levels, stopFraction: 0 } }, 'levels.stopFraction'],
    [
      'a calibration that falls',
      {
        calibration: [
          [0, 0.5],
          [1, 0.4],
        ],
      },
      'calibration[1]',
    ],
    ['half a vote on news', { news: 0.5 as 1 }, 'news'],
  ])('rejects %s and names the field', (_, change, field) => {
    expect(request(change)).toMatchObject({ ok: false, error: { code: 'bad_input', field } });
  });

  it('says when there are too few candles for the weighted votes', () => {
    expect(request({ timeframes: [{ ...quarter, candles: walk(60, 15) }] })).toMatchObject({
      ok: false,
      error: { code: 'too_short' },
    });
  });

  it('says when a higher interval has not come along', () => {
    const old = { ...hour, candles: merged(walk(1200, 15), 4) };
    expect(request({ timeframes: [quarter, old] })).toMatchObject({ ok: false, error: { code: 'too_short' } });
  });
});
