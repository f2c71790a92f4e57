import type { z } from 'zod';
import { wilson } from '@sextant/workers/src/core/wilson.ts';
import { HORIZON_CANDLES, OUTCOMES_MIN, VIEWS_MIN, type VisionStatistics } from './contract.ts';
import { patternTitle } from './rules.ts';
import type { FollowedCount } from './viewRecords.ts';
import type { OutcomeRow } from './visionRepository.ts';

type Whole = z.input<typeof VisionStatistics>;
type Statistics = Omit<Whole, 'records' | 'installation'>;

const shareOf = (rows: readonly OutcomeRow[]) => {
  const wins = rows.filter(({ netPnl }) => netPnl > 0).length;
  return {
    count: rows.length,
    win_count: wins,
    win_share: wins / rows.length,
    mean_roi_pct: rows.reduce((sum, { roiPct }) => sum + roiPct, 0) / rows.length,
    net_pnl: rows.reduce((sum, { netPnl }) => sum + netPnl, 0),
  };
};

/** Figures of the closed positions that analyses opened, by pattern and by sentiment. Empty lists until there are enough. */
export function statisticsOf(rows: readonly OutcomeRow[]): Statistics {
  const base = { closed_count: rows.length, needed: OUTCOMES_MIN };
  if (rows.length < OUTCOMES_MIN) return { ...base, patterns: [], sentiments: [] };
  const ids = [...new Set(rows.flatMap(({ patterns }) => patterns))];
  const patterns = ids
    .map((id) => ({ id, title: patternTitle(id), ...shareOf(rows.filter((row) => row.patterns.includes(id))) }))
    .sort((a, b) => b.count - a.count || (a.id < b.id ? -1 : 1));
  const sentiments = (['bullish', 'bearish'] as const).flatMap((sentiment) => {
    const own = rows.filter((row) => row.sentiment === sentiment);
    return own.length === 0 ? [] : [{ sentiment, ...shareOf(own) }];
  });
  return { ...base, patterns, sentiments };
}

const followedWire = ({ count, rightCount }: FollowedCount) => {
  const range = wilson(rightCount, count);
  return { count, right_count: rightCount, right_low: range?.low ?? null, right_high: range?.high ?? null };
};

/** Moves after the analyses of the whole installation. */
export function installationOf(counts: readonly FollowedCount[]): Whole['installation'] {
  const isSentiment = ({ name }: FollowedCount): boolean => name === 'sentiment';
  return {
    needed: VIEWS_MIN,
    horizon_candles: HORIZON_CANDLES,
    patterns: counts
      .filter((each) => !isSentiment(each))
      .map((each) => ({
        id: each.name,
        title: patternTitle(each.name),
        direction: each.direction,
        ...followedWire(each),
      })),
    sentiments: counts.filter(isSentiment).map((each) => ({ sentiment: each.direction, ...followedWire(each) })),
  };
}
