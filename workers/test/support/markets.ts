import type { Candles } from '../../src/protocol.ts';
import { type Random, seededRandom } from './randomRuns.ts';

/** Standard normal by Box and Muller. */
export function seededNormal(seed: number): Random {
  const uniform = seededRandom(seed);
  return () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
}

/**
 * A market made of steps within each candle. Without `trend` it is a random walk, in which no strategy has an edge; with it
 * the drift is `trend` deviations per candle, up or down for 20 to 60 candles at a time: something that can be learnt.
 */
export function market(count: number, seed: number, { volatility = 0.02, trend = 0, stepMs = 900_000 } = {}): Candles {
  const [normal, uniform] = [seededNormal(seed), seededRandom(seed + 1_000_003)];
  const [time, open, high, low, close, volume] = Array.from({ length: 6 }, () => new Float64Array(count)) as Six;
  let [price, drift, left] = [100, 0, 0];
  for (let i = 0; i < count; i++) {
    if (left-- <= 0) {
      left = 20 + Math.floor(uniform() * 40);
      drift = uniform() < 0.5 ? trend : -trend;
    }
    time[i] = 1_735_689_600_000 + i * stepMs;
    open[i] = price;
    const path = [price];
    for (let k = 0; k < 8; k++) {
      price *= Math.exp((volatility / Math.sqrt(8)) * normal() + (drift * volatility) / 8 - volatility ** 2 / 16);
      path.push(price);
    }
    high[i] = Math.max(...path);
    low[i] = Math.min(...path);
    close[i] = price;
    volume[i] = 100 + 100 * uniform();
  }
  return { time, open, high, low, close, volume };
}

type Column = Float64Array<ArrayBuffer>;
type Six = [Column, Column, Column, Column, Column, Column];
