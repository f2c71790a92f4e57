import { IMPACT_MAX } from '../../abi/backtest';

/**
 * What the size of a fill adds to its slippage, fraction of the price: the square-root law of market impact, docs/simulator.md section 12.
 * @param impact of the bar, see `liquidityByBar`; 0: none
 */
export function impactOf(impact: f64, notional: f64): f64 {
  return impact > 0 ? Math.min(IMPACT_MAX, impact * Math.sqrt(notional)) : 0;
}
