// Read by asc and by tsc alike: plain constants only.

/** f64 values of the streaming states of one series: RSI, MACD, ADX, Supertrend, OBV, stochastic RSI, Fibonacci. */
export const STATES_SIZE = 32;
/** Shorter series are scanned one by one: nothing lies between their seeds and the candles that are left to the kernels. */
export const PAIR_LENGTH_MIN = 92;
