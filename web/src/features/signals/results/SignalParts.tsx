import { ArrowDown, ArrowUp } from 'lucide-react';
import { useSnapshot } from 'valtio';
import type { ScanSignal } from '../../../api/types.ts';
import { formatFixed } from '../../../format/number.ts';
import { Notice } from '../../../ui/Notice.tsx';
import { aiCheckState } from '../check/aiChecks.ts';
import { checkText, horizonText, isLiquidatedFirst, shortRationale } from './signalText.ts';

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
