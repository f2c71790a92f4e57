const names: Record<string, string> = {
  rsi: 'RSI',
  macd: 'MACD',
  boll: 'Bollinger bands',
  adx: 'ADX',
  supertrend: 'Supertrend',
  vwap: 'VWAP',
  mfi: 'MFI',
  obv: 'OBV',
  cci: 'CCI',
  donchian: 'Donchian channel',
  ichimoku: 'Ichimoku',
  stochrsi: 'Stochastic RSI',
  fib: 'Fibonacci',
  ema_cross: 'EMA cross',
  sma_cross: 'SMA cross',
  ich_align: 'Ichimoku lines',
  ich_cloud: 'Ichimoku cloud',
  pivot: 'Pivot points',
  news: 'News',
};

/** The name of a vote as a reader knows it. */
export const voteName = (id: string): string => names[id] ?? id;
