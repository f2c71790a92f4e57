import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import { LISTING_DAYS_MIN, SPREAD_FRACTION_MAX, TURNOVER_USDT_MIN } from './signalRules.ts';

/** The outcome of a scan result in one place: the API states it and every page shows it. */

/** Why a candidate was not taken; docs/signals.md lists the codes. */
const reasons: Record<string, string> = {
  ELIGIBLE: 'Eligible to open',
  NEUTRAL: 'No direction',
  'LOW_CONF:tuning_floor': 'Below your tuning floor',
  'LOW_CONF:min_confidence': 'Below your minimum confidence',
  LOW_CONF: 'Confidence too low',
  ZERO_QTY: 'Position below the exchange minimum',
  'ZERO_QTY:quantity': 'Quantity below the exchange step',
  'ZERO_QTY:min_notional': 'Position below the exchange minimum',
  'ZERO_QTY:min_above_risk': 'Minimum order exceeds your risk per trade',
  'ZERO_QTY:margin_full': 'Free equity is below the margin',
  NO_MATCH: 'Nothing matched your filters',
  'NO_MATCH:liquidation_before_stop': 'Liquidated before its stop',
  'NO_MATCH:same_symbol': 'Duplicate symbol',
  'NO_MATCH:positions_wanted': 'Position limit reached',
  'NO_MATCH:direction_filter': 'Your strategy skips this side',
  'NO_MATCH:no_levels': 'No stop and target available',
  'NO_MATCH:no_data': 'No usable candles',
  'NO_MATCH:blacklist': 'On your blacklist',
  'NO_MATCH:whitelist': 'Not on your whitelist',
  'NO_MATCH:halted': 'Not trading now',
  'NO_MATCH:listing_age': `Listed for less than ${LISTING_DAYS_MIN} days`,
  'NO_MATCH:turnover': `Turnover below ${TURNOVER_USDT_MIN.toLocaleString('en-US')} USDT in 24 hours`,
  'NO_MATCH:spread': `Spread above ${SPREAD_FRACTION_MAX * 100} %`,
  'NO_MATCH:universe_limit': 'Beyond your universe limit',
  'NO_MATCH:unknown': 'Not listed on this exchange',
};

export const reasonCode = (outcome: string, filteredBy: string | null): string =>
  filteredBy === null ? outcome : `${outcome}:${filteredBy}`;
/** A rule without its own text reads as its outcome: a code is no text for a screen. */
export const reasonText = (code: string): string => reasons[code] ?? reasons[code.split(':')[0] ?? ''] ?? 'Not taken';

/** Fields of a signal that hold the result of its check. */
export interface CheckFields {
  ai_state: 'online' | 'approved' | 'rejected' | 'offline';
  rule_check: 'not_run' | 'passed' | 'not_passed' | null;
}

const aiStates = {
  online: 'AI: not checked yet',
  approved: 'AI: approved',
  rejected: 'AI: not approved',
  offline: 'AI: offline',
} as const satisfies Record<CheckFields['ai_state'], string>;

const ruleChecks = { not_run: null, passed: 'Rule check: passed', not_passed: 'Rule check: not passed' } as const;

/** Result of the check of a signal, by an AI model or by the built-in rules; null before the rules have run. */
export const checkText = ({ ai_state: ai, rule_check: rules }: CheckFields): string | null =>
  rules === null ? aiStates[ai] : ruleChecks[rules];

/** Outcome of a check by a model or by rules. Only a result that passed is opened automatically. */
export type CheckOutcome = 'passed' | 'not_asked' | 'no_verdict' | 'ai_rejected' | 'rules_not_passed';

export function checkOutcome({ ai_state: ai, rule_check: rules }: CheckFields): CheckOutcome {
  if (ai === 'approved' || rules === 'passed') return 'passed';
  if (ai === 'online' || rules === 'not_run') return 'not_asked';
  if (ai === 'rejected') return 'ai_rejected';
  return rules === 'not_passed' ? 'rules_not_passed' : 'no_verdict';
}

/** The rule of automatic opening that a check without success fails. */
export const checkDetails = {
  not_asked: 'ai_unchecked',
  no_verdict: 'ai_offline',
  ai_rejected: 'ai_not_approved',
  rules_not_passed: 'rule_check_not_passed',
} as const satisfies Record<Exclude<CheckOutcome, 'passed'>, string>;

export const SCAN_TOO_OLD = 'This scan is too old to trade. Start a new scan.';

export const DUPLICATE = 'You already hold this symbol and side.';
export const slotsText = (limit: number | string): string => `Limit reached (${limit}). Close one or raise the limit.`;

export interface JudgedSignal extends CheckFields {
  symbol: string;
  interval: string;
  direction: string;
  outcome: string;
  filtered_by: string | null;
}

interface TriedItem {
  symbol: string;
  interval: string;
  outcome: string;
  detail: string | null;
  message: string;
}

/** Everything beside the signal that decides whether it may open now. */
export interface VerdictFacts {
  /** Results of automatic opening over this scan; empty before it ran. */
  items: readonly TriedItem[];
  /** The scan ended longer ago than its shortest interval. */
  isTooOld: boolean;
  /** Open positions of the account. */
  open: readonly { symbol: string; side: string }[];
  /** Positions that may be open at once. */
  slots: number;
}

export interface SignalVerdict {
  state: 'opened' | 'may_open' | 'check_due' | 'refused';
  /** The first rule that the signal fails; null when it fails none. */
  reason: string | null;
  text: string;
}

/** True when newer candles may contradict the scan, so that none of its signals opens. */
export function isScanTooOld(
  scan: { intervals: readonly string[]; finishedMs: number | null },
  nowMs: number,
): boolean {
  const lengths = scan.intervals.map((interval) => (intervalMs as Record<string, number>)[interval] ?? Infinity);
  return scan.finishedMs === null || nowMs - scan.finishedMs > Math.min(...lengths);
}

/**
 * The single outcome of a signal: it opened, it may open, or the first reason it may not. Later steps have more information, so they come
 * first.
 */
export function verdictOf(signal: JudgedSignal, facts: VerdictFacts): SignalVerdict {
  const refused = (reason: string, text: string): SignalVerdict => ({ state: 'refused', reason, text });
  const { symbol, interval, direction, outcome, filtered_by: rule } = signal;
  const item = facts.items.find((each) => each.symbol === symbol && each.interval === interval);
  if (item?.outcome === 'OPENED') return { state: 'opened', reason: null, text: 'Position opened' };
  if (item !== undefined) return refused(item.detail ?? item.outcome, item.message);
  if (outcome !== 'ELIGIBLE') return refused(rule ?? outcome, reasonText(reasonCode(outcome, rule)));
  if (facts.isTooOld) return refused('scan_too_old', SCAN_TOO_OLD);
  const check = checkOutcome(signal);
  if (check !== 'passed' && check !== 'not_asked')
    return refused(checkDetails[check], checkText(signal) ?? 'Not checked');
  if (facts.open.some((each) => each.symbol === symbol && each.side === direction))
    return refused('duplicate', DUPLICATE);
  if (facts.open.length >= facts.slots) return refused('max_concurrent', slotsText(facts.slots));
  if (check === 'not_asked') return { state: 'check_due', reason: null, text: 'May open after its check passes' };
  return { state: 'may_open', reason: null, text: 'May open' };
}

export const isOpenable = ({ state }: Pick<SignalVerdict, 'state'>): boolean => state !== 'refused';
