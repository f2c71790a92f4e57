// Default parameters and vote thresholds, read by asc and by tsc alike: the registry states them, the vote kernels use them.

export const SMA_FAST = 20;
export const SMA_SLOW = 50;
export const EMA_FAST = 12;
export const EMA_SLOW = 26;
export const RSI_PERIOD = 14;
export const MACD_FAST = 12;
export const MACD_SLOW = 26;
export const MACD_SIGNAL = 9;
export const BOLL_PERIOD = 20;
export const BOLL_WIDTH = 2;
export const ATR_PERIOD = 14;
export const ADX_PERIOD = 14;
export const SUPERTREND_PERIOD = 10;
export const SUPERTREND_MULTIPLE = 3;
/** 0: since UTC midnight. */
export const VWAP_PERIOD = 0;
export const MFI_PERIOD = 14;
export const CCI_PERIOD = 20;
export const DONCHIAN_PERIOD = 20;
export const ICHIMOKU_TENKAN = 9;
export const ICHIMOKU_KIJUN = 26;
export const ICHIMOKU_SPAN = 52;
export const ICHIMOKU_DISPLACEMENT = 26;
export const STOCHRSI_RSI = 14;
export const STOCHRSI_STOCH = 14;
export const STOCHRSI_K = 3;
export const STOCHRSI_D = 3;
export const FIB_REACH = 5;
/** The OBV vote compares OBV with its mean of this many candles. */
export const OBV_MEAN_PERIOD = 20;

export const RSI_OVERSOLD = 30;
export const RSI_OVERBOUGHT = 70;
export const ADX_TREND = 25;
export const MFI_OVERSOLD = 20;
export const MFI_OVERBOUGHT = 80;
export const CCI_BREAKOUT = 100;
export const STOCHRSI_OVERSOLD = 20;
export const STOCHRSI_OVERBOUGHT = 80;
export const FIB_ZONE_NEAR = 0.382;
export const FIB_ZONE_FAR = 0.618;
/** Two prices closer than this fraction of the close are equal: rounding must not vote. */
export const NEUTRAL_BAND = 1e-9;
/** Points of %K and %D closer than this are equal. */
export const NEUTRAL_POINTS = 1e-9;

// Defaults of a strategy, Classic or made of rules; fractions: 0.02 is 2 %.

export const ENTRY_THRESHOLD = 0.08;
export const STOP_FRACTION = 0.02;
export const TARGET_FRACTION = 0.04;
export const CALLBACK_FRACTION = 0.005;
export const STEP_FRACTION = 0.0025;
export const TRAILING_MULTIPLE = 2;
