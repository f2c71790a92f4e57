import { useAppInfo } from '../../api/useSession.ts';
import type { PositionView } from '../../api/positionView.ts';
import { formatMoney, formatPrice } from '../../format/number.ts';
import { Panel } from '../../ui/Panel.tsx';
import { Time } from '../../ui/Time.tsx';
import { SideMark } from './table/SideMark.tsx';

interface Props {
  positions: readonly PositionView[];
  decimalsOf: (symbol: string) => number | undefined;
}

/** Open positions of another market than the service runs on. */
export function WaitingPanel({ positions, decimalsOf }: Props) {
  const app = useAppInfo();
  if (positions.length === 0) return null;
  return (
    <Panel title={`Waiting positions (${positions.length})`} bodyClassName="">
      <p className="border-b border-line px-3 py-2 text-muted">
        Opened on other prices than the {app.data?.market} ones this service runs on now. They wait: nobody watches
        them, they have no price and count in no figure.
      </p>
      <ul className="divide-y divide-line">
        {positions.map((position) => (
          <li key={position.id} className="flex flex-wrap items-baseline gap-x-4 gap-y-0.5 px-3 py-1.5">
            <span>
              <span className="font-medium">{position.symbol}</span> <SideMark side={position.side} />{' '}
              <span className="text-muted">{position.leverage}x</span>
            </span>
            <span className="text-warn">{position.market}</span>
            <span className="text-muted">
              entry <span className="font-mono">{formatPrice(position.entryPrice, decimalsOf(position.symbol))}</span>,
              size <span className="font-mono">{formatMoney(position.notional)}</span> USDT, opened{' '}
              <Time at={position.openedAt} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
