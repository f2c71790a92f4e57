import { type SizingCosts, lossAtStop } from './sizing.ts';

/** A closed position. Prices in quote currency, money in USDT. */
export interface ClosedRisk {
  side: 'LONG' | 'SHORT';
  /** Average of its entries. */
  entryPrice: number;
  /** All that was entered. */
  quantity: number;
  /** Stop of the opening. */
  firstStop: number;
  /** Net loss at the first stop, as stored at the opening. */
  lossAtFirstStop: number;
  /** It has one entry and one exit. */
  isSingle: boolean;
}

/**
 * What a position risked, USDT: the net loss at its first stop. One that was entered or left in parts counts all that was entered, at its
 * average price.
 */
export const riskedUsdt = (
  { side, entryPrice, quantity, firstStop, lossAtFirstStop, isSingle }: ClosedRisk,
  costs: SizingCosts,
): number => (isSingle ? lossAtFirstStop : lossAtStop({ side, entryPrice, stopPrice: firstStop, quantity }, costs));

/** A net result in multiples of the risk: 2 is twice what was risked. Null: nothing was at risk. */
export const riskMultiple = (netUsdt: number, risked: number): number | null => (risked > 0 ? netUsdt / risked : null);
