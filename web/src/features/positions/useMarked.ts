import { PAGE_PRICE_AGE_MS_MAX } from '@sextant/workers/src/limits.ts';
import { useOpenPositions, useOpenPrices } from '../../api/positions.ts';
import type { PositionView } from '../../api/positionView.ts';
import { useTickDecimals } from '../../api/symbols.ts';
import { useAppInfo } from '../../api/useSession.ts';
import { useNow } from '../../ui/Time.tsx';
import { mark } from './mark.ts';

const LOOK_MS = 5000;

/**
 * Open positions at their last prices; those without a fresh one have no figures. `waiting` are those of another market.
 * `known` is null until the server has answered: no rows and no answer are not the same.
 */
export function useMarked() {
  const open = useOpenPositions();
  const { isServed } = useServed();
  const positions = (open.data ?? []).filter(isServed);
  const { data } = useOpenPrices(positions);
  const nowMs = useNow(LOOK_MS);
  const isFresh = data !== undefined && nowMs - data.confirmedAtMs < PAGE_PRICE_AGE_MS_MAX;
  const prices = new Map(isFresh ? data.prices.map(({ symbol, price }) => [symbol, price]) : []);
  const decimalsOf = useTickDecimals();
  const missing = new Map(isFresh ? data.missing.map(({ symbol, why }) => [symbol, why]) : []);
  const rows = positions.map((position) =>
    mark(position, prices.get(position.symbol) ?? null, missing.get(position.symbol)),
  );
  return {
    open,
    rows,
    known: open.data === undefined ? null : rows,
    waiting: (open.data ?? []).filter((position) => !isServed(position)),
    confirmedAtMs: positions.length > 0 && data !== undefined ? data.confirmedAtMs : null,
    decimalsOf,
  };
}

export const marketNames = { simulated: 'simulated', replay: 'replayed', live: 'live' } as const;

/** The market this service runs on, and whether a position is of it: its prices and candles are those of no other. */
export function useServed() {
  const served = useAppInfo().data?.market;
  return {
    served,
    isServed: ({ market }: Pick<PositionView, 'market'>): boolean => served === undefined || market === served,
  };
}
