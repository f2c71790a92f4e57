import type { Candles, Costs } from '../../src/protocol/backtest.ts';
import { seededNormal } from './markets.ts';
import { type Random, seededRandom } from './randomRuns.ts';

/** Log prices of one world: where the candle ends, relative to where it starts, and its deviation. */
interface Step {
  close: number;
  deviation: number;
}

const START_MS = Date.UTC(2025, 0, 1);
const HOUR_MS = 3_600_000;

/**
 * Candles whose highs and lows are the extremes of a Brownian bridge between open and close, so that no level is jumped over.
 * @param next log close of the candle that opens at `open`
 */
function candlesOf(count: number, seed: number, stepMs: number, next: (open: number, i: number) => Step): Candles {
  const uniform = seededRandom(seed + 7_000_003);
  const [time, open, high, low, close, volume] = Array.from({ length: 6 }, () => new Float64Array(count)) as Six;
  let log = Math.log(100);
  for (let i = 0; i < count; i++) {
    const step = next(log, i);
    const move = step.close - log;
    const reach = (): number => Math.sqrt(move ** 2 - 2 * step.deviation ** 2 * Math.log(1 - uniform()));
    time[i] = START_MS + i * stepMs;
    open[i] = Math.exp(log);
    close[i] = Math.exp(step.close);
    high[i] = Math.max(Math.exp(log + (move + reach()) / 2), open[i]!, close[i]!);
    low[i] = Math.min(Math.exp(log + (move - reach()) / 2), open[i]!, close[i]!);
    volume[i] = 100 + 100 * uniform();
    log = step.close;
  }
  return { time, open, high, low, close, volume };
}

type Column = Float64Array<ArrayBuffer>;
type Six = [Column, Column, Column, Column, Column, Column];

export interface World {
  count: number;
  stepMs: number;
  /** Deviation of a candle's log return. */
  deviation: number;
}

/**
 * Ornstein-Uhlenbeck: the log price returns to a level that stands still. The exact discretisation: the distance shrinks by
 * 2^(-1 / half-life) a candle, with shocks of `deviation`.
 */
export function meanReverting({ count, stepMs, deviation }: World, seed: number, halfLife: number): Candles {
  const normal = seededNormal(seed);
  const keep = 2 ** (-1 / halfLife);
  const level = Math.log(100);
  return candlesOf(count, seed, stepMs, (open) => ({
    close: level + keep * (open - level) + deviation * normal(),
    deviation,
  }));
}

/** Regimes up and down whose length is exponential with mean `meanLength`, drift `drift` deviations a candle. */
export function trending(
  { count, stepMs, deviation }: World,
  seed: number,
  { meanLength, drift }: { meanLength: number; drift: number },
): Candles {
  const [normal, uniform] = [seededNormal(seed), seededRandom(seed + 1_000_003)];
  let side = uniform() < 0.5 ? 1 : -1;
  return candlesOf(count, seed, stepMs, (open) => {
    if (uniform() < 1 / meanLength) side = -side;
    return { close: open + deviation * (side * drift + normal()), deviation };
  });
}

/** Prices drift up, `drift` deviations a candle, from `fromHour` on for some hours of each day (UTC). */
export function timedDay(
  { count, stepMs, deviation }: World,
  seed: number,
  { fromHour, hours, drift }: { fromHour: number; hours: number; drift: number },
): Candles {
  const normal = seededNormal(seed);
  return candlesOf(count, seed, stepMs, (open, i) => {
    const hour = Math.floor((START_MS + i * stepMs) / HOUR_MS) % 24;
    const isDrifting = (hour - fromHour + 24) % 24 < hours;
    return { close: open + deviation * ((isDrifting ? drift : 0) + normal()), deviation };
  });
}

/**
 * Funding every eight hours, a slow autoregression around 0 with a deviation of 0.03 %. Where a rate is far from it, prices drift against
 * its sign until the next one: the paying side gives up.
 */
export function carried(
  { count, stepMs, deviation }: World,
  seed: number,
  { beyond, drift }: { beyond: number; drift: number },
): { candles: Candles; funding: NonNullable<Costs['funding']> } {
  const [normal, shock] = [seededNormal(seed), seededNormal(seed + 300_007)];
  const settlements = Math.ceil((count * stepMs) / (8 * HOUR_MS)) + 1;
  const rate = new Float64Array(settlements);
  let level = 0;
  for (let k = 0; k < settlements; k++) {
    level = 0.8 * level + 0.6 * shock();
    rate[k] = Number((0.0003 * level).toFixed(6));
  }
  const time = rate.map((_, k) => START_MS + k * 8 * HOUR_MS);
  const candles = candlesOf(count, seed, stepMs, (open, i) => {
    const known = rate[Math.floor((i * stepMs) / (8 * HOUR_MS))] ?? 0;
    const side = known > beyond ? -1 : known < -beyond ? 1 : 0;
    return { close: open + deviation * (side * drift + normal()), deviation };
  });
  return { candles, funding: { time, rate } };
}

/** The first candles of an edge and then a market without one, joined without a gap. @param at the first candle without the edge */
export function endingAt(edge: Candles, noise: Candles, at: number): Candles {
  const factor = (edge.close[at - 1] ?? Number.NaN) / (noise.open[at] ?? Number.NaN);
  const join = (name: 'open' | 'high' | 'low' | 'close'): Column =>
    edge[name].map((value, i) => (i < at ? value : factor * (noise[name][i] ?? Number.NaN)));
  const [open, high, low, close] = (['open', 'high', 'low', 'close'] as const).map(join) as [
    Column,
    Column,
    Column,
    Column,
  ];
  return { time: edge.time, open, high, low, close, volume: edge.volume };
}

export const noises = ['normal', 'fat tails', 'clusters', 'both'] as const;
export type Noise = (typeof noises)[number];

/** A fair game: Student's t with 4 degrees of freedom, volatility in clusters (a log-normal autoregression), both or neither. */
export function pureNoise({ count, stepMs, deviation }: World, seed: number, noise: Noise): Candles {
  const [normal, shock] = [seededNormal(seed), seededNormal(seed + 500_009)];
  let heat = 0;
  return candlesOf(count, seed, stepMs, (open) => {
    heat = 0.95 * heat + 0.2 * shock();
    const scale = noise === 'clusters' || noise === 'both' ? Math.exp(heat - 0.2) : 1;
    const isFat = noise === 'fat tails' || noise === 'both';
    // Variance of t with 4 degrees is 2.
    const z = isFat ? studentOf(normal) / Math.SQRT2 : normal();
    const local = deviation * scale;
    return { close: open + local * z - local ** 2 / 2, deviation: local };
  });
}

function studentOf(normal: Random): number {
  const chi = normal() ** 2 + normal() ** 2 + normal() ** 2 + normal() ** 2;
  return normal() / Math.sqrt(chi / 4);
}
