// Read by asc and by tsc alike: plain constants only. The struct layouts of the simulator and the backtest.
//
// Every struct is a row of f64 slots (8 bytes, little endian), so that the same bytes are what the host reads, what is hashed
// and what a debugger shows. Slot names below; units are those of workers/src/protocol.ts.

// --- Rules: one set of strategy parameters with the costs. Everything a run depends on besides its columns. ---

export const RULE_ENTRY_THRESHOLD = 0;
export const RULE_STOP_LOSS_FRACTION = 1;
export const RULE_TAKE_PROFIT_FRACTION = 2;
export const RULE_TRAILING_MODE = 3;
export const RULE_TRAILING_CALLBACK = 4; // fraction of the best price (percent mode)
export const RULE_TRAILING_STEP = 5; // fraction of the entry price
export const RULE_TRAILING_ATR_MULTIPLIER = 6; // ATR mode
export const RULE_TRAILING_ACTIVATION = 7; // fraction of the entry price; 0: from the first completed bar
export const RULE_HOLDING_BARS_MAX = 8; // 0: no time barrier
export const RULE_TAKER_FEE = 9;
export const RULE_MAKER_FEE = 10;
export const RULE_SLIPPAGE = 11;
export const RULE_STOP_SLIPPAGE = 12;
export const RULE_TARGET_ORDER = 13;
export const RULE_INITIAL_EQUITY = 14;
export const RULE_NOTIONAL = 15;
export const RULE_LEVERAGE = 16;
export const RULE_MAINTENANCE_MARGIN = 17;
export const RULE_MAINTENANCE_AMOUNT = 18; // quote currency, the deduction of the tier
export const RULE_LIQUIDATION_MODEL = 19;
export const RULE_TICK_SIZE = 20; // 0: prices are not rounded
export const RULE_STEP_SIZE = 21; // 0: quantities are not rounded
export const RULE_MIN_NOTIONAL = 22; // 0: no minimum
export const RULE_IS_TARGET_FIRST = 23; // 1: the target is taken first in ambiguous bars, 0: the loss is
export const RULE_SCORED_COUNT = 24;
export const RULE_FUNDING_SOURCE = 25;
export const RULE_ASSUMED_FUNDING = 26; // what longs pay at 0, 8 and 16 h UTC, fraction of notional; FUNDING_ASSUMED only
export const RULES_LENGTH = 27;

export const TRAILING_OFF = 0;
export const TRAILING_PERCENT = 1;
export const TRAILING_ATR = 2;

export const TARGET_MARKET = 0;
export const TARGET_LIMIT = 1;

export const FUNDING_HISTORY = 0; // the stamps of the frame
export const FUNDING_ASSUMED = 1; // one rate at fixed hours
export const FUNDING_OFF = 2;

export const LIQUIDATION_BINANCE = 0;
export const LIQUIDATION_BYBIT = 1;
export const LIQUIDATION_OKX = 2;

// --- Tiers: f64[count * TIER_LENGTH], notional floors ascending, the first 0. Count 0: the two rates of the rules. ---

export const TIER_NOTIONAL_FLOOR = 0; // the tier holds for notionals >= this
export const TIER_MAINTENANCE_MARGIN = 1;
export const TIER_MAINTENANCE_AMOUNT = 2;
export const TIER_LEVERAGE_MAX = 3;
export const TIER_LENGTH = 4;

// --- Bar: what one step sees. A tick is a bar whose four prices are equal. ---

export const BAR_TIME = 0;
export const BAR_OPEN = 1;
export const BAR_HIGH = 2;
export const BAR_LOW = 3;
export const BAR_CLOSE = 4;
export const BAR_VOLUME = 5; // 0: nothing can be filled in this bar
export const BAR_MARK_OPEN = 6; // the bar's own prices when there is no mark price
export const BAR_MARK_HIGH = 7;
export const BAR_MARK_LOW = 8;
export const BAR_ATR = 9; // of this bar, known at its close; NaN when not defined
export const BAR_FUNDING_AT_OPEN = 10; // sum of mark price x rate over the stamps at the open
export const BAR_FUNDING_INSIDE = 11; // the same over the stamps after the open
export const BAR_LENGTH = 12;

// --- Position ---

