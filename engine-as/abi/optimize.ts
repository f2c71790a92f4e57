// Read by asc and by tsc alike: plain constants only. Layouts of the optimiser; every row is f64; the market is in records.ts.

// --- Set: the parameters that one trial varies. Weights are whole tenths. ---

export const SET_WEIGHTS = 0; // 13 slots, in vote order
export const SET_ENTRY_THRESHOLD = 13;
export const SET_STOP_LOSS = 14;
export const SET_TAKE_PROFIT = 15;
export const SET_IS_TRAILING = 16; // 0 or 1
export const SET_CALLBACK = 17;
export const SET_STEP = 18;
export const SET_LENGTH = 19;

// A set of rules has all VOTE_COUNT weights instead, in units of 1 / RULES_WEIGHT_UNITS, either sign; the same six values follow
// them, at weights + TAIL_*. Stop, target and trailing distance are fractions or average true ranges, as the rules say; the step
// is not searched and 0 in every set.

export const TAIL_ENTRY_THRESHOLD = 0;
export const TAIL_STOP_LOSS = 1;
export const TAIL_TAKE_PROFIT = 2;
export const TAIL_IS_TRAILING = 3;
export const TAIL_CALLBACK = 4;
export const TAIL_STEP = 5;
export const TAIL_LENGTH = 6;
export const RULES_SET_LENGTH = 24; // VOTE_COUNT + TAIL_LENGTH
export const RULES_WEIGHT_UNITS = 20;
/** WEIGHT_UNITS of the ensemble in one of these. */
export const RULES_UNIT = 10;

// --- Space: where sets are drawn from, a row per slot. A value is a whole number over the divisor, so it is exact decimal. ---

export const SPACE_MIN = 0;
export const SPACE_MAX = 1;
export const SPACE_DIVISOR = 2;
export const SPACE_ROW_LENGTH = 3;
/** After room for the rows of the longest set: how many of its slots are weights, and how sets are drawn. */
export const SPACE_VOTES = 72; // RULES_SET_LENGTH * SPACE_ROW_LENGTH
export const SPACE_DRAW = 73;
/** Share of the score that one interval makes up alone. */
export const SPACE_INTERVAL_SHARE = 74;
export const SPACE_LENGTH = 75;

/** Every parameter is drawn independently and uniformly. */
export const DRAW_DENSE = 0;
/** A quarter dense, half sparse (1 to 5 votes), a quarter whole groups; assembly/optimize/sampling.ts. */
export const DRAW_MIXED = 1;
/** The same, with the threshold of dense sets drawn by octaves: over many votes and intervals most scores are small. */
export const DRAW_RULES = 2;

// --- Result columns: f64[RESULT_LENGTH * count], column after column ---

export const RESULT_NET_PNL = 0;
export const RESULT_TRADE_COUNT = 1;
export const RESULT_WIN_COUNT = 2;
export const RESULT_GAIN = 3; // sum of the winning trades' net PnL
export const RESULT_LOSS = 4; // sum of the others', as a positive number
export const RESULT_CLOSED_DRAWDOWN = 5; // largest fall of realised equity from its peak, fraction: what closed trades show
export const RESULT_AMBIGUOUS_COUNT = 6;
export const RESULT_TURNOVER = 7; // sum of the notionals of all fills
export const RESULT_HELD_BAR_COUNT = 8;
/** From here on NaN unless the equity of each bar was requested. */
export const RESULT_MAX_DRAWDOWN = 9;
export const RESULT_SHARPE = 10;
export const RESULT_SORTINO = 11;
export const RESULT_CALMAR = 12;
/** Value that the search ranks by; -Infinity when the set does not meet the target's conditions. */
export const RESULT_VALUE = 13;
export const RESULT_LENGTH = 14;

export const TARGET_PNL = 0;
export const TARGET_WIN_RATE = 1;
export const TARGET_SHARPE = 2;
export const TARGET_SORTINO = 3;
export const TARGET_CALMAR = 4;
export const TARGET_PROFIT_FACTOR = 5;
export const TARGET_EXPECTANCY = 6;

/** Closed trades below which no target ranks a set: one lucky trade is no evidence. */
export const TRADES_MIN = 10;
/** A share of trades needs more of them than a sum. */
export const WIN_RATE_TRADES_MIN = 30;

/** Bars past the end that the vector loads may touch. */
export const MARKET_PADDING = 64;
