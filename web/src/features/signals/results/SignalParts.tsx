import { LISTING_DAYS_MIN, SPREAD_FRACTION_MAX, TURNOVER_USDT_MIN } from '@sextant/workers/src/signalRules.ts';
import { LIVE_RULES } from '@sextant/workers/src/wire/strategy.ts';
import { ArrowDown, ArrowUp } from 'lucide-react';
import type { ReactNode } from 'react';
import { useSnapshot } from 'valtio';
import { useTickDecimals } from '../../../api/symbols.ts';
import type { ConfidenceBasis, Scan, ScanResults, ScanSignal } from '../../../api/types.ts';
import { basisText, confidenceText, expectedText, scoreText } from '../../../format/confidence.ts';
import { formatAmount, formatCount, formatFixed, formatPercent, formatPrice } from '../../../format/number.ts';
import { shortVersion } from '../../../format/strategyText.ts';
import { Notice } from '../../../ui/Notice.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { Time } from '../../../ui/Time.tsx';
import { aiCheckState } from '../check/aiChecks.ts';

const TAGS_SHOWN = 2;

/** What a check said: state, two tags, its horizon, stop and target, and its reasons; nothing before the rules have run. */
export function AiOpinion({ signal, isFull, onMore }: { signal: ScanSignal; isFull: boolean; onMore?: () => void }) {
  const { why } = useSnapshot(aiCheckState);
  const state = checkText(signal);
  if (state === null) return null;
  const reason = signal.ai_state === 'offline' ? why[signal.signal_id] : undefined;
  const { aiRationale: rationale, aiProposal: proposal } = signal;
  const short = rationale === null || isFull ? null : shortRationale(rationale);
  const tags = proposal?.tags ?? [];
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <p className="flex flex-wrap items-center gap-2">
        <span className="font-medium">{state}</span>
        {(isFull ? tags : tags.slice(0, TAGS_SHOWN)).map((tag) => (
          <span key={tag} className="rounded-sm border border-line px-1.5 text-label text-muted">
            {tag}
          </span>
        ))}
        <Suggestions signal={signal} />
      </p>
      {reason !== undefined && <p className="text-muted">{reason}</p>}
      {rationale !== null && (
        <p className="break-words text-muted">
          {short ?? rationale}
          {short !== null && (
            <button type="button" className="btn btn-ghost btn-small ml-1" onClick={onMore}>
              More
            </button>
          )}
        </p>
      )}
    </div>
  );
}

/** Horizon and levels that the check suggests, and the size an approval may carry. */
function Suggestions({ signal: { aiProposal: proposal, suggestedRiskMultiplier: size } }: { signal: ScanSignal }) {
  const distances = [
    ['stop', proposal?.stop_loss_pct_suggest],
    ['target', proposal?.take_profit_pct_suggest],
  ].filter((each): each is [string, number] => typeof each[1] === 'number');
  const texts = distances.map(([name, pct]) => `${name} ${formatFixed(pct, 2)}\u00a0%`);
  const horizon = horizonText(proposal?.horizon_min ?? null);
  if (horizon !== null) texts.unshift(`horizon ${horizon}`);
  if (size !== null && size !== 1) texts.push(`size x${formatFixed(size, 2)}`);
  return texts.map((text) => (
    <span key={text} className="text-label text-muted">
      {text}
    </span>
  ));
}

/** Word and arrow, so that colour is not the only sign. */
export function DirectionMark({ direction }: { direction: string }) {
  if (direction === 'NEUTRAL') return <span className="text-muted">NEUTRAL</span>;
  const isLong = direction === 'LONG';
  const Arrow = isLong ? ArrowUp : ArrowDown;
  return (
    <span className={`inline-flex items-baseline gap-1 font-medium ${isLong ? 'text-up' : 'text-down'}`}>
      <Arrow size={12} aria-hidden="true" className="self-center" />
      {direction}
    </span>
  );
}

/** A stop that can never be reached is no stop. */
export function LiquidationNote({ signal }: { signal: ScanSignal }) {
  if (!isLiquidatedFirst(signal)) return null;
  return (
    <Notice tone="warn">
      At {signal.position.leverage}x the position is liquidated before its stop is reached. Less leverage would keep the
      stop.
    </Notice>
  );
}

/** The first of the ranking that may be opened; null when none may. */
export const bestEligible = (all: readonly ScanSignal[]): ScanSignal | null =>
  all.find(({ outcome }) => outcome === 'ELIGIBLE') ?? null;

interface BestProps {
  scan: Scan;
  results: ScanResults;
  onOpen: (signal: ScanSignal) => void;
  children?: ReactNode;
}

