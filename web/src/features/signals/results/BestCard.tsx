import { useTickDecimals } from '../../../api/symbols.ts';
import type { ConfidenceBasis, Scan, ScanSignal } from '../../../api/types.ts';
import { basisText, confidenceText, expectedText, scoreText } from '../../../format/confidence.ts';
import { formatPercent, formatPrice } from '../../../format/number.ts';
import { Panel } from '../../../ui/Panel.tsx';
import { Time } from '../../../ui/Time.tsx';
import { AiOpinion, DirectionMark, LiquidationNote } from './SignalParts.tsx';
import { horizonText, reasonCode, reasonText, strategyText } from './signalText.ts';

interface Props {
  signal: ScanSignal;
  /** By what its confidence was stated. */
  basis: ConfidenceBasis | undefined;
  at: string;
  /** The saved strategy that made it; absent: Live rules. */
  strategy: Scan['params']['strategy'];
  onOpen: () => void;
}

/** The first of the ranking. */
export function BestCard({ signal, basis, at, strategy, onOpen }: Props) {
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
    <Panel
      title="Best signal"
      aside={
        <>
          scan of <Time at={at} />
        </>
      }
      bodyClassName="flex flex-col gap-3 p-3"
    >
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p className="flex items-baseline gap-2">
          <span className="text-page font-semibold">{signal.symbol}</span>
          <span className="text-muted">{signal.interval}</span>
          <DirectionMark direction={signal.direction} />
        </p>
        <span className="text-label text-muted">{reasonText(reasonCode(signal.outcome, signal.filtered_by))}</span>
        <button type="button" className="btn btn-small ml-auto" onClick={onOpen}>
          Details
        </button>
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
