/** Sums over open positions, USDT. */
export interface Exposure {
  /** Net losses at the current stops; a stop in profit counts 0. */
  lossAtStops: number;
  /** Longs less shorts, at their entries. */
  netNotional: number;
}

/** The fields of an open position that count; amounts in USDT. */
export interface OpenRisk {
  side: 'LONG' | 'SHORT';
  notional: number;
  loss_at_current_stop: number | null;
}

export const exposureOf = (open: readonly OpenRisk[]): Exposure => ({
  lossAtStops: open.reduce((sum, { loss_at_current_stop: loss }) => sum + Math.max(0, loss ?? 0), 0),
  netNotional: open.reduce((sum, { side, notional }) => sum + (side === 'LONG' ? 1 : -1) * notional, 0),
});

/** Equity that the guards which size down are shares of, USDT: realised, without the marks of open positions. */
export const guardedEquity = (balanceUsdt: number, realisedUsdt: number): number =>
  Math.max(0, balanceUsdt + realisedUsdt);

/** A sum of open positions in percent of `guardedEquity`; 0 without any, null when no equity is left to compare with. */
export function shareOfEquity(usdt: number, equity: number): number | null {
  if (usdt === 0) return 0;
  return equity > 0 ? (usdt / equity) * 100 : null;
}