export const POSITION_SIDE = 0; // 1 long, -1 short, 0 none
export const POSITION_ENTRY_TIME = 1;
export const POSITION_ENTRY_PRICE = 2; // the fill, slippage included
export const POSITION_QUANTITY = 3;
export const POSITION_MARGIN = 4;
export const POSITION_STOP_PRICE = 5;
export const POSITION_TARGET_PRICE = 6;
export const POSITION_LIQUIDATION_PRICE = 7; // NaN: none
export const POSITION_BEST_PRICE = 8;
export const POSITION_WORST_PRICE = 9;
export const POSITION_BARS_HELD = 10; // completed bars
export const POSITION_FEES = 11;
export const POSITION_FUNDING = 12; // paid is positive
export const POSITION_SLIPPAGE = 13;
export const POSITION_CLOSE_REASON = 14; // CLOSE_*
export const POSITION_EXIT_TIME = 15;
export const POSITION_EXIT_PRICE = 16;
export const POSITION_IS_AMBIGUOUS = 17;
export const POSITION_LENGTH = 18;

export const CLOSE_NONE = 0;
export const CLOSE_TAKE_PROFIT = 1;
export const CLOSE_STOP_LOSS = 2;
export const CLOSE_LIQUIDATION = 3;
export const CLOSE_END = 4;
export const CLOSE_TIME = 5;

/** Status codes of openPosition. */
export const OPEN_DONE = 1;
export const OPEN_TOO_SMALL = 0; // nothing left after rounding the quantity down, or less than the minimum notional
export const OPEN_MARGIN_SHORT = -1; // initial margin and entry fee exceed the available equity

// --- Trade: 22 slots, 176 bytes, a multiple of the arena's 16-byte alignment, so that trades reserved one by one adjoin ---

export const TRADE_SIDE = 0;
export const TRADE_ENTRY_INDEX = 1;
export const TRADE_EXIT_INDEX = 2;
export const TRADE_ENTRY_TIME = 3;
export const TRADE_EXIT_TIME = 4;
export const TRADE_ENTRY_PRICE = 5;
export const TRADE_EXIT_PRICE = 6;
export const TRADE_QUANTITY = 7;
export const TRADE_CLOSE_REASON = 8;
export const TRADE_GROSS_PNL = 9;
export const TRADE_FEES = 10;
export const TRADE_FUNDING = 11;
export const TRADE_SLIPPAGE = 12;
export const TRADE_NET_PNL = 13;
export const TRADE_RETURN_ON_MARGIN = 14;
export const TRADE_IS_AMBIGUOUS = 15;
export const TRADE_ADVERSE_EXCURSION = 16;
export const TRADE_FAVOURABLE_EXCURSION = 17;
export const TRADE_STOP_PRICE = 18; // in force at the exit
export const TRADE_TARGET_PRICE = 19;
export const TRADE_LIQUIDATION_PRICE = 20;
export const TRADE_MARGIN = 21;
export const TRADE_LENGTH = 22;

// --- Summary ---

export const SUMMARY_LOADED_COUNT = 0;
export const SUMMARY_SCORED_COUNT = 1;
export const SUMMARY_TRADE_COUNT = 2;
export const SUMMARY_LONG_COUNT = 3;
export const SUMMARY_SHORT_COUNT = 4;
export const SUMMARY_FORCED_CLOSE_COUNT = 5;
export const SUMMARY_LIQUIDATION_COUNT = 6;
export const SUMMARY_SKIPPED_SIGNAL_COUNT = 7;
/** Signals that were dropped, by reason. */
export const SUMMARY_DROPPED_NO_VOLUME_COUNT = 8;
export const SUMMARY_DROPPED_TOO_SMALL_COUNT = 9;
export const SUMMARY_DROPPED_MARGIN_COUNT = 10;
export const SUMMARY_STOP_BEYOND_LIQUIDATION_COUNT = 11;
export const SUMMARY_AMBIGUOUS_COUNT = 12;
export const SUMMARY_HELD_BAR_COUNT = 13;
export const SUMMARY_NET_PNL = 14;
export const SUMMARY_GROSS_PNL = 15;
export const SUMMARY_FEES = 16;
export const SUMMARY_FUNDING = 17;
export const SUMMARY_SLIPPAGE = 18;
export const SUMMARY_IS_FUNDING_KNOWN = 19;
export const SUMMARY_WIN_RATE = 20; // NaN: there is none
export const SUMMARY_MAX_DRAWDOWN = 21;
export const SUMMARY_PROFIT_FACTOR = 22;
export const SUMMARY_EXPECTANCY = 23;
export const SUMMARY_EXPOSURE = 24;
export const SUMMARY_DAY_COUNT = 25;
export const SUMMARY_SHARPE = 26;
export const SUMMARY_SHARPE_STATE = 27; // STATISTIC_*
export const SUMMARY_SHARPE_ERROR = 28;
export const SUMMARY_SORTINO = 29;
export const SUMMARY_SORTINO_STATE = 30;
export const SUMMARY_OPTIMISTIC_NET_PNL = 31;
export const SUMMARY_AMBIGUOUS_FRACTION = 32;
export const SUMMARY_BUY_AND_HOLD = 33;
export const SUMMARY_RUIN_INDEX = 34; // loaded candle in which the last equity was lost; NaN: never
export const SUMMARY_GAP_COUNT = 35; // holes in the loaded candles, and how many candles are missing in them
export const SUMMARY_MISSING_CANDLE_COUNT = 36;
export const SUMMARY_PESSIMISTIC_NET_PNL = 37;
export const SUMMARY_LENGTH = 38;

