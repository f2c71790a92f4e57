import { wilson } from '../core/wilson.ts';

/** The news vote of the ensemble, for the server that casts it and the browser that makes it again. docs/news.md is its text. */

/** A tagged story that may have a say. */
export interface VotingStory {
  /** Epoch ms. */
  firstSeenMs: number;
  pubDateMs: number;
  /** Sum of keyword weights: > 0 bullish, < 0 bearish. */
  sentiment: number;
  isHighImpact: boolean;
  /** Measured record of its source at the close, 0 to 1; 0 until there is one. */
  weight: number;
}

const HOUR_MS = 3_600_000;
/** Older stories have no say. */
export const NEWS_WINDOW_MS = 6 * HOUR_MS;
/** Least |strength| that is a vote. */
export const NEWS_STRENGTH_MIN = 0.1;
const HIGH_IMPACT_FACTOR = 1.5;
/** Reactions a source needs before its record counts. */
export const RECORD_MIN = 30;
/** Minutes after a story was first seen at which the reaction is measured. */
export const reactionMinutes = [15, 60, 240] as const;
/** A story first seen more minutes than this after publication is late: part of its move may be over before it is measured. */
export const FRESH_MINUTES = 30;
/** Symbols of one story whose reactions are measured. */
export const SYMBOLS_MEASURED = 3;

/**
 * Weight of a source's measured track record, 0 to 1: how far the share of its stories that moved as predicted is above 50 %, with 95 %
 * confidence. 0 below 30 stories, and for a record that could be chance.
 */
export const recordWeight = (hits: number, count: number): number =>
  count < RECORD_MIN ? 0 : Math.max(0, 2 * (wilson(hits, count)?.low ?? 0) - 1);

/** What one story adds at `closeMs`; 0 when it was first seen later, is too old or has no direction. */
export function storyShare(story: VotingStory, closeMs: number): number {
  const ageMs = closeMs - Math.min(story.firstSeenMs, story.pubDateMs);
  if (story.firstSeenMs > closeMs || ageMs > NEWS_WINDOW_MS) return 0;
  const freshness = 1 - ageMs / NEWS_WINDOW_MS;
  return Math.sign(story.sentiment) * story.weight * freshness * (story.isHighImpact ? HIGH_IMPACT_FACTOR : 1);
}

export interface NewsOpinion {
  /** Undefined: no say, and its weight does not count. */
  vote: -1 | 1 | undefined;
  /** Sum of the shares. */
  strength: number;
}

/** The vote at the close of a candle from the stories first seen by then. Sums in the order given. */
export function newsOpinion(stories: readonly VotingStory[], closeMs: number): NewsOpinion {
  const strength = stories.reduce((sum, story) => sum + storyShare(story, closeMs), 0);
  if (Math.abs(strength) < NEWS_STRENGTH_MIN) return { vote: undefined, strength };
  return { vote: strength > 0 ? 1 : -1, strength };
}
