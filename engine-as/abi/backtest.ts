// Read by asc and by tsc alike: plain constants only. Codes of the simulator and the backtest; their records are in records.ts.

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

export const CLOSE_NONE = 0;
export const CLOSE_TAKE_PROFIT = 1;
export const CLOSE_STOP_LOSS = 2;
export const CLOSE_LIQUIDATION = 3;
export const CLOSE_END = 4;
export const CLOSE_TIME = 5;
export const CLOSE_SIGNAL = 6; // the opposite signal
export const CLOSE_RULE = 7; // an exit condition of own rules

/** Why an open position leaves at the next open, `isLeaving` of the position; 0: it stays. */
export const LEAVING_BY_SIGNAL = 1;
export const LEAVING_BY_RULE = 2;

/** What an opposite signal does to an open position. */
export const OPPOSITE_HOLD = 0; // counted as skipped
export const OPPOSITE_EXIT = 1; // the position leaves at the next open
export const OPPOSITE_REVERSE = 2; // and the other side is entered there

export const SIZING_FIXED = 0; // the notional of the rules
export const SIZING_RISK = 1; // as much of it as lets the stop lose the risk

/** Status codes of openPosition. */
export const OPEN_DONE = 1;
export const OPEN_TOO_SMALL = 0; // nothing left after rounding the quantity down, or less than the minimum notional allows
export const OPEN_MARGIN_SHORT = -1; // initial margin and entry fee exceed the available equity

export const STATISTIC_OK = 0;
export const STATISTIC_TOO_FEW_DAYS = 1;
export const STATISTIC_NO_VARIATION = 2; // of the returns (Sharpe), or no losing day (Sortino)
export const STATISTIC_RUINED = 3; // equity was not positive at the end of a day, so there is no return

/** Closed candles before a fill whose mean turnover and volatility judge its size. */
export const LIQUIDITY_BARS = 20;
/** Most that the size of a fill adds to its slippage, fraction of the price: so that no price reaches zero. */
export const IMPACT_MAX = 0.5;
/** A fill of a larger part of the turnover of its candle is warned of. */
export const TURNOVER_SHARE_WARNED = 0.01;

/** Minimum daily returns for annualised statistics. */
export const STATISTIC_DAYS_MIN = 30;
/** Minimum trades for statistics of their mean: below it every rate is mostly luck. */
export const ANALYSIS_TRADES_MIN = 30;

// --- Statuses beside those of abi/status.ts ---

/** The notional's tier allows less leverage, or the margin is below the maintenance margin from the start. */
export const STATUS_LEVERAGE_TOO_HIGH = 16;
