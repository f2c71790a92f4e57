import { useAppInfo } from '../../../api/useSession.ts';
import type { PositionView } from '../../../api/positionView.ts';

/** Says which prices a position was opened on, when they are not those the service runs on. */
export function MarketMark({ market }: Pick<PositionView, 'market'>) {
  const served = useAppInfo().data?.market;
  return served === undefined || served === market ? null : <span className="text-warn">{market}</span>;
}
