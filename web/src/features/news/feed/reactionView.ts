import { MINUTE_MS } from '@sextant/engine-as/abi/intervals.ts';
import type { NewsReaction, NewsStory } from '../../../api/types.ts';

/** Minutes after a story was first seen, with the words of their columns. */
export const horizons = [
  { minutes: 15, label: '+15m' },
  { minutes: 60, label: '+1h' },
  { minutes: 240, label: '+4h' },
] as const;

/** A story that its feed brought later than this is not measured (docs/news.md). */
const LATE_MINUTES = 30;
/** Symbols of one story that are measured. */
const SYMBOLS_MEASURED = 3;

export type Cell = { state: 'measured'; reaction: NewsReaction } | { state: 'due'; atMs: number } | { state: 'none' };

export interface ReactionRow {
  symbol: string;
  cells: Cell[];
}

export const isLate = ({ pub_date: told, first_seen_at: seen }: NewsStory): boolean =>
  Date.parse(seen) - Date.parse(told) > LATE_MINUTES * MINUTE_MS;

/** What each tagged symbol did after the story, or when it will be known. */
export function reactionRows(story: NewsStory, nowMs: number): ReactionRow[] {
  const seenMs = Date.parse(story.first_seen_at);
  return story.symbols.slice(0, SYMBOLS_MEASURED).map((symbol) => ({
    symbol,
    cells: horizons.map(({ minutes }): Cell => {
      const reaction = story.reactions.find((each) => each.symbol === symbol && each.horizon_minutes === minutes);
      if (reaction !== undefined) return { state: 'measured', reaction };
      const atMs = seenMs + minutes * MINUTE_MS;
      return !isLate(story) && atMs > nowMs ? { state: 'due', atMs } : { state: 'none' };
    }),
  }));
}
