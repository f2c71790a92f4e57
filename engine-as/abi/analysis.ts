// Read by asc and by tsc alike: plain constants only. What `analyse` makes of a finished run, f64[ANALYSIS_LENGTH]. NaN: none.
// It is derived from columns that are in the result's hash and is therefore not hashed itself: a new figure changes no hash.

export const ANALYSIS_DAY_COUNT = 0;
export const ANALYSIS_ANNUAL_RETURN = 1;
export const ANALYSIS_MARKET_CHANGE = 2;
export const ANALYSIS_ALPHA = 3;
export const ANALYSIS_BETA = 4;
export const ANALYSIS_BEST_DAY = 5;
export const ANALYSIS_WORST_DAY = 6;
export const ANALYSIS_WON_DAY_COUNT = 7;
export const ANALYSIS_FLAT_DAY_COUNT = 8;
export const ANALYSIS_LOST_DAY_COUNT = 9;
export const ANALYSIS_CALMAR = 10;
export const ANALYSIS_OMEGA = 11;
export const ANALYSIS_MAX_DRAWDOWN_USDT = 12;
export const ANALYSIS_LONGEST_UNDERWATER = 13; // candles
export const ANALYSIS_UNDERWATER_FRACTION = 14;
export const ANALYSIS_WIN_RATE_LONG = 15;
export const ANALYSIS_WIN_RATE_SHORT = 16;
export const ANALYSIS_AVERAGE_WIN = 17;
export const ANALYSIS_AVERAGE_LOSS = 18; // negative
export const ANALYSIS_PAYOFF = 19;
export const ANALYSIS_EXPECTANCY_RATIO = 20;
export const ANALYSIS_BEST_TRADE = 21;
export const ANALYSIS_WORST_TRADE = 22;
export const ANALYSIS_WINS_IN_A_ROW = 23;
export const ANALYSIS_LOSSES_IN_A_ROW = 24;
export const ANALYSIS_CANDLES_WON = 25; // mean candles a winner was held
export const ANALYSIS_CANDLES_LOST = 26;
export const ANALYSIS_SQN = 27;
export const ANALYSIS_MEAN_P_VALUE = 28;
export const ANALYSIS_KELLY = 29;
export const ANALYSIS_LENGTH = 30;

/** Trades below which nothing is inferred from their mean. */
export const ANALYSIS_TRADES_MIN = 30;