/** The best signal that may be opened, or that there is none. Nothing for a scan without signals. */
export function BestSignal({ scan, results: { all, confidence }, onOpen, children }: BestProps) {
  const best = bestEligible(all);
  if (best !== null)
    return (
      <BestCard
        signal={best}
        basis={confidence.find(({ interval }) => interval === best.interval)}
        at={scan.created_at}
        strategy={scan.params.strategy}
        onOpen={() => onOpen(best)}
      >
        {children}
      </BestCard>
    );
  if (all.length === 0) return null;
  return (
    <Panel title={BEST_TITLE} aside={<ScanTime at={scan.created_at} />} bodyClassName="flex flex-col gap-3 p-3">
      <div>
        <p>No eligible signal</p>
        <p className="text-muted">
          {all.length === 1
            ? 'The only signal of this scan cannot be opened; its details give the reason.'
            : `None of the ${formatCount(all.length)} signals listed can be opened; the details of each give the reason.`}
        </p>
      </div>
      <p className="text-label text-muted">
        Strategy: <span className="text-text">{strategyText(scan.params.strategy)}</span>
      </p>
      {children}
    </Panel>
  );
}

const BEST_TITLE = 'Best signal';

const ScanTime = ({ at }: { at: string }) => (
  <>
    scan of <Time at={at} />
  </>
);

interface Props {
  signal: ScanSignal;
  /** By what its confidence was stated. */
  basis: ConfidenceBasis | undefined;
  at: string;
  /** The saved strategy that made it; absent: Live rules. */
  strategy: Scan['params']['strategy'];
  onOpen: () => void;
  /** Stands in the first row: what lies lower moves down when the check of the signal is there, and a press then misses it. */
  children?: ReactNode;
}

function BestCard({ signal, basis, at, strategy, onOpen, children }: Props) {
  const horizon = horizonText(signal.horizon_min);
  const decimals = useTickDecimals()(signal.symbol);
  const figures: [string, string][] = [
    ['Confidence', confidenceText(signal.confidence)],
    ['Score', scoreText(signal)],
    ['Expected, net', expectedText(signal)],
    ['Break-even', formatPercent(signal.break_even)],
    ['Entry Price', formatPrice(signal.price, decimals)],
    ['Stop Loss', formatPrice(signal.stopLoss, decimals)],
    ['Take Profit', formatPrice(signal.takeProfit, decimals)],
    ['Liquidation', formatPrice(signal.position.liquidationApprox, decimals)],
    ['Risk', signal.riskLabel],
    ['Strategy', strategyText(strategy)],
    ...(horizon === null ? [] : [['Horizon', horizon] as [string, string]]),
  ];
  return (
    <Panel title={BEST_TITLE} aside={<ScanTime at={at} />} bodyClassName="flex flex-col gap-3 p-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p className="flex items-baseline gap-2">
          <span className="text-page font-semibold">{signal.symbol}</span>
          <span className="text-muted">{signal.interval}</span>
          <DirectionMark direction={signal.direction} />
        </p>
        <span className="text-label text-muted">{reasonText(reasonCode(signal.outcome, signal.filtered_by))}</span>
        <span className="ml-auto flex flex-wrap gap-2">
          <button type="button" className="btn btn-small" onClick={onOpen}>
            Details
          </button>
          {children}
        </span>
      </div>
      <dl className="grid grid-cols-[repeat(auto-fit,minmax(112px,1fr))] gap-x-3 gap-y-2 border-t border-line pt-2">
        {figures.map(([name, value]) => (
          <div key={name}>
            <dt className="text-label text-muted">{name}</dt>
            <dd className="font-medium">{value}</dd>
          </div>
        ))}
      </dl>
      <p className="text-label text-muted">{basisText(basis)}</p>
      <LiquidationNote signal={signal} />
      <AiOpinion signal={signal} isFull={false} onMore={onOpen} />
    </Panel>
  );
}

const RATIONALE_MAX = 60;

/** Whole hours from 60 minutes on, whole minutes below, never less than one of them. */
export function horizonText(minutes: number | null): string | null {
  if (minutes === null || !Number.isFinite(minutes)) return null;
  return minutes >= 60 ? `~${Math.max(1, Math.round(minutes / 60))}h` : `~${Math.max(1, Math.round(minutes))}m`;
}

/** Null when the text is short enough to stand as it is. */
export const shortRationale = (text: string): string | null =>
  text.length <= RATIONALE_MAX ? null : `${text.slice(0, RATIONALE_MAX).trimEnd()}…`;

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

/** Whether the price passes the liquidation on its way from entry to stop. */
export function isLiquidatedFirst({ direction, stopLoss, position }: ScanSignal): boolean {
  const liquidation = position.liquidationApprox;
  if (liquidation === null || stopLoss === null) return false;
  return direction === 'LONG' ? liquidation >= stopLoss : liquidation <= stopLoss;
}

/** Which strategy made a signal. @param strategy of its scan; absent: the built-in rules */
export const strategyText = (strategy: { name: string; version: string } | undefined): string =>
  strategy === undefined ? LIVE_RULES : `${strategy.name}, ${shortVersion(strategy.version)}`;
