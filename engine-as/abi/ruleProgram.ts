// Read by asc and by tsc alike: plain constants only. The compiled form of "own rules": instructions over columns, the inputs of a
// frame and the bounds. What each operation means to the bit: the notes below; contract of the exports: ruleExports.ts.

// --- Instruction: i32[RULE_INSTRUCTION_LENGTH] ---

export const RULE_OP = 0;
/** Whose candles: 0 is the base, 1.. the longer intervals. */
export const RULE_FRAME = 1;
/** Register of that frame that is written, 0..RULE_REGISTERS_MAX - 1. It may be one of the operands. */
export const RULE_DEST = 2;
/**
 * Operands: 0..RULE_INPUT_COUNT - 1 is an input column of the frame, RULE_INPUT_COUNT + r its register r, which an earlier instruction has
 * written. RULE_NONE where the operation has no such operand.
 */
export const RULE_A = 3;
export const RULE_B = 4;
export const RULE_C = 5;
/** Index into the values: the constant, the period or shift, or the first of an indicator's parameters, which follow each other. */
export const RULE_VALUE = 6;
/** INDICATOR: kind + RULE_OUTPUT_UNIT * number of the output. EXPAND: the frame of `a`. VALUEWHEN: which one back, 0 is the last. */
export const RULE_EXTRA = 7;
export const RULE_INSTRUCTION_LENGTH = 8;

export const RULE_NONE = -1;
export const RULE_OUTPUT_UNIT = 256;

// --- Input columns of a frame ---

export const RULE_OPEN = 0;
export const RULE_HIGH = 1;
export const RULE_LOW = 2;
export const RULE_CLOSE = 3;
export const RULE_VOLUME = 4;
export const RULE_MARK = 5;
/** Rate of the last settlement that is known at the close. */
export const RULE_FUNDING = 6;
/** Hours from the close to the next settlement. */
export const RULE_FUNDING_IN = 7;
/** UTC, of the close. */
export const RULE_HOUR = 8;
/** UTC, of the close; 0 is Monday. */
export const RULE_WEEKDAY = 9;
export const RULE_NEWS = 10;
export const RULE_INPUT_COUNT = 11;

// --- Frame: i32[RULE_FRAME_LENGTH]. An absent input (address 0) is undefined at every candle. ---

export const RULE_FRAME_COUNT = 0;
/** Length of a candle, ms. */
export const RULE_FRAME_STEP_MS = 1;
/** Address of f64[count], opens in epoch ms. The five columns of a candle follow it, as the indicators read them. */
export const RULE_FRAME_TIME = 2;
/** Addresses of the input columns, in their order. */
export const RULE_FRAME_INPUTS = 3;
export const RULE_FRAME_LENGTH = 14; // RULE_FRAME_INPUTS + RULE_INPUT_COUNT

// --- Operations. A column is f64[count]; a condition is 1 (true), 0 (false) or NaN (undefined). ---
// Unless it says otherwise, a result is undefined (NaN) where any operand is. As a condition, any number but 0 and NaN is true.
// `n` is values[value], a whole number of candles. No operation reads a later candle.

