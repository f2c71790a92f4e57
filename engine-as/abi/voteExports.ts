/** Vote ids by index: voteIds[VOTE_RSI] is 'rsi'. The first BACKTEST_VOTE_COUNT are the backtest weights, in their wire order. */
export const voteIds = [
  'rsi',
  'macd',
  'boll',
  'adx',
  'supertrend',
  'vwap',
  'mfi',
  'obv',
  'cci',
  'donchian',
  'ichimoku',
  'stochrsi',
  'fib',
  'ema_cross',
  'sma_cross',
  'ich_align',
  'ich_cloud',
  'pivot',
] as const;

/** Addresses and lengths are plain numbers; every function returns a status of abi/status.ts. */
export interface VoteExports {
  /**
   * Every vote of every candle.
   * @param columns address of i32[6]: the addresses of time, open, high, low, close, volume (f64[length] each)
   * @param votes   i8[VOTE_COUNT * stride], stride >= length; bytes past `length` of a column are not touched
   * @param first   i32[VOTE_COUNT]: first defined candle of each vote
   * @param parameters VoteParameters of abi/records.ts; 0: the registry's defaults
   * @returns STATUS_BAD_PARAMETER also for a parameter beyond the registry's bounds; nothing is written then
   * Scratch comes from the arena and is released before the return (STATUS_OUT_OF_MEMORY when it does not fit).
   */
  votes(columns: number, length: number, votes: number, stride: number, first: number, parameters: number): number;
  /**
   * score[i] = sum(weight_k * vote_k[i]) / sum(weight_k): an integer over a constant integer, rounded once.
   * NaN before every vote with a weight > 0 is defined; 0 everywhere when all weights are 0.
   * @param weights i32[VOTE_COUNT], tenths 0..20; 0 switches a vote off
   * @param score   f64[length]
   * @param live    u8[length], number of weighted votes defined at the candle; 0 when not wanted
   */
  score(
    votes: number,
    stride: number,
    length: number,
    first: number,
    weights: number,
    score: number,
    live: number,
  ): number;
}
