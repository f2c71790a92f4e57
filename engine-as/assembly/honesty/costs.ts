/**
 * Flat fee on every fill at which the same trades end at zero; negative when they already lose before fees.
 * @param grossPnl  price gains after slippage, before fees and funding, quote currency
 * @param funding   paid, quote currency
 * @param turnover  sum of the notionals of all fills, quote currency
 * @returns         fraction of the notional; NaN without turnover
 */
export function breakEvenFee(grossPnl: f64, funding: f64, turnover: f64): f64 {
  return turnover > 0 ? (grossPnl - funding) / turnover : NaN;
}

/**
 * Plateau score 0..1: how much of the best set's lead over an ordinary random set its neighbours keep.
 * @param best      target value of the best set
 * @param neighbour median target value of the sets one step away from it
 * @param ordinary  median target value of the random search
 * @returns         1: the neighbours are as good (a plateau); 0: they are ordinary (a spike); NaN without a lead
 */
export function plateauScore(best: f64, neighbour: f64, ordinary: f64): f64 {
  const lead = best - ordinary;
  if (!(lead > 0)) return NaN;
  const retained = (neighbour - ordinary) / lead;
  return retained < 0 ? 0 : retained > 1 ? 1 : retained;
}

/**
 * One-sided p-value of a measured result among simulated ones; the measured one counts as one of them, so it is never 0.
 * Source: Davison, Hinkley, Bootstrap Methods and their Application (1997), eq. 4.11.
 */
export function simulatedPValue(atLeastAsGoodCount: f64, simulationCount: f64): f64 {
  return (1.0 + atLeastAsGoodCount) / (1.0 + simulationCount);
}
