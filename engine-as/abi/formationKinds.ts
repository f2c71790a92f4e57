// Read by asc and by tsc alike: plain constants only. formations.ts gives each its name and definition.

export const FORMATION_DOUBLE_TOP = 0;
export const FORMATION_DOUBLE_BOTTOM = 1;
export const FORMATION_HEAD_AND_SHOULDERS = 2;
export const FORMATION_INVERSE_HEAD_AND_SHOULDERS = 3;
export const FORMATION_ASCENDING_TRIANGLE = 4;
export const FORMATION_DESCENDING_TRIANGLE = 5;
export const FORMATION_SYMMETRICAL_TRIANGLE = 6;
export const FORMATION_FLAG = 7;
export const FORMATION_CHANNEL = 8;
export const FORMATION_SUPPORT = 9;
export const FORMATION_RESISTANCE = 10;
export const FORMATION_COUNT = 11;

/** Candles on either side that a swing must exceed; a swing is confirmed this many candles later. */
export const SWING_WING = 3;
/** Equal means that two prices differ by at most this share of the formation's height. */
export const FORMATION_TOLERANCE = 0.2;
/** Maximum candles between the last swing of a formation and its breakout. */
export const FORMATION_AGE_MAX = 30;
/** Candles between the two extremes of a double top or bottom, at least. */
export const DOUBLE_GAP_MIN = 8;
/** Least rise of a channel over its length, in its widths. */
export const CHANNEL_RISE_MIN = 0.5;
/** Maximum candles of a pole; its height is at least this many mean ranges. */
export const POLE_CANDLES_MAX = 12;
export const POLE_RANGES_MIN = 4;
/** Candles of a flag, and the most of the pole that it gives back. */
export const FLAG_CANDLES_MIN = 5;
export const FLAG_CANDLES_MAX = 20;
export const FLAG_RETRACEMENT_MAX = 0.5;
/** Swings at one level, the candles they may be spread over, and how far from the newest they may lie, in mean ranges. */
export const LEVEL_TOUCHES_MIN = 3;
export const LEVEL_CANDLES_MAX = 120;
export const LEVEL_RANGES_MAX = 0.5;
/** Candles of a mean range. */
export const RANGE_CANDLES = 20;
/** Places for the candles that a formation is drawn through. */
export const ANCHORS_MAX = 5;
