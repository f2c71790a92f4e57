import {
  RESULT_CALMAR,
  RESULT_GAIN,
  RESULT_LOSS,
  RESULT_NET_PNL,
  RESULT_SHARPE,
  RESULT_SORTINO,
  RESULT_TRADE_COUNT,
  RESULT_WIN_COUNT,
  TARGET_CALMAR,
  TARGET_EXPECTANCY,
  TARGET_PROFIT_FACTOR,
  TARGET_SHARPE,
  TARGET_SORTINO,
  TARGET_WIN_RATE,
  TRADES_MIN,
  WIN_RATE_TRADES_MIN,
} from '../../abi/optimize';
import { at } from '../series';

/** Value that the search maximises; -Infinity for a set that the target does not rank. See docs/optimiser.md. */
export function targetValue(result: usize, target: i32): f64 {
  const trades = at(result, RESULT_TRADE_COUNT);
  if (trades < TRADES_MIN) return -Infinity;
  const gain = at(result, RESULT_GAIN);
  const loss = at(result, RESULT_LOSS);
  if (target === TARGET_WIN_RATE) {
    // A far stop and a near target win almost always and lose the fees: only sets that earn money are ranked.
    return trades >= WIN_RATE_TRADES_MIN && gain > loss ? at(result, RESULT_WIN_COUNT) / trades : -Infinity;
  }
  if (target === TARGET_PROFIT_FACTOR) return loss > 0 ? gain / loss : -Infinity;
  if (target === TARGET_EXPECTANCY) return at(result, RESULT_NET_PNL) / trades;
  if (target === TARGET_SHARPE) return ranked(at(result, RESULT_SHARPE));
  if (target === TARGET_SORTINO) return ranked(at(result, RESULT_SORTINO));
  if (target === TARGET_CALMAR) return ranked(at(result, RESULT_CALMAR));
  return at(result, RESULT_NET_PNL);
}

export function needsEquity(target: i32): bool {
  return target === TARGET_SHARPE || target === TARGET_SORTINO || target === TARGET_CALMAR;
}

function ranked(value: f64): f64 {
  return isNaN(value) ? -Infinity : value;
}
