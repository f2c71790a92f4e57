import { drawsAt } from './hash.ts';
import { levels, usualActivity } from './levels.ts';

/** One bar before it is quoted: natural logarithms of price, oldest edge `open`, youngest edge `close`. */
export interface Bar {
  open: number;
  high: number;
  low: number;
  close: number;
  /** Variance of log price inside the bar; the next finer level divides it. */
  variance: number;
  /** Traded quantity in whole steps, so that parts add up exactly. */
  lots: number;
}

/** Edges between the parts of a bar and the reach of each part, before they are fitted to the bar. */
interface Sketch {
  /** Edges: parts + 1 values, the first the bar's open, the last its close. */
  edges: number[];
  highs: number[];
  lows: number[];
}

/** Moves of BTC inside the same span, in its own standard deviations. */
export interface Factor {
  /** Inner edges: deviation from the straight line from open to close. Index 0 is 0. */
  edges: readonly number[];
  /** How far each part reached above and below its own open and close. */
  above: readonly number[];
  below: readonly number[];
}

/** Where the draws of one bar come from. */
export interface SplitPlace {
  seed: number;
  /** Seed shared by all instruments: bursts come together. */
  marketSeed: number;
  /** Level of the children and index of the parent bar at its own level. */
  level: number;
  index: number;
  factor: Factor | undefined;
  correlation: number;
}

/** Candidate paths tried per bar, and the stretch that is good enough to stop: most bars need two or three. */
const candidates = 16;
const goodStretch = 2.5;

/**
 * Divides a bar into its parts such that the parts aggregate to it exactly: first open, last close, highest high, lowest low and the sum of
 * lots are those of the bar.
 *
 * Each candidate is a random bridge from open to close in variance time. The one whose range is most like the bar's range is used, and its
 * excursions above or below both open and close are stretched linearly until its extremes are the bar's. The stretch is monotone, so every
 * order relation between prices is preserved: a valid sketch becomes valid bars.
 */
export function split(bar: Bar, place: SplitPlace): Bar[] {
  const { parts } = levels[place.level] as { parts: number };
  const shares = varianceShares(place, parts);
  let best: Sketch | undefined;
  let bestStretch = Infinity;
  for (let attempt = 0; attempt < candidates && bestStretch > goodStretch; attempt++) {
    const sketch = bridge(bar, shares, place, attempt);
    const stretch = stretchOf(bar, sketch);
    if (best !== undefined && stretch >= bestStretch) continue;
    best = sketch;
    bestStretch = stretch;
  }
  return fit(bar, best as Sketch, shares, lotsOf(bar.lots, shares, place));
}

/** By how much a sketch has to be stretched or squeezed on its worse side; a squeezed stretch of price looks frozen. */
function stretchOf(bar: Bar, sketch: Sketch): number {
  const top = Math.max(bar.open, bar.close);
  const bottom = Math.min(bar.open, bar.close);
  // Near the open and close little is seen of it.
  const slack = (bar.high - bar.low) * 0.05;
  const ratio = (wanted: number, actual: number): number => {
    const x = (wanted + slack) / (actual + slack);
    return Math.max(x, 1 / x);
  };
  return Math.max(ratio(bar.high - top, max(sketch.highs) - top), ratio(bottom - bar.low, bottom - min(sketch.lows)));
}

function varianceShares(place: SplitPlace, parts: number): number[] {
  const own = drawsAt(place.seed, place.level, place.index, 1);
  const common = drawsAt(place.marketSeed, place.level, place.index, 2);
  const roughness = levels[place.level]?.roughness ?? 0;
  const weights: number[] = [];
  let total = 0;
  for (let part = 0; part < parts; part++) {
    const wave = 0.8 * common.normal() + 0.6 * own.normal();
    const weight = usualActivity(place.level, place.index, part) * Math.exp(1.6 * roughness * wave);
    weights.push(weight);
    total += weight;
  }
  return weights.map((weight) => weight / total);
}