export const STATISTIC_OK = 0;
export const STATISTIC_TOO_FEW_DAYS = 1;
export const STATISTIC_NO_VARIATION = 2; // of the returns (Sharpe), or no losing day (Sortino)
export const STATISTIC_RUINED = 3; // equity was not positive at the end of a day, so there is no return

/** Daily returns below this number say nothing about a year. */
export const STATISTIC_DAYS_MIN = 30;

// --- Frame: i32[FRAME_LENGTH], the addresses and counts of one run. Columns are f64[count]; 0 marks an absent one. ---

export const FRAME_COUNT = 0;
export const FRAME_TIME = 1;
export const FRAME_OPEN = 2;
export const FRAME_HIGH = 3;
export const FRAME_LOW = 4;
export const FRAME_CLOSE = 5;
export const FRAME_VOLUME = 6;
export const FRAME_SCORE = 7;
export const FRAME_ATR = 8;
export const FRAME_MARK_OPEN = 9;
export const FRAME_MARK_HIGH = 10;
export const FRAME_MARK_LOW = 11;
export const FRAME_FUNDING_COUNT = 12; // -1: there is no funding history
export const FRAME_FUNDING_TIME = 13;
export const FRAME_FUNDING_RATE = 14;
export const FRAME_FUNDING_MARK = 15;
/** Finer candles that settle ambiguous bars; each has six columns like the candles. */
export const FRAME_FINE_COUNT = 16;
export const FRAME_FINE_TIME = 17;
export const FRAME_FINE_OPEN = 18;
export const FRAME_FINE_HIGH = 19;
export const FRAME_FINE_LOW = 20;
export const FRAME_FINE_CLOSE = 21;
export const FRAME_FINE_VOLUME = 22;
export const FRAME_TIER_COUNT = 23;
export const FRAME_TIERS = 24;
export const FRAME_RULES = 25;
/** Outputs. The equity column holds RULE_SCORED_COUNT values, the summary SUMMARY_LENGTH. */
export const FRAME_EQUITY = 26;
export const FRAME_SUMMARY = 27;
/** Written by the run: address of f64[trades * TRADE_LENGTH], the count is in the summary. */
export const FRAME_TRADES = 28;
/** Scratch of the run itself; the host leaves these slots alone. */
export const FRAME_BAR = 29;
export const FRAME_POSITION = 30;
export const FRAME_PARTS = 31;
export const FRAME_FUNDING_AT_OPEN = 32;
export const FRAME_FUNDING_INSIDE = 33;
export const FRAME_CLOCK = 34; // f64[CLOCK_LENGTH]
export const FRAME_LENGTH = 35;

// --- Clock: the intervals of the candles and of the finer candles seen so far, ms; NaN while a single one shows none ---

export const CLOCK_INTERVAL = 0;
export const CLOCK_FINE_INTERVAL = 1;
export const CLOCK_SEEN = 2; // index of the last candle that is in it
export const CLOCK_FINE_SEEN = 3;
export const CLOCK_LENGTH = 4;

// --- Statuses beside those of abi/status.ts ---

/** The notional's tier allows less leverage, or the margin is below the maintenance margin from the start. */
export const STATUS_LEVERAGE_TOO_HIGH = 16;
