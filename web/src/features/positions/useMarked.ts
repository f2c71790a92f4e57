import { useOpenPositions, useOpenPrices } from '../../data/positions.ts';
import type { PositionView } from '../../api/positionView.ts';
import { useTickDecimals } from '../../data/symbols.ts';
import { useAppInfo } from '../../api/useSession.ts';
import { useNow } from '../../ui/Time.tsx';
import { markBy } from './mark.ts';

const LOOK_MS = 5000;

/**
 * Open positions at their last prices; positions without a fresh price have no figures. `waiting` are those of another market. `known` is
 * null until the server has responded, to distinguish "no rows" from "not loaded".
 */
export function useMarked() {
  const open = useOpenPositions();
  const { isServed } = useServed();
  const positions = (open.data ?? []).filter(isServed);
  const pricesOn = useOpenPrices(positions);
  const nowMs = useNow(LOOK_MS);
  const decimalsOf = useTickDecimals();
  const rows = positions.map((position) => markBy(position, pricesOn, nowMs));
  const confirmed = [...new Set(positions.map(({ exchange }) => exchange))].flatMap(
    (exchange) => pricesOn[exchange]?.confirmedAtMs ?? [],
  );
  return {
    open,
    rows,
    known: open.data === undefined ? null : rows,
    waiting: (open.data ?? []).filter((position) => !isServed(position)),
    // The oldest confirmation, so that no row is older than stated.
    confirmedAtMs: confirmed.length > 0 ? Math.min(...confirmed) : null,
    decimalsOf,
  };
}

export const marketNames = { simulated: 'simulated', replay: 'replayed', live: 'live' } as const;

/** The market this service runs on, and whether a position belongs to it: only then do prices and candles apply. */
export function useServed() {
  const served = useAppInfo().data?.market;
  return {
    served,
    isServed: ({ market }: Pick<PositionView, 'market'>): boolean => served === undefined || market === served,
  };
}
