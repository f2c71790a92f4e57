import { candlesOf } from '@sextant/workers/src/candles/candleColumns.ts';
import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';

export const hourMs = 3_600_000;

/** Candles of these opens whose prices follow from the open, so that each test can state them. `drift` changes all prices. */
export function candlesAt(opens: readonly number[], drift = 0): Candles {
  const price = (openMs: number): number => 100 + ((openMs / hourMs) % 1000) / 10 + drift;
  const of: Record<keyof Candles, (openMs: number) => number> = {
    time: (openMs) => openMs,
    open: price,
    high: (openMs) => price(openMs) + 1,
    low: (openMs) => price(openMs) - 1,
    close: (openMs) => price(openMs) + 0.5,
    volume: (openMs) => (openMs / hourMs) % 7,
  };
  return candlesOf((name) => Float64Array.from(opens, of[name]));
}

/** Opens from one to another, both included. */
export const opensOf = (fromMs: number, toMs: number, stepMs = hourMs): number[] =>
  Array.from({ length: Math.round((toMs - fromMs) / stepMs) + 1 }, (_, i) => fromMs + i * stepMs);
