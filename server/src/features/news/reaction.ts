import { MINUTE_MS } from '@sextant/engine-as/abi/intervals.ts';
import type { reactionMinutes } from '@sextant/workers/src/signals/newsVote.ts';
import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';

const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

export type HorizonMinutes = (typeof reactionMinutes)[number];

/** Minimum number of moves at the same hour for a baseline. */
const SAMPLES_MIN = 20;
/** Minimum fraction of the minutes of a window that must exist. */
const COVERED_MIN = 0.9;

export interface Reaction {
  /** From the first open after the story was seen to the close at the horizon; 0.01 is 1 %. */
  returnFraction: number;
  /** Standard deviations from the mean move at this hour of the day. */
  z: number;
  sampleCount: number;
  /** Fraction of usual moves at least as far from their mean, including the measured one: an exact rank for any distribution. */
  p: number;
  /** Volume relative to the mean volume of the same windows. */
  volumeRatio: number;
  /** Close of the candle that ends the horizon, epoch ms. */
  knownAtMs: number;
}

/** First minute that opens after a story was seen: its open is the first tradable price. */
export const reactionStartMs = (firstSeenMs: number): number => Math.ceil(firstSeenMs / MINUTE_MS) * MINUTE_MS;

/** Source of the moves of earlier days: windows of one horizon that do not overlap. */
export const usualCandles = (horizon: HorizonMinutes) =>
  horizon === 15 ? ({ interval: '15m', limit: 1500 } as const) : ({ interval: '1h', limit: 1000 } as const);

interface Move {
  returnFraction: number;
  volume: number;
}

/** The move over `[startMs, startMs + horizon)`; null when its first or last candle or too many in between are missing. */
function moveOver(
  { time, open, close, volume }: Candles,
  indexOf: ReadonlyMap<number, number>,
  { startMs, endMs, stepMs }: { startMs: number; endMs: number; stepMs: number },
): Move | null {
  const first = indexOf.get(startMs);
  const last = indexOf.get(endMs - stepMs);
  if (first === undefined || last === undefined) return null;
  const count = last - first + 1;
  if (count < COVERED_MIN * ((endMs - startMs) / stepMs) || time.length <= last) return null;
  let sum = 0;
  for (let i = first; i <= last; i++) sum += volume[i] ?? 0;
  const base = open[first] ?? Number.NaN;
  const returnFraction = (close[last] ?? Number.NaN) / base - 1;
  return Number.isFinite(returnFraction) ? { returnFraction, volume: sum } : null;
}

const indexByTime = ({ time }: Candles): Map<number, number> => new Map(Array.from(time, (at, i) => [at, i]));

/**
 * The reaction of a symbol to a story, compared with its moves at the same hour (UTC) of earlier days. Null without its candles, with
 * fewer than 20 earlier moves, or when those do not differ.
 * @param minutes candles of one minute that cover the horizon
 * @param usual   candles of `usualCandles` that end before the story
 */
export function measureReaction(
  firstSeenMs: number,
  horizon: HorizonMinutes,
  { minutes, usual, usualStepMs }: { minutes: Candles; usual: Candles; usualStepMs: number },
): Reaction | null {
  const startMs = reactionStartMs(firstSeenMs);
  const endMs = startMs + horizon * MINUTE_MS;
  const own = moveOver(minutes, indexByTime(minutes), { startMs, endMs, stepMs: MINUTE_MS });
  if (own === null) return null;
  const samples = usualMoves(startMs, horizon, usual, usualStepMs);
  const count = samples.length;
  if (count < SAMPLES_MIN) return null;
  const mean = samples.reduce((sum, { returnFraction }) => sum + returnFraction, 0) / count;
  const squares = samples.reduce((sum, { returnFraction }) => sum + (returnFraction - mean) ** 2, 0);
  const deviation = Math.sqrt(squares / (count - 1));
  const meanVolume = samples.reduce((sum, { volume }) => sum + volume, 0) / count;
  if (!(deviation > 0) || !(meanVolume > 0)) return null;
  const distance = Math.abs(own.returnFraction - mean);
  const asFar = samples.filter(({ returnFraction }) => Math.abs(returnFraction - mean) >= distance).length;
  return {
    returnFraction: own.returnFraction,
    z: (own.returnFraction - mean) / deviation,
    sampleCount: count,
    p: (1 + asFar) / (count + 1),
    volumeRatio: own.volume / meanVolume,
    knownAtMs: endMs,
  };
}

/** Moves of the same length that start in the same hour of earlier days. */
function usualMoves(startMs: number, horizon: HorizonMinutes, usual: Candles, stepMs: number): Move[] {
  const hourMs = Math.floor(startMs / HOUR_MS) * HOUR_MS;
  const firstMs = usual.time[0] ?? Infinity;
  const indexOf = indexByTime(usual);
  const moves: Move[] = [];
  for (let dayMs = hourMs - DAY_MS; dayMs >= firstMs - HOUR_MS; dayMs -= DAY_MS)
    for (let at = dayMs; at < dayMs + HOUR_MS; at += Math.max(stepMs, horizon * MINUTE_MS)) {
      const move = moveOver(usual, indexOf, { startMs: at, endMs: at + horizon * MINUTE_MS, stepMs });
      if (move !== null) moves.push(move);
    }
  return moves;
}
