// Read by asc and by tsc alike: plain constants only. Layouts of the optimiser; every struct but the market is a row of f64.

// --- Set: the parameters that one trial varies. Weights are whole tenths. ---

export const SET_WEIGHTS = 0; // 13 slots, in vote order
export const SET_ENTRY_THRESHOLD = 13;
export const SET_STOP_LOSS = 14;
export const SET_TAKE_PROFIT = 15;
export const SET_IS_TRAILING = 16; // 0 or 1
export const SET_CALLBACK = 17;
export const SET_STEP = 18;
export const SET_LENGTH = 19;

// --- Space: where sets are drawn from, SET_LENGTH rows. A value is a whole number over the divisor, so it is exact decimal. ---

export const SPACE_MIN = 0;
export const SPACE_MAX = 1;
export const SPACE_DIVISOR = 2;
export const SPACE_ROW_LENGTH = 3;

// --- Market: i32[MARKET_LENGTH], one symbol prepared for many sets. Addresses and counts; scratch included. ---

export const MARKET_FRAME = 0; // i32[FRAME_LENGTH] of abi/backtest.ts
export const MARKET_COUNT = 1;
export const MARKET_FIRST = 2; // i32[VOTE_COUNT]
export const MARKET_STATES = 3; // u8[7 * MARKET_STRIDE]: two votes of a bar as one of nine states
export const MARKET_STRIDE = 4;
export const MARKET_LOWS = 5; // i16, quantised; never reached where nothing trades
export const MARKET_HIGHS = 6;
export const MARKET_BARS = 7; // f64[count * BAR_LENGTH]
export const MARKET_FUNDED = 8; // i32[2 * count]: fundings up to the open of each bar, and up to its close
export const MARKET_HALVES = 9; // i8[2 * 21 * 16]: what each weight adds in each state, by vote of the pair
export const MARKET_TABLES = 10; // i8[7 * 16], of the set under way
export const MARKET_SCALE = 11; // f64[3]: middle price, steps per unit of price, lowest low
export const MARKET_RULES = 12; // f64[RULES_LENGTH], of the set under way
export const MARKET_POSITION = 13; // f64[POSITION_LENGTH]
export const MARKET_SET = 14; // f64[SET_LENGTH], of the set under way
export const MARKET_EQUITY = 15; // f64[count]
export const MARKET_DAILY = 16; // f64[count]
export const MARKET_DAY_LAST = 17; // i32[count]: last candle of the UTC day of each
export const MARKET_FUNDINGS = 18; // f64[2 * count + 4]: rate x mark of each funding, in order
export const MARKET_IS_STOP_FIRST = 19; // of the set under way: without a gap the stop is met before liquidation
export const MARKET_INTERVAL = 20; // f64: shortest time between two of the candles, ms
export const MARKET_LENGTH = 21;

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
/** From here on NaN unless the equity of each bar was asked for. */
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

/** Closed trades below which no target ranks a set: what one lucky trade shows is not a figure of a strategy. */
export const TRADES_MIN = 10;
/** A share of trades needs more of them than a sum. */
export const WIN_RATE_TRADES_MIN = 30;

/** Bars past the end that the vector loads may touch. */
export const MARKET_PADDING = 64;
