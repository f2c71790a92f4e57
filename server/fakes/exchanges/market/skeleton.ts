import { type Draws, drawsAt, hash, smoothNoise, toNormal, toUniform } from './hash.ts';
import { bitcoin, GENESIS_MS, type Instrument } from './instruments.ts';

export const DAY_MS = 86_400_000;
const genesisDay = GENESIS_MS / DAY_MS;

/** Anchor values of one day of one instrument. Prices are natural logarithms of USDT per coin. */
export interface Day {
  open: number;
  close: number;
  /** Variance of log price spent inside the day: its open to close move is one draw, its range follows from this. */
  variance: number;
  /** Share of the day's variance that moves with BTC, 0..1. */
  correlation: number;
}

/** Growing columns, extended day by day from genesis and never changed again: later calls return the same past. */
interface Path {
  logPrice: number[];
  variance: number[];
}

type Regime = 'bull' | 'bear' | 'range';
const regimeDays = 21;

function regimeAt(seed: number, block: number): Regime {
  const u = toUniform(hash(seed, 11, block));
  if (u < 0.38) return 'bull';
  return u < 0.6 ? 'bear' : 'range';
}

/** Volatility of a day relative to its mean: slow, medium and fast waves, so that calm and wild spells alternate. */
function volatilityWave(seed: number, day: number): number {
  const atMs = day * DAY_MS;
  const wave =
    0.3 * smoothNoise(seed ^ 0x51, atMs, 60 * DAY_MS) +
    0.28 * smoothNoise(seed ^ 0x52, atMs, 14 * DAY_MS) +
    0.3 * smoothNoise(seed ^ 0x53, atMs, 3 * DAY_MS);
  return Math.exp(wave - 0.08);
}

/** Days since the last crash of the whole market, or -1: a crash is a day that starts one with chance 1 in 100. */
function daysIntoCrash(seed: number, day: number): number {
  for (let age = 0; age < 5; age++) if (hash(seed, 13, day - age) < 4294967296 / 100) return age;
  return -1;
}
const crashDrift = [-0.085, -0.02, 0.028, 0.012, 0.006];
const crashVolatility = [2.7, 2.1, 1.7, 1.4, 1.2];

/** Normal most days, heavy now and then. */
const fatDraw = (draws: Draws): number => draws.normal() * Math.exp(0.3 * draws.normal() - 0.09);

/** A day that went far was a rough day: without this, a strong trend would be drawn with a ruler. */
const spent = (variance: number, move: number): number => 0.65 * variance + 0.45 * move * move;

export function createSkeleton(marketSeed: number): { day(instrument: Instrument, day: number): Day } {
  const paths = new Map<string, Path>();

  function pathTo(instrument: Instrument, day: number): Path {
    let path = paths.get(instrument.base);
    if (path === undefined) {
      const scatter = 0.35 * toNormal(hash(marketSeed, instrument.seed, 5));
      path = { logPrice: [Math.log(instrument.anchorPrice) + (instrument === bitcoin ? -0.3 : scatter)], variance: [] };
      paths.set(instrument.base, path);
    }
    while (path.variance.length <= day - genesisDay) extend(instrument, path, genesisDay + path.variance.length);
    return path;
  }

  function extend(instrument: Instrument, path: Path, day: number): void {
    const step = instrument === bitcoin ? bitcoinStep(path, day) : altcoinStep(instrument, path, day);
    path.variance.push(step.variance);
    path.logPrice.push((path.logPrice.at(-1) as number) + step.drift);
  }

  function bitcoinStep(path: Path, day: number): { drift: number; variance: number } {
    const seed = marketSeed ^ bitcoin.seed;
    const index = day - genesisDay;
    const crash = daysIntoCrash(marketSeed, day);
    const block = Math.floor(index / regimeDays);
    const sigma = 0.021 * volatilityWave(seed, day) * (crashVolatility[crash] ?? 1);
    const level = path.logPrice[index] as number;
    const blockStart = path.logPrice[block * regimeDays] as number;
    const strength = 0.5 + toUniform(hash(seed, 12, block));
    const trend = {
      bull: 0.0044 * strength,
      bear: -0.0042 * strength,
      range: -0.06 * (level - blockStart),
    }[regimeAt(seed, block)];
    const pull = -0.0032 * (level - Math.log(bitcoin.anchorPrice));
    const drift = trend + pull + (crashDrift[crash] ?? 0) + sigma * fatDraw(drawsAt(seed, 14, day));
    return { drift, variance: spent(sigma * sigma, drift) };
  }

  function altcoinStep(instrument: Instrument, path: Path, day: number): { drift: number; variance: number } {
    const seed = marketSeed ^ instrument.seed;
    const btc = pathTo(bitcoin, day);
    const index = day - genesisDay;
    const btcMove = (btc.logPrice[index + 1] as number) - (btc.logPrice[index] as number);
    const ownSigma = instrument.ownVolatility * volatilityWave(seed, day);
    // Own news: a listing, a hack, an unlock. Rare, larger, and wild for that day.
    const news = hash(seed, 16, day) < 4294967296 / 55 ? 1 : 0;
    const draws = drawsAt(seed, 15, day);
    const own = ownSigma * fatDraw(draws) + news * ownSigma * 3.2 * draws.normal();
    const pull = -0.006 * ((path.logPrice[index] as number) - Math.log(instrument.anchorPrice));
    const common = instrument.beta ** 2 * (btc.variance[index] as number);
    const variance = common + ownSigma * ownSigma * (1 + 4 * news);
    const drift = instrument.beta * btcMove * 0.96 + own + pull;
    return { drift, variance: spent(variance, drift) };
  }

  return {
    day(instrument, day) {
      const path = pathTo(instrument, day);
      const index = day - genesisDay;
      const variance = path.variance[index] as number;
      const common = instrument.beta ** 2 * (pathTo(bitcoin, day).variance[index] as number);
      return {
        open: path.logPrice[index] as number,
        close: path.logPrice[index + 1] as number,
        variance,
        correlation: instrument === bitcoin ? 1 : Math.min(0.96, Math.sqrt(common / variance)),
      };
    },
  };
}
