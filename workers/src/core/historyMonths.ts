import type { IntervalName } from '@sextant/engine-as/abi/intervals.ts';

/** Months of candles that the server stores of each interval; 0: only what is read. */
export type HistoryMonths = Record<IntervalName, number>;

export const historyMonthsDefault: HistoryMonths = { '1m': 2, '5m': 0, '15m': 6, '1h': 24, '4h': 48, '1d': 120 };
