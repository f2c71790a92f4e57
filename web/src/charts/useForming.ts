import type { Candles } from '@sextant/workers/src/protocol.ts';
import { useState } from 'react';
import type { FormingCandle } from './chartModel.ts';

interface Forming extends FormingCandle {
  /** Open time of the last closed candle: the one that forms follows it. */
  afterMs: number;
}

/** The last closed candle, after which another one forms. */
interface LastClosed {
  timeMs: number;
  close: number;
}

/**
 * The forming candle with one more price. It opens where the last one closed, and its high and low are those of the prices that were
 * seen here: what was traded between them is known when it has closed.
 */
export function withPrice(before: Forming | null, { timeMs, close }: LastClosed, price: number): Forming {
  const known =
    before?.afterMs === timeMs ? before : { afterMs: timeMs, open: close, high: close, low: close, close: price };
  if (known === before && known.close === price) return known;
  return { ...known, high: Math.max(known.high, price), low: Math.min(known.low, price), close: price };
}

/** The candle that forms after the last closed one, from the prices that arrive. @param price null: none is known */
export function useForming(candles: Candles | undefined, price: number | null): FormingCandle | null {
  const [forming, setForming] = useState<Forming | null>(null);
  const timeMs = candles?.time.at(-1);
  const close = candles?.close.at(-1);
  if (timeMs === undefined || close === undefined || price === null) return null;
  // Of another market the last candle may have the same time, and its close says so.
  const isOther = forming !== null && forming.afterMs === timeMs && forming.open !== close;
  const next = withPrice(isOther ? null : forming, { timeMs, close }, price);
  if (next !== forming) setForming(next);
  return next;
}
