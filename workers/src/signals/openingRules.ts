import type { SkipDetail, SkipNumbers, SkipReason } from './skipReasons.ts';
import { checkDetails, type CheckOutcome } from './signalChecks.ts';

/** The rules of automatic opening, each stated once: a scan, the verdict of its results and the opening itself apply the same functions. */

export interface Skip {
  reason: SkipReason;
  detail: SkipDetail | null;
  /** The value that failed the rule and its limit, in the units of the rule; null without a number. */
  numbers: SkipNumbers | null;
}

/** Settings of the account that decide what opens automatically, in their wire names. */
export interface OpeningSettings {
  auto_open_enabled: boolean;
  /** Percent; 0 is off. */
  min_auto_conf_pct: number;
  /** 0.1 to 1; null is off. */
  tuning_conf_floor: number | null;
  /** Whether the limits of confidence also apply to the score of a saved strategy. */
  min_conf_on_score: boolean;
  /** Comma-separated symbols. */
  blacklist: string;
  whitelist: string;
  /** Positions that a scan may open. */
  positions_wanted: number;
  /** Positions that may be open at once. */
  max_concurrent_positions: number;
}

/** The owner's minimum confidence for automatic openings. */
export interface ConfidenceRules {
  /** Percent; 0 is off. */
  minConfidencePct: number;
  /** 0.1 to 1; null is off. */
  confidenceFloor: number | null;
  /** Whether the limits also apply to the score of a saved strategy. */
  isScoreHeld: boolean;
}

export interface Held {
  confidence: number;
  /** For a saved strategy: `score` until enough of its outcomes are known. */
  kind: 'score' | 'calibrated';
  isOfSavedRules: boolean;
}

export interface LowConfidence {
  detail: 'tuning_floor' | 'min_confidence';
  /** Percent. */
  value: number;
  limit: number;
}

/** Fraction to percent, without rounding noise: 0.6 must not become less than 60. */
export const percentOf = (fraction: number): number => Math.round(fraction * 1e8) / 1e6;

/** The stored list of symbols: comma-separated text, as in the preferences. */
export const symbolsOf = (text: string): string[] => text.split(',').filter((part) => part !== '');

/**
 * The limit that a confidence is below; undefined when it is below none. A saved strategy without a measured chance is judged by its own
 * threshold: its score has another scale, and it was tested without these limits.
 */
export function lowConfidence(
  { confidence, kind, isOfSavedRules }: Held,
  { minConfidencePct, confidenceFloor, isScoreHeld }: ConfidenceRules,
): LowConfidence | undefined {
  if (isOfSavedRules && kind === 'score' && !isScoreHeld) return undefined;
  const value = percentOf(confidence);
  if (confidence < (confidenceFloor ?? 0))
    return { detail: 'tuning_floor', value, limit: percentOf(confidenceFloor ?? 0) };
  return value < minConfidencePct ? { detail: 'min_confidence', value, limit: minConfidencePct } : undefined;
}

export const confidenceRules = (settings: OpeningSettings): ConfidenceRules => ({
  minConfidencePct: settings.min_auto_conf_pct,
  confidenceFloor: settings.tuning_conf_floor,
  isScoreHeld: settings.min_conf_on_score,
});

const no = (detail: SkipDetail, numbers: SkipNumbers | null = null): Skip => ({ reason: 'NO_MATCH', detail, numbers });

/** Confidence limit that a signal fails now. */
export function confidenceSkip(held: Held, settings: OpeningSettings): Skip | null {
  const low = lowConfidence(held, confidenceRules(settings));
  if (low === undefined) return null;
  const { detail, value, limit } = low;
  return { reason: 'LOW_CONF', detail, numbers: { value, limit } };
}

/** A check without success. @param check absent where no check decides */
export const checkSkip = (check: CheckOutcome | undefined): Skip | null =>
  check === undefined || check === 'passed' ? null : no(checkDetails[check]);

/** The list of symbols that excludes one now. */
export function listSkip(symbol: string, { blacklist, whitelist }: OpeningSettings): Skip | null {
  if (symbolsOf(blacklist).includes(symbol)) return no('blacklisted');
  const allowed = symbolsOf(whitelist);
  return allowed.length > 0 && !allowed.includes(symbol) ? no('not_whitelisted') : null;
}

