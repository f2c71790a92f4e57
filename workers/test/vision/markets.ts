import type { GroundSeries } from '../../src/vision/ground.ts';
import type { DrawnCandle } from './drawChart.ts';

/** Markets in which pictures are searched. `npm run test:statistics` runs the full size, `npm test` a smaller one of the same shape. */
export const isFull = process.env['STATISTICS'] === 'full';

export interface MarketSize {
  symbols: number;
  candles: number;
}
export const size: MarketSize = isFull ? { symbols: 128, candles: 5000 } : { symbols: 24, candles: 1200 };
const intervals = ['5m', '15m', '1h', '4h'];

/** mulberry32 from 0 to 1. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Sum of four uniforms, with one large move in thirty. */
const moveOf = (random: () => number): number =>
  (random() + random() + random() + random() - 2) * (random() < 0.03 ? 4 : 1);

/** A market as crypto is: half of each symbol's variance is the move of all. One seed, one market. */
export function universe(seed: number, { symbols, candles }: MarketSize): GroundSeries[] {
  const random = seeded(seed);
  return intervals.flatMap((interval, step) => {
    const common = Float64Array.from({ length: candles }, () => moveOf(random));
    return Array.from({ length: symbols }, (_, symbol): GroundSeries => {
      let price = 10 ** (4 * random() - 1);
      const close = common.map((move) => {
        price *= Math.exp(0.003 * 2 ** step * (0.707 * move + 0.707 * moveOf(random)));
        return price;
      });
      return { symbol: `S${symbol}USDT`, interval, close };
    });
  });
}

/** Candles of a series that open where the one before closed, with tails on both sides. */
export function candlesOf(
  close: Float64Array,
  { start, count }: { start: number; count: number },
  random: () => number,
): DrawnCandle[] {
  return Array.from({ length: count }, (_, k): DrawnCandle => {
    const [open, end] = [close[start + k - 1] as number, close[start + k] as number];
    const tail = (): number => Math.abs(end - open) * random() * 0.7 + end * 0.0005;
    return {
      open,
      close: end,
      high: Math.max(open, end) + tail(),
      low: Math.min(open, end) - tail(),
      volume: 20 + random() * 80,
    };
  });
}
