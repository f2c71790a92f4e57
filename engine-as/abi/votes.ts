// Read by asc and by tsc alike: plain constants only. Names, order and signatures for hosts are in voteExports.ts.
//
// A vote is -1 (short), 0 (no opinion) or 1 (long), one i8 per candle; vote k of candle i is at votes + k * stride + i.
// first[k] (i32) is the first candle where vote k is defined, or `length` when it never is; from there on it stays defined.
// Before it the column holds 0 and the vote is not live.

export const VOTE_RSI = 0;
export const VOTE_MACD = 1;
export const VOTE_BOLL = 2;
export const VOTE_ADX = 3;
export const VOTE_SUPERTREND = 4;
export const VOTE_VWAP = 5;
export const VOTE_MFI = 6;
export const VOTE_OBV = 7;
export const VOTE_CCI = 8;
export const VOTE_DONCHIAN = 9;
export const VOTE_ICHIMOKU = 10;
export const VOTE_STOCHRSI = 11;
export const VOTE_FIB = 12;
/** The votes above are the weights of a backtest, in this order; those below only weigh in live tuning. */
export const BACKTEST_VOTE_COUNT = 13;
export const VOTE_EMA_CROSS = 13;
export const VOTE_SMA_CROSS = 14;
export const VOTE_ICH_ALIGN = 15;
export const VOTE_ICH_CLOUD = 16;
export const VOTE_PIVOT = 17;
export const VOTE_COUNT = 18;

/** Weights are integers in tenths, 0..20 (1.5 is 15), so that a score's numerator and denominator are exact. */
export const WEIGHT_TENTHS_MAX = 20;

/** Longest look-back of a vote, in candles: a live signal reads all of them, and some ten times as many to settle. */
export const VOTE_PERIOD_MAX = 200;