function bridge(bar: Bar, shares: readonly number[], place: SplitPlace, attempt: number): Sketch {
  const draws = drawsAt(place.seed, place.level, place.index, 16 + attempt);
  const deviation = Math.sqrt(bar.variance);
  const own = deviation * Math.sqrt(1 - place.correlation ** 2);
  const walk = [0];
  for (const share of shares) walk.push((walk.at(-1) as number) + Math.sqrt(share) * draws.normal());
  const end = walk.at(-1) as number;
  const edges: number[] = [bar.open];
  let elapsed = 0;
  for (let part = 1; part < shares.length; part++) {
    elapsed += shares[part - 1] as number;
    const common =
      place.factor === undefined ? 0 : place.correlation * deviation * (place.factor.edges[part] as number);
    const free = place.factor === undefined ? deviation : own;
    const straight = bar.open + elapsed * (bar.close - bar.open);
    edges.push(folded(straight + common + free * ((walk[part] as number) - elapsed * end), bar));
  }
  edges.push(bar.close);
  const highs: number[] = [];
  const lows: number[] = [];
  for (let part = 0; part < shares.length; part++) {
    const from = edges[part] as number;
    const to = edges[part + 1] as number;
    const variance = bar.variance * (shares[part] as number);
    const { high, low } =
      place.factor !== undefined && draws.uniform() < place.correlation
        ? followed(
            from,
            to,
            Math.sqrt(variance),
            place.factor.above[part] as number,
            place.factor.below[part] as number,
          )
        : reach(from, to, variance, draws.uniform(), draws.uniform());
    highs.push(high);
    lows.push(low);
  }
  return { edges, highs, lows };
}

/** A wick where BTC has one. */
export const followed = (
  from: number,
  to: number,
  deviation: number,
  above: number,
  below: number,
): { high: number; low: number } => ({
  high: Math.max(from, to) + above * deviation,
  low: Math.min(from, to) - below * deviation,
});

/** A price outside the bar's range, thrown back from its edge: pressing it flat against the edge would freeze the market there. */
export function folded(price: number, { high, low }: Bar): number {
  if (price > high) return Math.max(low, 2 * high - price);
  return price < low ? Math.min(high, 2 * low - price) : price;
}

/** Highest and lowest point of a Brownian bridge between two prices: the exact distribution of each, drawn independently. */
export function reach(from: number, to: number, variance: number, u: number, v: number): { high: number; low: number } {
  const middle = (from + to) / 2;
  const move = (to - from) ** 2;
  return {
    high: middle + Math.sqrt(move - 2 * variance * Math.log(u)) / 2,
    low: middle - Math.sqrt(move - 2 * variance * Math.log(v)) / 2,
  };
}

/** Bends a sketch into the bar. The extreme parts get the bar's own values, so no rounding can come between them. */
export function fit(bar: Bar, sketch: Sketch, shares: readonly number[], lots: readonly number[]): Bar[] {
  const top = Math.max(bar.open, bar.close);
  const bottom = Math.min(bar.open, bar.close);
  const highest = max(sketch.highs);
  const lowest = min(sketch.lows);
  const up = highest > top ? (bar.high - top) / (highest - top) : 1;
  const down = lowest < bottom ? (bottom - bar.low) / (bottom - lowest) : 1;
  const bend = (x: number): number => {
    if (x > top) return Math.min(bar.high, top + (x - top) * up);
    return x < bottom ? Math.max(bar.low, bottom - (bottom - x) * down) : x;
  };
  const highestPart = sketch.highs.indexOf(highest);
  const lowestPart = sketch.lows.indexOf(lowest);
  const bars: Bar[] = [];
  let total = 0;
  for (let part = 0; part < shares.length; part++) {
    const high = sketch.highs[part] as number;
    const low = sketch.lows[part] as number;
    const bentHigh = part === highestPart ? bar.high : bend(high);
    const bentLow = part === lowestPart ? bar.low : bend(low);
    const stretch = high > low ? (bentHigh - bentLow) / (high - low) : 1;
    const variance = (shares[part] as number) * Math.min(4, Math.max(0.25, stretch * stretch));
    total += variance;
    bars.push({
      open: bend(sketch.edges[part] as number),
      high: bentHigh,
      low: bentLow,
      close: bend(sketch.edges[part + 1] as number),
      variance,
      lots: lots[part] as number,
    });
  }
  // The parts share the bar's variance and no more: parts that spent more would undo each other's moves.
  for (const each of bars) each.variance *= bar.variance / total;
  return bars;
}

/** Volume follows activity, a little less than in proportion. Rounding the running sum makes the parts add up. */
function lotsOf(total: number, shares: readonly number[], place: SplitPlace): number[] {
  const draws = drawsAt(place.seed, place.level, place.index, 3);
  const weights = shares.map((share) => share ** 0.8 * Math.exp(0.28 * draws.normal()));
  return divide(total, weights);
}

export function divide(total: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((a, b) => a + b, 0);
  let running = 0;
  let given = 0;
  return weights.map((weight, index) => {
    running += weight;
    const upTo = index === weights.length - 1 ? total : Math.round((total * running) / sum);
    const part = upTo - given;
    given = upTo;
    return part;
  });
}

function max(values: readonly number[]): number {
  let result = -Infinity;
  for (const value of values) if (value > result) result = value;
  return result;
}

function min(values: readonly number[]): number {
  let result = Infinity;
  for (const value of values) if (value < result) result = value;
  return result;
}
