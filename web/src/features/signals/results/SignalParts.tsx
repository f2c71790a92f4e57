import { checkText } from '@sextant/workers/src/signals/signalChecks.ts';
import type { SignalVerdict } from '@sextant/workers/src/signals/signalVerdict.ts';
import { LIVE_RULES } from '@sextant/workers/src/protocol/wire/strategy.ts';
import { ArrowDown, ArrowUp } from 'lucide-react';
import type { ReactNode } from 'react';
import { useSnapshot } from 'valtio';
import { useTickDecimals } from '../../../data/symbols.ts';
import { usePreferences } from '../../../data/preferences.ts';
import type { ConfidenceBasis, Scan, ScanResults, ScanSignal } from '../../../api/types.ts';
import {
  basisText,
  chanceText,
  expectedText,
  missingEdges,
  originText,
  scoreText,
  statedText,
} from '../../../format/confidence.ts';
import { formatCount, formatFixed, formatPercent, formatPrice, NO_VALUE } from '../../../format/number.ts';
import { shortVersion } from '../../../format/strategyText.ts';
import { Notice } from '../../../ui/Notice.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { Time } from '../../../ui/Time.tsx';
import { openTab } from '../../../state/navigation.ts';
import { aiCheckState } from '../check/aiChecks.ts';
import { bestEligible, usedLevels, useVerdicts } from './verdict.ts';

const TAGS_SHOWN = 2;

/** Result of a check: state, two tags, its horizon, stop and target, and its reasons; nothing before the rules have run. */
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
    <Notice tone="warn">At {signal.position.leverage}x liquidation comes before the stop. Use less leverage.</Notice>
  );
}

