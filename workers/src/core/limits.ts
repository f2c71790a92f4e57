/** Limits that server and page share. Limits of one side are declared where they are used. */

/** Characters of a password. */
export const PASSWORD_LENGTH_MIN = 6;
/** Size of an uploaded picture, in the unit of the texts and in bytes. */
export const IMAGE_MIB_MAX = 2;
export const IMAGE_BYTES_MAX = IMAGE_MIB_MAX * 1024 * 1024;
/** Error message for a larger picture, in the API and on the page. */
export const imageTooLargeText = `The image is larger than ${IMAGE_MIB_MAX} MB.`;
/** Characters of the name that a profile shows. */
export const DISPLAY_NAME_MAX = 50;
/** Characters of the text about oneself that a profile shows. */
export const BIO_MAX = 1000;
/** Characters of the name of a saved run or strategy. */
export const SAVED_NAME_MAX = 60;
/** Characters of a question to the help assistant. */
export const QUESTION_MAX = 1000;
/** Symbols of a whitelist or blacklist. */
export const LISTED_SYMBOLS_MAX = 1000;
/** Exchange candles of one run on the server; of a younger market it runs on what there is. */
export const RUN_CANDLES_MIN = 100;
export const RUN_CANDLES_MAX = 10_000;
/** The same of a shared run, which needs no account. */
export const SHARED_CANDLES_MAX = 5000;
/** Own candles of one run, in a file or a request: 200,000 rows of six columns fit the route's body limit. */
export const OWN_CANDLES_MAX = 200_000;
/** Rows of a candle file that the page and the command line read, and its bytes. */
export const FILE_CANDLES_MAX = 1_000_000;
export const FILE_BYTES_MAX = 160 * 1024 * 1024;
/** Minimum candles of a history that the lab loads from an exchange: fewer leave too few to warm up on before the scored ones. */
export const HISTORY_CANDLES_MIN = 600;
export const HISTORY_CANDLES_MAX = 100_000;
/** Candles of one task: bounds its memory and time; the engine's own tests reach a million. */
export const TASK_CANDLES_MAX = 2_000_000;
/** Candles of one response of the market API. */
export const KLINES_MAX = 1000;
/** Symbols of one request for prices. */
export const SYMBOLS_IN_BATCH_MAX = 12;
/** Candles and minutes of one request for minutes. */
export const MINUTE_BARS_MAX = 120;
export const MINUTES_MAX = 7200;
/** Days that one response of settled fundings goes back. */
export const FUNDING_DAYS_MAX = 400;
/** Targets of a position, each of which closes a share of it. */
export const TARGETS_MAX = 3;
/** Unread stories that are analysed, newest first. */
export const NEWS_ANALYSED = 6;
/** Symbols that the stories of the news page can be limited to. */
export const NEWS_SYMBOLS_MAX = 50;
/** Time between two automatic scans: those of the open page, and those of the server while the user is away. */
export const AUTO_SCAN_MINUTES = 10;
/** Oldest price that values or closes an open position on the server, where prices arrive as they change. */
export const SERVER_PRICE_AGE_MS_MAX = 15_000;
/** Oldest price that values one on the page, which fetches every 30 s at the slowest: two responses may be missed. */
export const PAGE_PRICE_AGE_MS_MAX = 90_000;
/** Minutes for which a step-up proof allows sensitive actions. */
export const STEP_UP_MINUTES = 10;
/** Hours that a pending payment is searched back. */
export const PENDING_PAYMENT_HOURS = 1;
/** From here on the confidence of a position counts as high. */
export const HIGH_CONFIDENCE = 0.7;
/** Spreads in percent from which on the badge of a pair, and above which the scan, is called high or medium. */
export const SPREAD_HIGH_PCT = 0.5;
export const SPREAD_MEDIUM_PCT = 0.2;

/** Most sets of one account in a task. */
export const PORTFOLIO_SETS_MAX = 20_000;