/** values[value] at every candle. */
export const OP_CONST = 0;
export const OP_ADD = 1;
export const OP_SUB = 2;
export const OP_MUL = 3;
/** Undefined where b is 0. */
export const OP_DIV = 4;
export const OP_NEG = 5;
export const OP_ABS = 6;
export const OP_MIN = 7; // Math.min
export const OP_MAX = 8; // Math.max
/** Undefined below 0. */
export const OP_SQRT = 9;
export const OP_FLOOR = 10;
export const OP_CEIL = 11;
/** floor(a + 0.5). */
export const OP_ROUND = 12;
/** 1, -1, or 0 for either zero. */
export const OP_SIGN = 13;
export const OP_LT = 14;
export const OP_LE = 15;
export const OP_GT = 16;
export const OP_GE = 17;
export const OP_EQ = 18;
export const OP_NE = 19;
/** Kleene: 0 where either is false, else undefined where either is, else 1. */
export const OP_AND = 20;
/** Kleene: 1 where either is true, else undefined where either is, else 0. */
export const OP_OR = 21;
export const OP_NOT = 22;
/** b where a is true, c where it is false, undefined where a is; the branch that is not taken may be undefined. */
export const OP_IF = 23;
/** a of n candles before; n is 0..RULE_PERIOD_MAX, undefined at the first n candles. */
export const OP_SHIFT = 24;
/** The Kleene `and` of a > b and a[1] <= b[1]; at the first candle the second is undefined. */
export const OP_CROSSOVER = 25;
/** The Kleene `and` of a < b and a[1] >= b[1]. */
export const OP_CROSSUNDER = 26;
/** 1 where a is above the highest of its n previous values, else 0; undefined where any of the n + 1 is. n is 1..RULE_PERIOD_MAX here and below. */
export const OP_RISING = 27;
export const OP_FALLING = 28;
/** Highest of the n values that end with this candle; undefined where any of them is. */
export const OP_HIGHEST = 29;
export const OP_LOWEST = 30;
/** a - a[n]. */
export const OP_CHANGE = 31;
/**
 * Sum of the n values that end with candle i. ONE order of additions: let s = i - i % n. Then
 *   tail = 0; for j = s - 1 down to i - n + 1: tail = tail + d(j)
 *   head = 0; for j = s up to i:              head = head + d(j)
 * and the sum is tail + head, with d(j) = a[j]. Undefined where any of the values is, and at the first n - 1 candles.
 */
export const OP_SUM = 32;
/** a[s] + (tail + head) / n with d(j) = a[j] - a[s]: equal values have exactly their mean. */
export const OP_MEAN = 33;
/**
 * Deviation of the population: sqrt(max(0, (Q - S * S / n) / n)), S = tail + head of d(j) = a[j] - a[s], Q = tail + head of d(j) * d(j), the max as
 * Math.max. Where all values are equal it is exactly 0.
 */
export const OP_STDEV = 34;
/** 100 * k / n, k of the n values before this one being <= this one; undefined where any of the n + 1 is. */
export const OP_PERCENTRANK = 35;
/** Candles since a was last true: 0 on the candle itself, undefined before the first one. An undefined a is not true. */
export const OP_BARSSINCE = 36;
/** b at the candle of the last time a was true, or of `extra` times before that (0..RULE_OCCURRENCE_MAX); undefined before there is one. */
export const OP_VALUEWHEN = 37;
/** b where a is undefined, else a. */
export const OP_NZ = 38;
/**
 * An indicator of the registry by its kind. `a` is RULE_NONE, or its source for the kinds that read closes alone: it then starts at the first
 * finite value of `a` and is undefined from the first one after that on which is not finite.
 */
export const OP_INDICATOR = 39;
/** Frame 0 only: `a` of frame `extra` at its last candle that was closed at the close of the base candle (the rule of asOf). */
export const OP_EXPAND = 40;
export const RULE_OP_COUNT = 41;

// --- Outputs of a program: i32[RULE_OUTPUT_COUNT], operands of frame 0 or RULE_NONE ---

export const RULE_LONG = 0;
export const RULE_SHORT = 1;
export const RULE_EXIT_LONG = 2;
export const RULE_EXIT_SHORT = 3;
export const RULE_OUTPUT_COUNT = 4;

// --- Result columns, i8[count] ---

/** `signal` is 1 where only long is true, -1 where only short is, else 0. */
export const RULE_EXITS_LONG = 1; // bits of `exits`: leave a long position at the next open
export const RULE_EXITS_SHORT = 2;

// --- Bounds ---

export const RULE_INSTRUCTIONS_MAX = 512;
export const RULE_VALUES_MAX = 256;
export const RULE_REGISTERS_MAX = 48;
export const RULE_FRAMES_MAX = 4;
/** Longest period of rolling operations and shifts, candles; those of indicators have PERIOD_MAX of indicatorKinds.ts. */
export const RULE_PERIOD_MAX = 5000;
export const RULE_OCCURRENCE_MAX = 63;
/** Ranged parameters of a sweep. */
export const RULE_PARAMETERS_MAX = 8;
/** Sets of a grid. */
export const RULE_SETS_MAX = 1_000_000;
