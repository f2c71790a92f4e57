import { LISTING_DAYS_MIN, SPREAD_FRACTION_MAX, TURNOVER_USDT_MIN } from '@sextant/workers/src/signalRules.ts';
import type { ScanSignal } from '../../../api/types.ts';
import { formatAmount, formatCount } from '../../../format/number.ts';

/** Why a candidate was not taken, in words; the codes are those of docs/signals.md. */
const reasons: Record<string, string> = {
  ELIGIBLE: 'Eligible to open',
  NEUTRAL: 'No direction',
  'LOW_CONF:tuning_floor': 'Below the confidence floor of your tuning',
  'LOW_CONF:min_confidence': 'Below your minimum confidence',
  LOW_CONF: 'Confidence too low',
  ZERO_QTY: 'Position below the exchange minimum',
  'ZERO_QTY:quantity': 'Quantity below one step of the exchange',
  'ZERO_QTY:min_notional': 'Position below the exchange minimum',
  'ZERO_QTY:min_above_risk': 'The smallest position would lose more than you risk per trade',
  'ZERO_QTY:margin_full': 'No equity left for its margin',
  NO_MATCH: 'Nothing matched your filters',
  'NO_MATCH:liquidation_before_stop': 'Liquidated before its stop',
  'NO_MATCH:same_symbol': 'A better signal for this symbol was chosen',
  'NO_MATCH:positions_wanted': 'Position limit reached',
  'NO_MATCH:direction_filter': 'The strategy does not enter this side',
  'NO_MATCH:no_levels': 'No stop and target available',
  'NO_MATCH:no_data': 'No usable candles from the exchange',
  'NO_MATCH:blacklist': 'On your blacklist',
  'NO_MATCH:whitelist': 'Not on your whitelist',
  'NO_MATCH:halted': 'Not trading now',
  'NO_MATCH:listing_age': `Listed for less than ${LISTING_DAYS_MIN} days`,
  'NO_MATCH:turnover': `Turnover below ${formatCount(TURNOVER_USDT_MIN)} USDT in 24 hours`,
  'NO_MATCH:spread': `Spread above ${formatAmount(SPREAD_FRACTION_MAX * 100)} %`,
  'NO_MATCH:universe_limit': 'Outside your universe size limit',
  'NO_MATCH:unknown': 'Not a symbol of this exchange',
};

export const reasonCode = (outcome: string, filteredBy: string | null): string =>
  filteredBy === null ? outcome : `${outcome}:${filteredBy}`;
/** A rule that this page does not know yet is told by its outcome: a code is no text for a screen. */
export const reasonText = (code: string): string => reasons[code] ?? reasons[code.split(':')[0] ?? ''] ?? 'Not taken';

const aiStates = {
  online: 'AI: not asked yet',
  approved: 'AI: approved',
  rejected: 'AI: not approved',
  offline: 'AI: offline',
} as const satisfies Record<ScanSignal['ai_state'], string>;

const ruleChecks = { not_run: null, passed: 'Rule check: passed', not_passed: 'Rule check: not passed' } as const;

/** What the check of a signal came to, by an AI model or by the built-in rules; null before the rules have run. */
export const checkText = ({ ai_state: ai, rule_check: rules }: CheckFields): string | null =>
  rules === null ? aiStates[ai] : ruleChecks[rules];
export type CheckFields = Pick<ScanSignal, 'ai_state' | 'rule_check'>;

export const isUnchecked = ({ ai_state: ai, rule_check: rules }: CheckFields): boolean =>
  ai === 'online' || rules === 'not_run';
export const isPassed = ({ ai_state: ai, rule_check: rules }: CheckFields): boolean =>
  ai === 'approved' || rules === 'passed';
