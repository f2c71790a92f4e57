import { type Columns, mulberry } from '../candles.ts';
import { before, cases } from './cases.ts';
import { columnsOf } from './support.ts';

/**
 * Candles on a grid of 1/16, so that gaps, equal prices and candles exactly on a threshold are common, in phases of different size so that
 * long and small bodies follow each other. Every price is exact, and so is its mirror image.
 */
export function gridMarket(count: number, seed: number): Columns {
  const random = mulberry(seed);
  const steps = (most: number): number => Math.floor(random() * (most + 1)) / 16;
  let price = 512;
  let trend = 1;
  return columnsOf(
    Array.from({ length: count }, () => {
      if (random() < 0.2) trend = -trend;
      const size = [0, 2, 8, 40][Math.floor(random() * 4)]!;
      const tails = [0, 0, 3, 20][Math.floor(random() * 4)]!;
      const open = price + (random() < 0.5 ? steps(12) - steps(12) : 0);
      const close = open + trend * steps(size) * (random() < 0.8 ? 1 : -1);
      price = close < 256 || close > 1024 ? 512 : close;
      return [open, Math.max(open, close) + steps(tails), Math.min(open, close) - steps(tails), close] as const;
    }),
  );
}

/** The worked cases, one after the other in random order, each price a step off now and then: rare patterns and their near misses. */
export function plantedMarket(caseCount: number, seed: number): Columns {
  const random = mulberry(seed);
  const near = (price: number): number =>
    Math.round(price * 64) / 64 + (random() < 0.15 ? Math.sign(random() - 0.5) / 32 : 0);
  const candles = Array.from({ length: caseCount }, () => cases[Math.floor(random() * cases.length)]!).flatMap(
    ({ candles: planted }) => [...before.slice(0, 12), ...planted],
  );
  return columnsOf(
    candles.map((candle) => {
      const [open, high, low, close] = candle.map(near) as [number, number, number, number];
      return [open, Math.max(open, high, close), Math.min(open, low, close), close] as const;
    }),
  );
}
