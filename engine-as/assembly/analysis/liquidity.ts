import { TURNOVER_SHARE_WARNED } from '../../abi/backtest';
import { turnoverOf } from '../backtest/liquidity';
import { quantileOfSorted, sortAscending } from '../honesty/sort';
import { Analysis, Frame, Trade } from '../records.gen';
import { tradeAt } from '../rows';
import { at, put } from '../series';
import { NOISE } from '../simulate/rounding';

/**
 * Shares of the turnover that the fills of a run made up. A fill in a candle without volume, which only the end of the run forces, has
 * none.
 * @param shares f64[2 * trades], scratch
 */
export function liquidityFigures(frame: Frame, shares: usize, out: Analysis): void {
  const count = <i32>frame.summary.tradeCount;
  let known = 0;
  let large = 0;
  let limited = 0;
  for (let k = 0; k < count; k++) {
    const trade = tradeAt(frame.trades, k);
    const entry = shareOf(frame, <i32>trade.entryIndex, trade.quantity * trade.entryPrice);
    const exit = shareOf(frame, <i32>trade.exitIndex, trade.quantity * trade.exitPrice);
    if (entry > TURNOVER_SHARE_WARNED || exit > TURNOVER_SHARE_WARNED) large++;
    if (isLimited(frame, trade)) limited++;
    if (!isNaN(entry)) put(shares, known++, entry);
    if (!isNaN(exit)) put(shares, known++, exit);
  }
  out.largeFillTradeCount = <f64>large;
  out.limitedEntryCount = <f64>limited;
  if (known === 0) return;
  sortAscending(shares, known);
  out.turnoverShareLargest = at(shares, known - 1);
  out.turnoverShareMedian = quantileOfSorted(shares, known, 0.5);
}

/** The next step would be more than the bar lets an entry take. */
function isLimited(frame: Frame, trade: Trade): bool {
  if (frame.entryMax === 0) return false;
  const quantity = trade.quantity * (1 + 2 * NOISE) + frame.rules.stepSize;
  return quantity * trade.entryPrice > at(frame.entryMax, <i32>trade.entryIndex);
}

function shareOf(frame: Frame, i: i32, notional: f64): f64 {
  const turnover = turnoverOf(frame, i);
  return turnover > 0 ? notional / turnover : NaN;
}
