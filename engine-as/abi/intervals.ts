/** The candle lengths of the product in ms, shortest first. */
export const intervalMs = {
  '1m': 60_000,
  '5m': 300_000,
  '15m': 900_000,
  '1h': 3_600_000,
  '4h': 14_400_000,
  '1d': 86_400_000,
} as const;

export type IntervalName = keyof typeof intervalMs;
export const intervals = Object.keys(intervalMs) as [IntervalName, ...IntervalName[]];

export const MINUTE_MS = intervalMs['1m'];
export const HOUR_MS = intervalMs['1h'];
export const DAY_MS = intervalMs['1d'];

/** Candle lengths of signals, scans and the backtest form. */
export const signalIntervals = ['15m', '1h', '4h'] as const;
