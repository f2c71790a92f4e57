import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import {
  checkSkip,
  confidenceRules,
  type GuardFacts,
  listSkip,
  type OpeningSettings,
  ownRejection,
  type OwnRules,
  percentOf,
  roomSkip,
  type RuledSignal,
  type Skip,
  turnOf,
} from './openingRules.ts';
import { type CheckFields, checkOutcome } from './signalChecks.ts';
import { LISTING_DAYS_MIN, SPREAD_FRACTION_MAX, TURNOVER_USDT_MIN } from './signalRules.ts';
import { type SkipDetail, skipDetails, skipMessage, type SkipReason } from './skipReasons.ts';

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
  'NO_MATCH:same_symbol': 'Waits: a better signal of its symbol comes first',
  'NO_MATCH:positions_wanted': 'Waits for a slot',
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

export const SCAN_TOO_OLD = 'This scan is too old to trade. Start a new scan.';

interface TriedItem {
  symbol: string;
  interval: string;
  outcome: string;
  detail: string | null;
  message: string;
}

export interface JudgedSignal extends CheckFields, RuledSignal {
  symbol: string;
  interval: string;
  /** Outcome in the scan, by the settings at its time. */
  outcome: 'ELIGIBLE' | SkipReason;
  filtered_by: string | null;
  position: RuledSignal['position'] & { message: string | null; liquidationApprox: number | null };
}

/** Everything beside its signals that decides what a scan may open at this moment. */
export interface VerdictFacts {
  /** Results of automatic opening over this scan; empty before it ran. */
  items: readonly TriedItem[];
  /** Automatic opening over this scan has ended; it runs once. */
  isRunOver: boolean;
  /** The scan ended longer ago than its shortest interval. */
  isTooOld: boolean;
  /** Open positions of the account. */
  open: readonly { symbol: string; side: string }[];
  guards: readonly GuardFacts[];
  settings: OpeningSettings;
  /** The saved strategy of the scan. */
  strategy?: OwnRules['strategy'];
}

