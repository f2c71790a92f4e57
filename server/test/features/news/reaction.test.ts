import { describe, expect, it } from 'vitest';
import { reactionMinutes } from '@sextant/workers/src/signals/newsVote.ts';
import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import { type HorizonMinutes, measureReaction, usualCandles } from '../../../src/features/news/reaction.ts';
import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';

const minuteMs = 60_000;
const startMs = Date.UTC(2026, 9, 1, 14, 0);

/** Mulberry32, and a normal draw from it (Box and Muller). */
function drawsOf(seed: number): { uniform: () => number; normal: () => number } {
  let state = seed;
  const uniform = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
  return { uniform, normal };
}

const columnsOf = (rows: { time: number; open: number; close: number; volume: number }[]): Candles => ({
  time: Float64Array.from(rows, ({ time }) => time),
  open: Float64Array.from(rows, ({ open }) => open),
  high: Float64Array.from(rows, ({ open, close }) => Math.max(open, close)),
  low: Float64Array.from(rows, ({ open, close }) => Math.min(open, close)),
  close: Float64Array.from(rows, ({ close }) => close),
  volume: Float64Array.from(rows, ({ volume }) => volume),
});

const dayMs = 86_400_000;

/**
 * Volatility per minute: varies by hour and day, equal for candles of any length. Drawn from the seed of the story, so that no day is
 * special.
 */
function volatilityOf(seed: number): (atMs: number) => number {
  const ofDays = new Map<number, number>();
  return (atMs) => {
    const hour = Math.floor((atMs % dayMs) / 3_600_000);
    const day = Math.floor(atMs / dayMs);
    const ofDay = ofDays.get(day) ?? Math.exp(0.3 * drawsOf(seed * 1009 + day).normal());
    ofDays.set(day, ofDay);
    return 0.0004 * ofDay * (1 + 0.8 * Math.sin((hour / 24) * 2 * Math.PI));
  };
}

/** A walk of candles of `stepMs` that ends at `endMs`. @param jump added to the return of the candle at `jumpMs` */
function walk(
  seed: number,
  { count, stepMs, endMs }: { count: number; stepMs: number; endMs: number },
  jump?: { atMs: number; size: number; volume: number },
): Candles {
  let price = 100;
  const draws = drawsOf(seed);
  const sigmaAt = volatilityOf(Math.floor(seed / 10));
  const rows = Array.from({ length: count }, (_, i) => {
    const time = endMs - (count - i) * stepMs;
    const open = price;
    const isJump = jump?.atMs === time;
    price *= Math.exp(sigmaAt(time) * Math.sqrt(stepMs / minuteMs) * draws.normal() + (isJump ? jump.size : 0));
    const volume = (isJump ? jump.volume : 1) * (stepMs / minuteMs) * (50 + 20 * draws.uniform());
    return { time, open, close: price, volume };
  });
  return columnsOf(rows);
}

function react(seed: number, horizon: HorizonMinutes, jump?: { size: number; volume: number }) {
  const { interval, limit } = usualCandles(horizon);
  const stepMs = intervalMs[interval];
  // Each story at another time of the day.
  const at = startMs + Math.floor(drawsOf(seed).uniform() * 24 * 60) * minuteMs;
  const usual = walk(seed * 10 + 1, { count: limit, stepMs, endMs: Math.floor(at / stepMs) * stepMs });
  const planted = jump === undefined ? undefined : { ...jump, atMs: at + minuteMs };
  const minutes = walk(seed * 10 + 2, { count: horizon, stepMs: minuteMs, endMs: at + horizon * minuteMs }, planted);
  const result = measureReaction(at, horizon, { minutes, usual, usualStepMs: stepMs });
  if (result === null) throw new Error('not measured');
  return result;
}

describe('the measured reaction', () => {
  it('is, by hand, the return from the first open after the story to the close at the horizon', () => {
    const seenMs = startMs - 20_000;
    const minutes = columnsOf(
      Array.from({ length: 15 }, (_, i) => ({
        time: startMs + i * minuteMs,
        open: 200 + i,
        close: 201 + i,
        volume: 2,
      })),
    );
    // Forty earlier windows at this hour on ten days: +1 % and -1 % in turn, volume 10.
    const usual = columnsOf(
      Array.from({ length: 10 * 96 }, (_, i) => {
        const time = startMs - 10 * 86_400_000 + i * 15 * minuteMs;
        return { time, open: 100, close: i % 2 === 0 ? 101 : 99, volume: 10 };
      }),
    );
    const result = measureReaction(seenMs, 15, { minutes, usual, usualStepMs: 15 * minuteMs });
    // 200 to 215 is 7.5 %; the deviation of forty moves of 1 % either way is 0.01 x sqrt(40 / 39).
    expect(result?.returnFraction).toBeCloseTo(0.075, 12);
    expect(result?.sampleCount).toBe(40);
    expect(result?.z).toBeCloseTo(0.075 / (0.01 * Math.sqrt(40 / 39)), 9);
    expect(result?.p).toBeCloseTo(1 / 41, 12);
    expect(result?.volumeRatio).toBeCloseTo(3, 12);
    expect(result?.knownAtMs).toBe(startMs + 15 * minuteMs);
  });

  it('is none with fewer than twenty usual moves, or without the candle at either end', () => {
    const minutes = walk(11, { count: 15, stepMs: minuteMs, endMs: startMs + 15 * minuteMs });
    const usual = walk(12, { count: 4 * 96 + 4, stepMs: 15 * minuteMs, endMs: startMs });
    expect(measureReaction(startMs, 15, { minutes, usual, usualStepMs: 15 * minuteMs })).toBeNull();
    const long = walk(12, { count: 1500, stepMs: 15 * minuteMs, endMs: startMs });
    expect(measureReaction(startMs, 15, { minutes, usual: long, usualStepMs: 15 * minuteMs })).not.toBeNull();
    expect(measureReaction(startMs + minuteMs, 15, { minutes, usual: long, usualStepMs: 15 * minuteMs })).toBeNull();
  });

  it.each(reactionMinutes)('recovers moves that were planted in the %i minutes after a story', (horizon) => {
    // Ten times the usual move of the horizon, in either direction, added to its noise.
    const size = 10 * 0.0004 * Math.sqrt(horizon);
    const matches = Array.from({ length: 100 }, (_, i) => {
      const sign = i % 2 === 0 ? 1 : -1;
      const { returnFraction, p, z, volumeRatio } = react(1000 + i, horizon, { size: sign * size, volume: 200 });
      return {
        isRight: returnFraction * sign > 0 && z * sign > 2,
        isFound: p <= 0.05,
        volumeRatio,
        size: returnFraction * sign,
      };
    });
    expect(matches.filter(({ isRight }) => isRight).length).toBeGreaterThanOrEqual(95);
    expect(matches.filter(({ isFound }) => isFound).length).toBeGreaterThanOrEqual(95);
    const mean = matches.reduce((sum, each) => sum + each.size, 0) / matches.length;
    expect(mean / size).toBeGreaterThan(0.9);
    expect(mean / size).toBeLessThan(1.1);
    for (const { volumeRatio } of matches) expect(volumeRatio).toBeGreaterThan(1.5);
  });

  it.each(reactionMinutes)('calls 3 to 7 % of stories without effect significant, %i minutes after them', (horizon) => {
    const stories = 1000;
    let significant = 0;
    for (let seed = 0; seed < stories; seed++) if (react(seed * 7 + horizon, horizon).p <= 0.05) significant++;
    expect(significant / stories).toBeGreaterThanOrEqual(0.03);
    expect(significant / stories).toBeLessThanOrEqual(0.07);
  });
});
