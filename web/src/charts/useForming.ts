import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import { useState } from 'react';
import type { FormingCandle } from './chartModel.ts';

interface Forming extends FormingCandle {
  /** Open time of the last closed candle, which the forming one follows. */
  afterMs: number;
}

/** The last closed candle before the forming one. */
interface LastClosed {
  timeMs: number;
  close: number;
}

/**
 * The forming candle with one more price. It opens at the last close, and its high and low cover only prices seen here: prices traded
 * between them are known once it has closed.
 */
export function withPrice(before: Forming | null, { timeMs, close }: LastClosed, price: number): Forming {
  const known =
    before?.afterMs === timeMs ? before : { afterMs: timeMs, open: close, high: close, low: close, close: price };
  if (known === before && known.close === price) return known;
  return { ...known, high: Math.max(known.high, price), low: Math.min(known.low, price), close: price };
}

/** The forming candle after the last closed one, built from incoming prices. @param price null: unknown */
export function useForming(candles: Candles | undefined, price: number | null): FormingCandle | null {
  const [forming, setForming] = useState<Forming | null>(null);
  const timeMs = candles?.time.at(-1);
  const close = candles?.close.at(-1);
  if (timeMs === undefined || close === undefined || price === null) return null;
  // The last candle of another market may have the same time: its close identifies it.
  const isOther = forming !== null && forming.afterMs === timeMs && forming.open !== close;
  const next = withPrice(isOther ? null : forming, { timeMs, close }, price);
  if (next !== forming) setForming(next);
  return next;
}
