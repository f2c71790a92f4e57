/** Limits of the sampler. docs/arbitrage.md states the resulting bytes a day. */

/** Net spread above which a pair is followed, percent. */
export const THRESHOLD_PCT = 0.02;
/** Days that episodes are stored. */
export const EPISODE_DAYS = 30;
/** Days that spreads of each minute are stored. */
export const SPREAD_DAYS = 3;
/** Episodes stored per hour; further ones are only counted. */
export const EPISODES_AN_HOUR = 80;
/** Coins whose spreads are stored. */
export const COINS_MAX = 200;
/** Hours until both legs are closed, for the funding in the net. */
export const HOLD_HOURS = 8;
/** Quotes of one second whose timestamps differ by more are not compared: one may have moved before the other was sent. */
export const SAMPLE_SKEW_MS = 1500;
/** Maximum gap without a comparable quote in an episode; after a longer gap its end counts as not observed. */
export const GAP_MS = 3500;
/** Maximum time an episode is followed; the end of a longer one counts as not observed. */
export const FOLLOW_MS = 3_600_000;
/** Minimum time between the starts of two episodes of a pair: a spread that oscillates around the threshold is one episode, not fifty. */
export const REST_MS = 600_000;
