import { type FormationEntry, formationRegistry } from '@sextant/engine-as/abi/formations.ts';
import { type PatternEntry, patternRegistry } from '@sextant/engine-as/abi/patterns.ts';
import type { PatternHit, PatternRecordResult } from '@sextant/workers/src/protocol/vision.ts';
import type { RiskLabel } from '@sextant/workers/src/protocol/ensemble.ts';
import { GROUND_CLOSES_MIN } from '@sextant/workers/src/vision/ground.ts';
import { wilson } from '@sextant/workers/src/core/wilson.ts';
import { MODEL_REFUNDS_PER_DAY, PATTERNS_MAX, VIEWS_MIN, type VisionResult } from './contract.ts';

/** Rules of a chart analysis that need neither market nor database. Described in docs/vision.md. */

export type Direction = VisionResult['direction'];
export type Levels = VisionResult['levels'];
type WirePattern = VisionResult['patterns'][number];

/** A level farther from the entry is a misreading. */
const DISTANCE_FRACTION_MAX = 0.5;

/** Why levels are unusable; null when they are usable. Low and high: the visible or market range, extended by its own height. */
export function levelProblem(
  direction: Direction,
  { entry, sl, tp }: Levels,
  range: { low: number; high: number } | null,
): 'neutral' | 'missing' | 'order' | 'range' | null {
  if (direction === 'NEUTRAL') return 'neutral';
  if (!isPrice(entry) || !isPrice(sl) || !isPrice(tp)) return 'missing';
  const side = direction === 'LONG' ? 1 : -1;
  if (!(side * sl < side * entry && side * entry < side * tp)) return 'order';
  const isFar = [sl, tp].some((level) => Math.abs(level / entry - 1) > DISTANCE_FRACTION_MAX);
  if (isFar) return 'range';
  if (range === null) return null;
  const height = range.high - range.low;
  const isOutside = [entry, sl, tp].some((level) => level < range.low - height || level > range.high + height);
  return isOutside ? 'range' : null;
}

const isPrice = (value: number | null): value is number => value !== null && Number.isFinite(value) && value > 0;

const riskOfLabel: Record<RiskLabel, number> = { LOW: 2, STANDARD: 4, HIGH: 6, EXTREME: 8 };

/** 0 (low) to 10: by the stop distance, the longer intervals, patterns against the direction, and missing verification. */
export function riskScoreOf(of: {
  label: RiskLabel;
  isVerified: boolean;
  /** Number of intervals that agree with the direction, and that oppose it. */
  agreeing: number;
  opposing: number;
  /** Patterns of the last candles against the direction. */
  patternsAgainst: number;
}): number {
  const { label, isVerified, agreeing, opposing, patternsAgainst } = of;
  const score =
    riskOfLabel[label] +
    Math.min(2, opposing) +
    Math.min(1, patternsAgainst) +
    (isVerified ? 0 : 1) -
    (agreeing === 3 ? 1 : 0);
  return Math.min(10, Math.max(0, score));
}

const entries = new Map<string, PatternEntry | FormationEntry>(
  [...patternRegistry, ...formationRegistry].map((entry) => [entry.id, entry]),
);

export const patternTitle = (id: string): string => entries.get(id)?.title ?? id;

/** Whether a pattern says where the price goes. */
export const hasDirection = (id: string): boolean => (entries.get(id)?.lean ?? 'neutral') !== 'neutral';

/** A pattern that only describes a candle has no direction, whatever its sign. */
const leanOf = ({ id, value }: PatternHit): WirePattern['direction'] =>
  entries.get(id)?.lean === 'neutral' ? 'neutral' : value > 0 ? 'bullish' : 'bearish';

/** Maximum listed formations, to leave space for candlestick patterns. */
const FORMATIONS_MAX = 4;

/** Formations first, then candlestick patterns with a direction, then descriptive ones; the newest of each first. */
export function patternsOf(
  hits: readonly PatternHit[],
  record: (PatternRecordResult & { interval: string }) | null,
): WirePattern[] {
  const isNeutral = (hit: PatternHit): number => Number(leanOf(hit) === 'neutral');
  const sorted = [...hits].sort((a, b) => isNeutral(a) - isNeutral(b) || b.index - a.index || (a.id < b.id ? -1 : 1));
  const formations = sorted.filter(({ points }) => points !== undefined).slice(0, FORMATIONS_MAX);
  return [...formations, ...sorted.filter(({ points }) => points === undefined)].slice(0, PATTERNS_MAX).map((hit) => ({
    id: hit.id,
    title: patternTitle(hit.id),
    direction: leanOf(hit),
    index: hit.index,
    points: (hit.points ?? []).filter(({ index }) => index >= 0),
    drawn: drawnOf(hit),
    record: recordOf(hit, record),
  }));
}

function drawnOf({ id }: PatternHit): WirePattern['drawn'] {
  const entry = entries.get(id);
  return entry !== undefined && 'drawn' in entry ? entry.drawn : 'candle';
}

function recordOf(hit: PatternHit, record: (PatternRecordResult & { interval: string }) | null): WirePattern['record'] {
  if (record === null || record.all.count === 0 || leanOf(hit) === 'neutral') return null;
  const isBullish = hit.value > 0;
  const { count, followedCount } = record.patterns[hit.id]?.[isBullish ? 'bullish' : 'bearish'] ?? none;
  // Cases that overlap, in a series or across symbols, are one event of the market: at most one for each span of the horizon.
  const spanCount = Math.max(1, Math.floor(record.all.count / record.seriesCount / record.horizonCount));
  const range = wilson(followedCount, count, Math.min(count, spanCount));
  const base = (isBullish ? record.all.higherCount : record.all.lowerCount) / record.all.count;
  return {
    interval: record.interval,
    horizon_candles: record.horizonCount,
    count,
    followed_share: count === 0 ? null : followedCount / count,
    followed_low: range?.low ?? null,
    followed_high: range?.high ?? null,
    base_share: base,
    beats_base: count >= VIEWS_MIN && range !== null && range.low > base,
    series: record.seriesCount,
  };
}
const none = { count: 0, followedCount: 0 };

/** Contradictions between the text of a picture and its candles. */
export function contradictionOf(
  title: { symbol: string | null; interval: string | null },
  result: { symbol: string; interval: string } | null,
): string | null {
  if (result === null) return null;
  const parts = [
    title.symbol !== null && title.symbol !== result.symbol ? title.symbol : null,
    title.interval !== null && title.interval !== result.interval ? title.interval : null,
  ].filter((part) => part !== null);
  if (parts.length === 0) return null;
  return `The title says ${parts.join(' ')}; the candles match ${result.symbol} ${result.interval}.`;
}

export const refundMessages = {
  notAChart: 'No chart found in the picture. Your credit was returned.',
  tooFewCandles: (count: number) =>
    `Only ${count} candles found. Show at least ${GROUND_CLOSES_MIN}. Your credit was returned.`,
  unverified: 'No market matches this picture. Show newer candles of a listed market. Your credit was returned.',
  tooFewToVerify: (count: number) =>
    `Only ${count} candles read. Show at least ${GROUND_CLOSES_MIN} to find the market. Your credit was returned.`,
  neutral: 'The analysis is neutral. Your credit was returned.',
  tooFew: 'Too few candles for an analysis. Show more. Your credit was returned.',
  badLevels: 'The analysis has invalid levels. Your credit was returned.',
  modelFailed: 'The AI model failed. Showing the rules only; no position opens. Your credit was returned.',
  refundsUsed: `Limit reached (${MODEL_REFUNDS_PER_DAY} refunds for unusable AI responses today). This rules view costs its credit.`,
} as const;