export interface SignalVerdict {
  /** `waiting`: it opens when a better signal of the scan does not. */
  state: 'opened' | 'may_open' | 'check_due' | 'waiting' | 'refused';
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

/** What an opening found in the account, which may have changed since; other details are of the market at that moment and stay. */
const ofAccount: ReadonlySet<string> = new Set([
  'min_confidence',
  'tuning_floor',
  'ai_unchecked',
  'ai_offline',
  'ai_not_approved',
  'rule_check_not_passed',
  'blacklisted',
  'not_whitelisted',
  'same_symbol',
  'positions_wanted',
  'duplicate',
  'max_concurrent',
  'daily_loss_guard',
  'stop_streak_guard',
  'drawdown_guard',
  'auto_open_off',
] satisfies SkipDetail[]);

const knownDetails = new Set<string>(skipDetails);
export const isSkipDetail = (rule: string | null): rule is SkipDetail => rule !== null && knownDetails.has(rule);

const reject = (reason: string, text: string): SignalVerdict => ({ state: 'refused', reason, text });
const rejectedBy = ({ reason, detail, numbers }: Skip): SignalVerdict =>
  reject(detail ?? reason, skipMessage(reason, detail, numbers));

/** Whether the price passes the liquidation before the stop, by the figures of the scan. */
function isLiquidatedFirst({ direction, stopLoss, position: { liquidationApprox: at } }: JudgedSignal): boolean {
  if (at === null || stopLoss === null) return false;
  return direction === 'LONG' ? at >= stopLoss : at <= stopLoss;
}

/**
 * The first rule of the scan that a signal fails by the settings of this moment; null when it fails none. Rules that depend on the
 * candles, the size or the liquidation keep what the scan found.
 */
export function scanRejection(
  signal: JudgedSignal,
  { settings, strategy }: Pick<VerdictFacts, 'settings' | 'strategy'>,
): { outcome: SkipReason; filteredBy: string | null } | null {
  const { outcome, filtered_by: rule } = signal;
  const isBehind = rule === 'same_symbol' || rule === 'positions_wanted';
  if (outcome !== 'ELIGIBLE' && outcome !== 'LOW_CONF' && !isBehind) return { outcome, filteredBy: rule };
  // The scan judges the size and the liquidation of a signal only after its confidence.
  const isStopNearer = outcome !== 'LOW_CONF' || !isLiquidatedFirst(signal);
  return ownRejection(signal, isStopNearer, { ...confidenceRules(settings), strategy });
}

/** True for a signal that passes its own rules now and that a better one of the scan may have preceded. */
export const isSuccessor = (signal: JudgedSignal, facts: Pick<VerdictFacts, 'settings' | 'strategy'>): boolean =>
  signal.outcome !== 'ELIGIBLE' && scanRejection(signal, facts) === null;

/** Why the scan's rules reject a signal now, in words; the same before and after an opening. */
export function scanText(
  { confidence, position }: JudgedSignal,
  { outcome, filteredBy }: NonNullable<ReturnType<typeof scanRejection>>,
  settings: OpeningSettings,
): string {
  if (outcome === 'ZERO_QTY' && position.message !== null) return position.message;
  if (filteredBy !== null && !isSkipDetail(filteredBy)) return reasonText(reasonCode(outcome, filteredBy));
  const { confidenceFloor, minConfidencePct } = confidenceRules(settings);
  const limit = filteredBy === 'tuning_floor' ? percentOf(confidenceFloor ?? 0) : minConfidencePct;
  return skipMessage(outcome, filteredBy, outcome === 'LOW_CONF' ? { value: percentOf(confidence), limit } : null);
}

/** Better signals of a scan that have opened or may open now; the next one waits behind them. */
interface Ahead {
  /** Symbols they open. */
  taken: ReadonlySet<string>;
  /** Positions among them that are not open yet. */
  planned: number;
}

/** Why nothing of this scan opens automatically any more; null while it may. */
function byHandOnly({ isRunOver, settings }: VerdictFacts): { reason: string; text: string } | null {
  if (!settings.auto_open_enabled)
    return { reason: 'auto_open_off', text: 'May open by hand: automatic opening is off' };
  return isRunOver
    ? { reason: 'run_over', text: 'May open by hand: the automatic openings of this scan are done' }
    : null;
}

const waitTexts = {
  same_symbol: 'Waits: a better signal of this symbol opens first',
  positions_wanted: 'Waits for a slot: better signals come first. Raise the limit to open more',
  max_concurrent: 'Waits for a slot. Raise the limit or close a position',
} as const;

const waits = (reason: keyof typeof waitTexts): SignalVerdict => ({
  state: 'waiting',
  reason,
  text: waitTexts[reason],
});

/** The first rule that a signal fails now, whatever better ones do; null when it fails none. */
function rejectedNow(signal: JudgedSignal, facts: VerdictFacts): SignalVerdict | null {
  const { symbol, interval, direction } = signal;
  const { open, settings, guards } = facts;
  const result = scanRejection(signal, facts);
  if (result !== null) return reject(result.filteredBy ?? result.outcome, scanText(signal, result, settings));
  if (facts.isTooOld) return reject('scan_too_old', SCAN_TOO_OLD);
  const item = facts.items.find((each) => each.symbol === symbol && each.interval === interval);
  if (item !== undefined && !ofAccount.has(item.detail ?? '')) return reject(item.detail ?? item.outcome, item.message);
  const check = checkOutcome(signal);
  const isOpen = open.some((each) => each.symbol === symbol && each.side === direction);
  const room = { isOpen, openCount: open.length, slots: settings.max_concurrent_positions, guards };
  const skip = (check === 'not_asked' ? null : checkSkip(check)) ?? listSkip(symbol, settings) ?? roomSkip(room);
  return skip === null ? null : rejectedBy(skip);
}

function verdictBehind(signal: JudgedSignal, facts: VerdictFacts, { taken, planned }: Ahead): SignalVerdict {
  const { symbol, interval } = signal;
  const { items, open, settings } = facts;
  const isOpened = ({ outcome, ...each }: TriedItem): boolean =>
    outcome === 'OPENED' && each.symbol === symbol && each.interval === interval;
  if (items.some(isOpened)) return { state: 'opened', reason: null, text: 'Position opened' };
  const rejection = rejectedNow(signal, facts);
  if (rejection !== null) return rejection;
  const isUnchecked = checkOutcome(signal) === 'not_asked';
  const byHand = byHandOnly(facts);
  if (byHand !== null && (!isUnchecked || facts.isRunOver)) return { state: 'may_open', ...byHand };
  const turn = turnOf(symbol, taken, settings.positions_wanted);
  if (turn !== null) return waits(turn);
  if (open.length + planned >= settings.max_concurrent_positions) return waits('max_concurrent');
  if (isUnchecked) return { state: 'check_due', reason: null, text: 'May open after its check passes' };
  return { state: 'may_open', reason: null, text: 'May open' };
}

/**
 * The single outcome of each signal of a scan at this moment: it opened, it may open, it waits behind better ones, or the first reason it
 * may not. Pages, API and opening read it from here.
 * @param signals best first
 */
export function verdictsOf(signals: readonly JudgedSignal[], facts: VerdictFacts): SignalVerdict[] {
  const opened = facts.items.flatMap(({ symbol, outcome }) => (outcome === 'OPENED' ? [symbol] : []));
  // A checked signal waits behind checked ones only: opening now would skip the others.
  const checked = new Set(opened);
  const all = new Set(opened);
  return signals.map((signal) => {
    const isChecked = checkOutcome(signal) !== 'not_asked';
    const taken = isChecked ? checked : all;
    const verdict = verdictBehind(signal, facts, { taken, planned: taken.size - new Set(opened).size });
    if (verdict.state === 'may_open' || verdict.state === 'check_due') all.add(signal.symbol);
    if (verdict.state === 'may_open') checked.add(signal.symbol);
    return verdict;
  });
}

/** True for a signal that opened or would open next. */
export const isOpenable = ({ state }: Pick<SignalVerdict, 'state'>): boolean =>
  state !== 'refused' && state !== 'waiting';
