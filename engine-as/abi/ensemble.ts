// Read by asc and by tsc alike: plain constants only. What each means to a trader is in docs/ensemble.md.
//
// A timeframe is one row of i32[TIMEFRAME_LENGTH]: its votes as `votes` (voteExports.ts) writes them, and for each base candle
// the candle of this timeframe that was closed by then. Weights are whole units: a vote's weight in 1/200 (tenths of the
// weight x twentieths of the tuning), a timeframe's in tenths. So numerator and denominator of a score are exact integers.

export const TIMEFRAME_VOTES = 0;
export const TIMEFRAME_STRIDE = 1;
export const TIMEFRAME_FIRST = 2;
/** Address of i32[length] with the as-of candle of each base candle, -1 for none; 0 when the timeframe is the base itself. */
export const TIMEFRAME_INDEX = 3;
/** Tenths, 0..100. */
export const TIMEFRAME_WEIGHT = 4;
export const TIMEFRAME_LENGTH = 5;

export const TIMEFRAME_COUNT_MAX = 8;
export const TIMEFRAME_WEIGHT_MAX = 100;
/** One unit of a vote's weight is 1 / WEIGHT_UNITS: weight 1.5 at a tuning of 1.05 is 315 units. */
export const WEIGHT_UNITS = 200;
/** Either sign: a negative weight turns the vote round, and its size counts. */
export const WEIGHT_UNITS_MAX = 1000;

/** The vote that comes from outside, after the VOTE_COUNT votes of the engine. */
export const VOTE_NEWS = 18;
export const ENSEMBLE_VOTE_COUNT = 19;
/** An outside vote that has no say at a candle: its weight does not count there. */
export const NEWS_SILENT = 2;

/** Options of `signal`: f64[OPTION_LENGTH]. */
export const OPTION_THRESHOLD = 0;
export const OPTION_STEP_MINUTES = 1;
export const OPTION_STOP_ATR = 2;
export const OPTION_TARGET_ATR = 3;
export const OPTION_STOP_FRACTION = 4;
export const OPTION_TARGET_FRACTION = 5;
/** 0: levels by ATR, 1: by percent. Decides which pair sets risk label and horizon. */
export const OPTION_LEVEL_MODE = 6;
export const OPTION_LENGTH = 7;

/** Result of `signal`: f64[SIGNAL_LENGTH]; levels are NaN when the direction is 0. */
export const SIGNAL_DIRECTION = 0;
export const SIGNAL_RAW_CONFIDENCE = 1;
export const SIGNAL_CONFIDENCE = 2;
export const SIGNAL_ATR_STOP = 3;
export const SIGNAL_ATR_TARGET = 4;
export const SIGNAL_FRACTION_STOP = 5;
export const SIGNAL_FRACTION_TARGET = 6;
/** RISK_* below. */
export const SIGNAL_RISK = 7;
export const SIGNAL_HORIZON_MINUTES = 8;
export const SIGNAL_LENGTH = 9;

/** Risk labels by the stop's distance: a fraction below each bound. */
export const RISK_LOW = 0;
export const RISK_STANDARD = 1;
export const RISK_HIGH = 2;
export const RISK_EXTREME = 3;
export const RISK_LOW_BELOW = 0.0075;
export const RISK_STANDARD_BELOW = 0.02;
export const RISK_HIGH_BELOW = 0.04;

/** An as-of candle that closed longer ago than this many of its intervals is stale and does not vote. */
export const STALE_STEPS = 2;
