import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import { randomStream } from './random.ts';

const HOUR_MS = 3_600_000;
const START_MS = Date.UTC(2024, 0, 1);

/** Rounds to cents: the tick of the generated market. */
const toTick = (price: number): number => Math.floor(price * 100 + 0.5) / 100;

/**
 * A mean-reverting hourly walk around 30,000 with a tick of 0.01, `count` candles long.
 * The same seed gives the same candles everywhere: only + - * /, floor, min and max are used.
 */
export function candleWalk(count: number, seed: number, stepMs = HOUR_MS): Candles {
  const random = randomStream(seed);
  const candles = emptyCandles(count);
  let open = 30_000;
  for (let i = 0; i < count; i++) {
    const shock = random() + random() + random() + random() - 2; // mean 0, deviation 0.577
    const close = toTick(Math.max(100, open + open * shock * 0.006 - (open - 30_000) * 0.0005));
    candles.time[i] = START_MS + i * stepMs;
    candles.open[i] = open;
    candles.high[i] = toTick(Math.max(open, close) + open * random() * 0.003);
    candles.low[i] = toTick(Math.min(open, close) - open * random() * 0.003);
    candles.close[i] = close;
    const busy = random();
    candles.volume[i] = Math.floor((50 + 950 * busy * random()) * 1000 + 0.5) / 1000;
    open = close;
  }
  return candles;
}

/**
 * `seriesCount` different walks of one length. One series in a loop is learned by the branch predictor and
 * flatters branchy code up to 3 times, so every measurement walks over at least 64 of these.
 */
export function candleWalks(seriesCount: number, count: number, seed = 1): Candles[] {
  return Array.from({ length: seriesCount }, (_, i) => candleWalk(count, seed + 7919 * i));
}

/** Funding every eight hours of the candles' time, between -0.01 % and 0.03 %. */
export function eightHourlyFunding({ time }: Candles, seed = 1): { time: Float64Array; rate: Float64Array } {
  const random = randomStream(seed);
  const stamps = time.filter((at) => at % (8 * HOUR_MS) === 0);
  return { time: stamps, rate: stamps.map(() => Math.floor(random() * 40_000 - 10_000) / 1e8) };
}

function emptyCandles(count: number): Candles {
  const column = (): Float64Array => new Float64Array(count);
  return { time: column(), open: column(), high: column(), low: column(), close: column(), volume: column() };
}
