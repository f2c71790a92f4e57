import type { Candles } from '@sextant/workers/src/protocol.ts';

/** Closes of a symbol by the open time of their candle, epoch ms. */
export type Closes = ReadonlyMap<number, number>;

export const closesOf = ({ time, close }: Pick<Candles, 'time' | 'close'>): Closes =>
  new Map(Array.from(time, (at, i) => [at, close[i] ?? Number.NaN]));

/**
 * Simple returns of several symbols over the candles they all have, oldest first; a hole in any of them is no return.
 * @param stepMs length of a candle
 * @returns one list per symbol, all of one length; returns[s][i] of different symbols belong to the same candle
 */
export function jointReturns(symbols: readonly Closes[], stepMs: number): number[][] {
  const [first, ...others] = symbols;
  if (first === undefined) return [];
  const times = [...first.keys()].filter(
    (at) => first.has(at - stepMs) && others.every((closes) => closes.has(at) && closes.has(at - stepMs)),
  );
  times.sort((a, b) => a - b);
  return symbols.map((closes) => times.map((at) => (closes.get(at) ?? NaN) / (closes.get(at - stepMs) ?? NaN) - 1));
}

export const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
