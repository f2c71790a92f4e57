import { type IntervalName, intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import type { Strategy } from '@sextant/engine-as/abi/strategy.ts';
import { strategyNumber } from '@sextant/engine-as/abi/strategyNumbers.ts';
import type { BookTrailing } from './bookTypes.ts';
import { trailingOfMode } from './trailingNumbers.ts';

/** How the position of a strategy trails: by the fractions that its backtest has. */
export function strategyTrailing(strategy: Pick<Strategy, 'trailing'>): BookTrailing {
  const { mode } = strategy.trailing;
  return mode === 'off' ? { mode } : trailingOfMode(mode, (row) => strategyNumber(strategy, row) ?? row.default);
}

/** The interval it decides by; its stop moves when a candle of it closes. */
export function baseOf({ intervals: [base] }: Pick<Strategy, 'intervals'>): IntervalName {
  if (base === undefined) throw new Error('a strategy has a base interval');
  return base.interval;
}

export const stopSpanOf = (strategy: Pick<Strategy, 'intervals'>): number => intervalMs[baseOf(strategy)];
