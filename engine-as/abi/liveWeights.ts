/** The 13 weights of a plain backtest, in the engine's vote order. */
export const backtestWeights = {
  rsi: 1.5,
  macd: 1.5,
  boll: 1.2,
  adx: 1,
  supertrend: 1.2,
  vwap: 1,
  mfi: 1,
  obv: 0.8,
  cci: 0.8,
  donchian: 0.6,
  ichimoku: 1,
  stochrsi: 0.8,
  fib: 0.6,
} as const;

/**
 * Weights of the live ensemble before tuning, by vote id; 0.1 steps. The backtest's, with `ichimoku` split into the two votes it
 * consists of (the tuning knows only those), and the votes that only live signals have.
 */
export const liveWeights: Readonly<Record<string, number>> = {
  ...backtestWeights,
  ichimoku: 0,
  ema_cross: 1,
  sma_cross: 1,
  ich_align: 0.5,
  ich_cloud: 0.5,
  pivot: 1,
  news: 1,
};

/** The votes a user can tune, each with a factor of 0.5 to 1.5 in steps of 0.05. */
export const tunableVotes = [
  'adx',
  'supertrend',
  'ema_cross',
  'sma_cross',
  'pivot',
  'vwap',
  'mfi',
  'donchian',
  'ich_align',
  'ich_cloud',
  'news',
] as const;
