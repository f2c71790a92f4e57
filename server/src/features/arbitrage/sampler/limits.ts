/** What the sampler follows and keeps. docs/arbitrage.md states the bytes a day that follow. */

/** Net spread above which a pair is followed, percent. */
export const THRESHOLD_PCT = 0.02;
/** Days that episodes are kept. */
export const EPISODE_DAYS = 30;
/** Days that spreads of each minute are kept. */
export const SPREAD_DAYS = 3;
/** Episodes stored of one hour; further ones are counted. */
export const EPISODES_AN_HOUR = 80;
/** Coins whose spreads are stored. */
export const COINS_MAX = 200;
/** Hours until both legs are closed, for the funding in the net. */
export const HOLD_HOURS = 8;
/** Quotes of one second whose stamps differ by more are not compared: one may have moved before the other was sent. */
export const SAMPLE_SKEW_MS = 1500;
/** An episode goes on over seconds without a comparable quote, up to this; then its end was not seen. */
export const GAP_MS = 3500;
/** An episode is followed for so long; a longer one counts as one whose end was not seen. */
export const FOLLOW_MS = 3_600_000;
/** The next episode of a pair begins so long after the last one began: a spread that trembles at the threshold is one, not fifty. */
export const REST_MS = 600_000;