/** State of a guard of automatic opening, in its wire names. */
export interface GuardFacts {
  name: 'daily_loss' | 'stop_streak' | 'drawdown';
  is_tripped: boolean;
  limit: number | null;
  value: number;
}

const guardDetails: Record<GuardFacts['name'], SkipDetail> = {
  daily_loss: 'daily_loss_guard',
  stop_streak: 'stop_streak_guard',
  drawdown: 'drawdown_guard',
};

/** The guard that blocks openings now. */
export function guardSkip(guards: readonly GuardFacts[]): Skip | null {
  const tripped = guards.find(({ is_tripped: isTripped }) => isTripped);
  if (tripped === undefined) return null;
  const { name, value, limit } = tripped;
  return no(guardDetails[name], { value, limit: limit ?? value });
}

export interface Room {
  /** A position of this symbol and side is open. */
  isOpen: boolean;
  openCount: number;
  /** Positions that may be open at once. */
  slots: number;
  /** Empty for an opening by hand: guards apply to automatic openings only. */
  guards: readonly GuardFacts[];
}

/** Limits on the number of positions, then the guards. */
export function roomSkip({ isOpen, openCount, slots, guards }: Room): Skip | null {
  if (isOpen) return no('duplicate');
  if (openCount >= slots) return no('max_concurrent', { value: openCount, limit: slots });
  return guardSkip(guards);
}

/** Why a signal has to wait behind better ones of its scan; null when it is its turn. @param taken symbols of the better ones */
export function turnOf(
  symbol: string,
  taken: ReadonlySet<string>,
  positionsWanted: number,
): 'same_symbol' | 'positions_wanted' | null {
  if (taken.has(symbol)) return 'same_symbol';
  return taken.size >= positionsWanted ? 'positions_wanted' : null;
}

/** Figures of a signal that its own rules judge. */
export interface RuledSignal {
  direction: string;
  confidence: number;
  confidence_kind: 'score' | 'calibrated';
  stopLoss: number | null;
  takeProfit: number | null;
  horizon_min: number | null;
  position: { qty: number; refused_by: string | null };
}

export interface OwnRules extends ConfidenceRules {
  /** The saved strategy that decides; it may enter one side only. */
  strategy?: { value: { direction: 'both' | 'long' | 'short' } } | undefined;
}

/**
 * The first rule that a signal fails by itself, whatever else is open: direction, levels, confidence, size, liquidation.
 * @param isStopNearer its stop is hit before the liquidation price
 */
export function ownRejection(
  signal: RuledSignal,
  isStopNearer: boolean,
  rules: OwnRules,
): { outcome: SkipReason; filteredBy: string | null } | null {
  const { direction, confidence, confidence_kind: kind, position } = signal;
  if (direction === 'NEUTRAL') return { outcome: 'NEUTRAL', filteredBy: null };
  const wanted = rules.strategy?.value.direction ?? 'both';
  if (wanted !== 'both' && wanted.toUpperCase() !== direction)
    return { outcome: 'NO_MATCH', filteredBy: 'direction_filter' };
  if (!hasLevels(signal)) return { outcome: 'NO_MATCH', filteredBy: 'no_levels' };
  const low = lowConfidence({ confidence, kind, isOfSavedRules: rules.strategy !== undefined }, rules);
  if (low !== undefined) return { outcome: 'LOW_CONF', filteredBy: low.detail };
  if (!(position.qty > 0)) return { outcome: 'ZERO_QTY', filteredBy: position.refused_by };
  return isStopNearer ? null : { outcome: 'NO_MATCH', filteredBy: 'liquidation_before_stop' };
}

/** Whether it can be traded: a market without movement has neither levels nor a horizon. */
export const hasLevels = ({ stopLoss, takeProfit, horizon_min: horizon }: RuledSignal): boolean =>
  stopLoss !== null && takeProfit !== null && horizon !== null && stopLoss > 0 && takeProfit > 0;
