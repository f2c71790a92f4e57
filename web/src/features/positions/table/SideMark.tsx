import { ArrowDown, ArrowUp } from 'lucide-react';
import type { PositionView } from '../../../api/positionView.ts';
import { marketNames, useServed } from '../useMarked.ts';

/** Word and arrow, so that colour is not the only sign. */
export function SideMark({ side }: { side: 'LONG' | 'SHORT' }) {
  const Arrow = side === 'LONG' ? ArrowUp : ArrowDown;
  return (
    <span className={`inline-flex items-baseline gap-1 font-medium ${side === 'LONG' ? 'text-up' : 'text-down'}`}>
      <Arrow size={12} aria-hidden="true" className="self-center" />
      {side}
    </span>
  );
}

/** Says which prices a position was opened on, when they are not those the service runs on. */
export function MarketMark(position: Pick<PositionView, 'market'>) {
  const { isServed } = useServed();
  return isServed(position) ? null : <span className="text-warn">{marketNames[position.market]}</span>;
}
