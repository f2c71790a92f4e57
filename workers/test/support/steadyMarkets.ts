import type { Candles } from '../../src/protocol/backtest.ts';

const START = Date.UTC(2025, 0, 1);
const HOUR_MS = 3_600_000;

/** Hourly candles from a UTC midnight that each go straight from their open to their close: `moves` are close over open, less one. */
export function straightCandles(moves: readonly number[], first = 100): Candles {
  const [time, open, high, low, close, volume] = Array.from({ length: 6 }, () => new Float64Array(moves.length)) as Six;
  let price = first;
  moves.forEach((move, i) => {
    time[i] = START + i * HOUR_MS;
    open[i] = price;
    price *= 1 + move;
    close[i] = price;
    high[i] = Math.max(open[i], price);
    low[i] = Math.min(open[i], price);
    volume[i] = 10;
  });
  return { time, open, high, low, close, volume };
}

type Column = Float64Array<ArrayBuffer>;
type Six = [Column, Column, Column, Column, Column, Column];

/** 100 candles up and down in turns, so that every vote has seen its swings, then `count` of the same move: a trend without a wiggle. */
export const steadyMarket = (count: number, move: number): Candles =>
  straightCandles(Array.from({ length: 100 + count }, (_, i) => (i >= 100 ? move : i % 20 < 10 ? 0.01 : -0.01)));