/** Says first where the replay shows no edge. Nothing where it shows one, or has not run. */
function EdgeNote({ bases }: { bases: readonly ConfidenceBasis[] }) {
  const missing = missingEdges(bases);
  if (missing.length === 0) return null;
  return (
    <Notice tone="warn">
      <p>
        No edge shown on {missing.map(({ interval }) => interval).join(', ')}: the mean result on stored candles may be
        zero or less.
      </p>
      <ul>
        {missing.map(({ interval, text }) => (
          <li key={interval}>
            {interval}: {text}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

interface BestProps {
  scan: Scan;
  results: ScanResults;
  onOpen: (signal: ScanSignal) => void;
  children?: ReactNode;
}

/** The best signal that opened or may open, or why there is none. Nothing for a scan without signals. */
export function BestSignal(props: BestProps) {
  return (
    <>
      <EdgeNote bases={props.results.confidence} />
      <BestPanel {...props} />
    </>
  );
}

function BestPanel({ scan, results: { all, confidence }, onOpen, children }: BestProps) {
  const verdictOf = useVerdicts(scan);
  const best = bestEligible(all, verdictOf);
  if (best !== null)
    return (
      <BestCard
        signal={best}
        basis={confidence.find(({ interval }) => interval === best.interval)}
        scan={scan}
        verdict={verdictOf(best)}
        onOpen={() => onOpen(best)}
      >
        {children}
      </BestCard>
    );
  const [first] = all;
  if (first === undefined) return null;
  const verdict = verdictOf(first);
  return (
    <Panel title={BEST_TITLE} aside={<ScanTime at={scan.created_at} />} bodyClassName="flex flex-col gap-3 p-3">
      <div>
        <p>No eligible signal</p>
        <p className="text-muted">
          {all.length === 1
            ? 'The only signal of this scan cannot be opened'
            : `None of the ${formatCount(all.length)} signals listed can be opened. The first, ${first.symbol} ${first.interval}`}
          : {verdict.text}
        </p>
        <SlotsLink reason={verdict.reason} />
      </div>
      <p className="text-label text-muted">
        Strategy: <span className="text-text">{strategyText(scan.params.strategy)}</span>
      </p>
      {children}
    </Panel>
  );
}

/** Link to the limit, beside a rejection for lack of a slot. */
export function SlotsLink({ reason }: { reason: string | null }) {
  if (reason === 'positions_wanted')
    return (
      <button type="button" className="underline" onClick={() => openTab('signals', 'trading')}>
        Change how many positions a scan opens
      </button>
    );
  if (reason !== 'max_concurrent') return null;
  return (
    <button type="button" className="underline" onClick={() => openTab('account', 'trading')}>
      Change the position limit
    </button>
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
  /** Basis of its confidence. */
  basis: ConfidenceBasis | undefined;
  scan: Scan;
  verdict: SignalVerdict;
  onOpen: () => void;
  /** Rendered in the first row: lower content moves down when the check arrives, and a press would miss it. */
  children?: ReactNode;
}

function BestCard({ signal, basis, scan, verdict, onOpen, children }: Props) {
  const { created_at: at, params } = scan;
  const levels = usedLevels(signal, scan, usePreferences().data ?? null);
  const horizon = horizonText(signal.horizon_min);
  const decimals = useTickDecimals()(signal.symbol);
  const origin = originText(signal);
  const figures: [name: string, value: string, note?: string][] = [
    ...(origin === null
      ? []
      : ([['Win chance', chanceText(signal) ?? NO_VALUE, origin]] as [string, string, string][])),
    ['Expected, net', expectedText(signal)],
    ['Confidence', statedText(signal)],
    ['Score', scoreText(signal)],
    // A score is not a chance, so it cannot be compared with the break-even chance.
    ...(signal.confidence_kind === 'score'
      ? []
      : [['Break-even', formatPercent(signal.break_even)] as [string, string]]),
    ['Entry Price', formatPrice(signal.price, decimals)],
    ['Stop Loss', formatPrice(levels.stopLoss, decimals)],
    ['Take Profit', formatPrice(levels.takeProfit, decimals)],
    ['Liquidation', formatPrice(signal.position.liquidationApprox, decimals)],
    ['Risk', signal.riskLabel],
    ['Strategy', strategyText(params.strategy)],
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
        <span className="text-label text-muted">{verdict.text}</span>
        <span className="ml-auto flex flex-wrap gap-2">
          <button type="button" className="btn btn-small" onClick={onOpen}>
            Details
          </button>
          {children}
        </span>
      </div>
      <dl className="grid grid-cols-[repeat(auto-fit,minmax(112px,1fr))] gap-x-3 gap-y-2 border-t border-line pt-2">
        {figures.map(([name, value, note]) => (
          <div key={name}>
            <dt className="text-label text-muted">{name}</dt>
            <dd className="font-medium">{value}</dd>
            {note !== undefined && <dd className="text-label text-muted">{note}</dd>}
          </div>
        ))}
      </dl>
      <p className="text-label text-muted">{basisText(basis)}</p>
      <LiquidationNote signal={{ ...signal, ...levels }} />
      <AiOpinion signal={signal} isFull={false} onMore={onOpen} />
    </Panel>
  );
}

const RATIONALE_MAX = 60;

/** Whole hours from 60 minutes on, whole minutes below, at least one of them. */
export function horizonText(minutes: number | null): string | null {
  if (minutes === null || !Number.isFinite(minutes)) return null;
  return minutes >= 60 ? `~${Math.max(1, Math.round(minutes / 60))}h` : `~${Math.max(1, Math.round(minutes))}m`;
}

/** Null when the text is short enough to show in full. */
export const shortRationale = (text: string): string | null =>
  text.length <= RATIONALE_MAX ? null : `${text.slice(0, RATIONALE_MAX).trimEnd()}…`;

/** Whether the price passes the liquidation on its way from entry to stop. */
export function isLiquidatedFirst({ direction, stopLoss, position }: ScanSignal): boolean {
  const liquidation = position.liquidationApprox;
  if (liquidation === null || stopLoss === null) return false;
  return direction === 'LONG' ? liquidation >= stopLoss : liquidation <= stopLoss;
}

/** Which strategy made a signal. @param strategy of its scan; absent: the built-in rules */
export const strategyText = (strategy: { name: string; version: string } | undefined): string =>
  strategy === undefined ? LIVE_RULES : `${strategy.name}, ${shortVersion(strategy.version)}`;
