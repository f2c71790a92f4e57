// Read by asc and by tsc alike: plain constants only. The registry (registry.ts) gives each kind its name and parameters.

export const KIND_SMA = 0;
export const KIND_EMA = 1;
export const KIND_RSI = 2;
export const KIND_MACD = 3;
export const KIND_BOLL = 4;
export const KIND_ATR = 5;
export const KIND_ADX = 6;
export const KIND_SUPERTREND = 7;
export const KIND_VWAP = 8;
export const KIND_MFI = 9;
export const KIND_OBV = 10;
export const KIND_CCI = 11;
export const KIND_DONCHIAN = 12;
export const KIND_ICHIMOKU = 13;
export const KIND_STOCHRSI = 14;
export const KIND_PIVOT = 15;
export const KIND_FIB = 16;

/** Look-backs of every indicator, in candles. */
export const PERIOD_MAX = 1000;
/** f64 values of streaming state; slot 0 is the number of candles already done. */
export const INDICATOR_STATE_LENGTH = 16;
