import type { PositionView } from '../../api/positionView.ts';
import { formatMoney, formatPrice } from '../../format/number.ts';
import { Panel } from '../../ui/Panel.tsx';
import { Time } from '../../ui/Time.tsx';
import { MarketMark, SideMark } from './table/SideMark.tsx';
import { marketNames, useServed } from './useMarked.ts';

interface Props {
  positions: readonly PositionView[];
  decimalsOf: (symbol: string) => number | undefined;
}

/** Open positions of another market than the service runs on. */
export function WaitingPanel({ positions, decimalsOf }: Props) {
  const { served } = useServed();
  if (positions.length === 0 || served === undefined) return null;
  return (
    <Panel title={`Waiting positions (${positions.length})`} bodyClassName="">
      <p className="border-b border-line px-3 py-2 text-muted">
        Opened on another market; this service now uses {marketNames[served]} prices. Until the other market returns,
        these positions have no price, are not watched and count in no figure.
      </p>
      <ul className="divide-y divide-line">
        {positions.map((position) => (
          <li key={position.id} className="flex flex-wrap items-baseline gap-x-4 gap-y-0.5 px-3 py-1.5 text-label">
            <span>
              <span className="font-medium">{position.symbol}</span> <SideMark side={position.side} />{' '}
              <span className="text-muted">{position.leverage}x</span>
            </span>
            <MarketMark market={position.market} />
            <span className="text-muted">
              entry <span className="font-mono">{formatPrice(position.entryPrice, decimalsOf(position.symbol))}</span>
            </span>
            <span className="text-muted">
              size <span className="font-mono">{formatMoney(position.notional)}</span> USDT
            </span>
            <span className="whitespace-nowrap text-muted">
              opened <Time at={position.openedAt} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
