import { calibrated } from '@sextant/workers/src/signals/calibration.ts';
import type { ConfidenceBasis, ScanSignal } from '../api/types.ts';
import { formatChance, formatCount, formatFixed, formatPercent } from './number.ts';

/** Confidence as text: its meaning, its sample, and the expected return. */

/** @param confidence 0 to 1; 0.62 is `62.0 %`, 1 is `> 99.9 %`: nothing is certain */
export const confidenceText = (confidence: number | null): string => formatChance(confidence, 1);

/** The raw value beside a measured chance: `57.0`, on 0 to 100. */
export const scoreText = ({ raw_confidence: raw }: Pick<ScanSignal, 'raw_confidence'>): string =>
  formatFixed(raw * 100, 1);

type Stated = Pick<ScanSignal, 'confidence' | 'confidence_kind' | 'raw_confidence' | 'direction' | 'contributions'>;

/** Whether own rules made a signal: a rule decides as a whole, without votes. */
export const isOfRule = ({ direction, contributions }: Pick<Stated, 'direction' | 'contributions'>): boolean =>
  direction !== 'NEUTRAL' && contributions.length === 0;

/** The confidence of a signal. A rule has no degrees: until its chance is measured its score is 100, which is no percent. */
export const statedText = (signal: Stated): string =>
  signal.confidence_kind === 'score' && isOfRule(signal)
    ? `score ${scoreText(signal).replace(/\.0$/, '')}`
    : confidenceText(signal.confidence);

/** A confidence without its kind. No measured chance is exactly 1: that is the score of own rules. */
export const listedText = (confidence: number | null): string =>
  confidence === 1 ? 'score 100' : confidenceText(confidence);

type Measured = Pick<ScanSignal, 'chance' | 'chance_n' | 'chance_origin' | 'expected_net_pct'>;

/** `+0.12 %` of the entry price, by live outcomes or else by replayed ones; or a text that it is not measured. */
export const expectedText = ({
  expected_net_fraction: live,
  expected_net_pct: pct,
}: Pick<ScanSignal, 'expected_net_fraction' | 'expected_net_pct'>): string =>
  live === null && pct === null ? 'Not measured yet' : formatPercent(live ?? (pct ?? 0) / 100, true);

const originNames = { live: 'live', replayed: 'replayed', mixed: 'replayed and live' } as const;

/** `31.2 %`; null while it is not measured. */
export const chanceText = ({ chance }: Measured): string | null => (chance === null ? null : confidenceText(chance));

/** `replayed, n = 1,776`; null while nothing is measured. */
export const originText = ({ chance_origin: origin, chance_n: count }: Measured): string | null =>
  origin === null ? null : `${originNames[origin]}, n = ${formatCount(count ?? 0)}`;

/** Whether the replayed mean result after fees lies above 0 with its whole 95 % interval. */
export const isEdgeShown = ({ replayed }: ConfidenceBasis): boolean => (replayed?.net_low_pct ?? 0) > 0;

/** Intervals whose replayed mean result after fees may be 0 or less, with that result. */
export function missingEdges(bases: readonly ConfidenceBasis[]): { interval: string; text: string }[] {
  return bases.flatMap((basis) => {
    const { interval, replayed } = basis;
    if (replayed == null || replayed.mean_net_pct === null || isEdgeShown(basis)) return [];
    const { mean_net_pct: mean, net_low_pct: low, net_high_pct: high, outcome_count: count } = replayed;
    const pct = (value: number): string => formatPercent(value / 100, true);
    const range = low === null || high === null ? '' : ` (95 %: ${pct(low)} to ${pct(high)})`;
    return [{ interval, text: `${pct(mean)} a signal after fees${range}, replayed, n = ${formatCount(count)}` }];
  });
}

/** Meaning of an interval's confidence. `basis` is absent in scans from before it was measured. */
export function basisText(basis: ConfidenceBasis | undefined): string {
  if (basis === undefined) return 'Showing indicator agreement.';
  const { kind, interval, outcome_count: count, needed } = basis;
  const isOwn = isOwnVersion(basis);
  const where = isOwn ? `${interval} of this version of your strategy` : interval;
  const shown = isOwn ? 'the score' : 'indicator agreement';
  return kind === 'calibrated'
    ? `Win chance after fees, from ${formatCount(count)} finished signals on ${where}.`
    : basis.replayed != null
      ? `Live win chance unknown on ${where} (${formatCount(count)} of ${needed} signals finished): confidence is ${shown}.`
      : `Win chance unknown on ${where} (${formatCount(count)} of ${needed} signals finished). Showing ${shown}.`;
}

/** A saved strategy's version is a hash, the house's has a name. */
export const isOwnVersion = ({ strategy_version: version }: ConfidenceBasis): boolean => /^[0-9a-f]{64}$/.test(version);

/** `12 outcomes so far`: the sample behind a version's figures. */
export const outcomesText = (count: number): string =>
  `${formatCount(count)} ${count === 1 ? 'outcome' : 'outcomes'} so far`;

/** The highest chance in the map of an interval; null while it is not measured. */
export const highestChance = ({ points }: ConfidenceBasis): number | null => points.at(-1)?.chance ?? null;

/** The stated confidence of a raw value, by the maps of a scan. */
export const statedConfidence = (raw: number, basis: ConfidenceBasis | undefined): number =>
  calibrated(raw, basis?.points ?? []);

/** That a minimum lets nothing through; null when some interval can reach it, or is not measured. @param minimumPct 0 is off */
export function unreachableText(bases: readonly ConfidenceBasis[], minimumPct: number): string | null {
  const chances = bases.flatMap((basis) => highestChance(basis) ?? []);
  if (chances.length < Math.max(1, bases.length)) return null;
  const highest = Math.max(...chances);
  if (highest * 100 >= minimumPct) return null;
  return `No signal can reach your minimum of ${minimumPct} %. The highest win chance is ${confidenceText(highest)}: lower your minimum.`;
}
