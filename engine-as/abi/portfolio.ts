// Read by asc and by tsc alike: plain constants only. Codes of one account over many symbols; its records are in records.ts.

/** Most symbols of one account. */
export const PORTFOLIO_SYMBOLS_MAX = 128;

// Why the account skipped a signal that the rules of its symbol would have entered, in the order in which they are checked. Signals of a
// symbol whose position is open, without volume or too small for an order are counted in the summary of the symbol.
export const SKIP_POSITIONS_WANTED = 0; // as many openings in this candle as are allowed
export const SKIP_MAX_CONCURRENT = 1;
export const SKIP_DAILY_LOSS = 2;
export const SKIP_STOP_STREAK = 3;
export const SKIP_DRAWDOWN = 4;
export const SKIP_STOP_BEYOND_LIQUIDATION = 5;
export const SKIP_GROSS = 6;
export const SKIP_NET = 7;
export const SKIP_STOP_LOSSES = 8;
export const ACCOUNT_SKIP_COUNT = 9;

export const SKIP_NONE = -1;
