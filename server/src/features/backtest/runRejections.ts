/** Rejections of every call that loads candles and runs on them. */
export const runRejections = [
  'too_few_candles',
  'market_not_trading',
  'upstream_unavailable',
  'upstream_rate_limited',
  'overloaded',
  'deadline_exceeded',
] as const;
