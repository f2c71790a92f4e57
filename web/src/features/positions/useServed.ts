import type { PositionView } from '../../api/positionView.ts';
import { useAppInfo } from '../../api/useSession.ts';

export const marketNames = { simulated: 'simulated', replay: 'replayed', live: 'live' } as const;

/** The market this service runs on, and whether a position is of it: its prices and candles are those of no other. */
export function useServed() {
  const served = useAppInfo().data?.market;
  return {
    served,
    isServed: ({ market }: Pick<PositionView, 'market'>): boolean => served === undefined || market === served,
  };
}
