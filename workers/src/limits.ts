/** Limits that server and page both apply. Those of one side alone stand where they are used. */

/** Characters of a password. */
export const PASSWORD_LENGTH_MIN = 6;
/** Bytes of an uploaded picture. */
export const IMAGE_BYTES_MAX = 2 * 1024 * 1024;
/** Characters of the name that a profile shows. */
export const DISPLAY_NAME_MAX = 50;
/** Characters of the name of a saved run or strategy. */
export const SAVED_NAME_MAX = 60;
/** Symbols of a whitelist or blacklist. */
export const LISTED_SYMBOLS_MAX = 1000;
/** Exchange candles of one run on the server. */
export const RUN_CANDLES_MAX = 10_000;
/** The same of a shared run, which needs no account. */
export const SHARED_CANDLES_MAX = 5000;
/** Candles of one task: bounds its memory and time; the engine's own tests reach a million. */
export const TASK_CANDLES_MAX = 2_000_000;
/** Symbols that the stories of the news page can be limited to. */
export const NEWS_SYMBOLS_MAX = 50;
/** Between two scans that start by themselves: those of the open page, and those of the server while the user is away. */
export const AUTO_SCAN_MINUTES = 10;
/** Oldest price that values or closes an open position on the server, where prices arrive as they change. */
export const SERVER_PRICE_AGE_MS_MAX = 15_000;
/** Oldest price that values one on the page, which asks every 30 s at the slowest: two answers may be missed. */
export const PAGE_PRICE_AGE_MS_MAX = 90_000;
/** Minutes in which a proof of who the user is opens sensitive acts. */
export const STEP_UP_MINUTES = 10;
/** A pending payment is sought among those of so many hours. */
export const PENDING_PAYMENT_HOURS = 1;
/** From here on the confidence of a position counts as high. */
export const HIGH_CONFIDENCE = 0.7;
