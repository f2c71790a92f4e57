import { PRICE_AGE_MAX_MS } from '../../api/market.ts';
import { useTickDecimals } from '../../api/symbols.ts';
import { useOpenPositions, useOpenPrices } from '../../api/positions.ts';
import { useNow } from '../../ui/Age.tsx';
import { useServed } from './useServed.ts';
import { mark } from './valuation/mark.ts';

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
  const isFresh = data !== undefined && nowMs - data.confirmedAtMs < PRICE_AGE_MAX_MS;
  const prices = new Map(isFresh ? data.prices.map(({ symbol, price }) => [symbol, price]) : []);
  const decimalsOf = useTickDecimals();
  const rows = positions.map((position) => mark(position, prices.get(position.symbol) ?? null));
  return {
    open,
    rows,
    known: open.data === undefined ? null : rows,
    waiting: (open.data ?? []).filter((position) => !isServed(position)),
    confirmedAtMs: positions.length > 0 && data !== undefined ? data.confirmedAtMs : null,
    decimalsOf,
  };
}
