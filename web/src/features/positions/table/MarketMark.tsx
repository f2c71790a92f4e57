import type { PositionView } from '../../../api/positionView.ts';
import { marketNames, useServed } from '../useServed.ts';

/** Says which prices a position was opened on, when they are not those the service runs on. */
export function MarketMark(position: Pick<PositionView, 'market'>) {
  const { isServed } = useServed();
  return isServed(position) ? null : <span className="text-warn">{marketNames[position.market]}</span>;
}
