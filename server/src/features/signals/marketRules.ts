import type { SizingMarket } from '@sextant/workers/src/positions/sizing.ts';
import type { FuturesSymbol } from '../market/port.ts';

/** Order rules of a symbol for sizing. @param symbol undefined: unknown, so no rule applies */
export const marketRules = (symbol: FuturesSymbol | undefined): SizingMarket => ({
  tickSize: symbol?.tickSize ?? 0,
  stepSize: symbol?.stepSize ?? 0,
  minNotional: symbol?.minNotional ?? 0,
  maxQuantity: symbol?.maxQuantity ?? 0,
  maxLeverage: symbol?.maxLeverage ?? null,
});
