import type { Candles } from '../protocol/backtest.ts';
import { fail, type TaskResult } from '../protocol/taskResult.ts';

/** Newest candles that have to hold a trade. */
const TRADED_CANDLES = 50;

/** How many of the newest candles have one price; of those without volume when `isSilent`. */
function flatCount({ high, low, volume }: Candles, isSilent: boolean): number {
  const count = high.length;
  const price = high[count - 1];
  let i = count - 1;
  while (i >= 0 && high[i] === price && low[i] === price && (!isSilent || volume[i] === 0)) i--;
  return count - 1 - i;
}

/** Rejects candles of a market that does not trade: no trade in the newest ones, or one price in all of them. Undefined for any other. */
export function rejectDeadMarket(candles: Candles, field: string): TaskResult<never> | undefined {
  const count = candles.time.length;
  const silent = flatCount(candles, true);
  if (count > 0 && silent >= Math.min(count, TRADED_CANDLES))
    return fail('not_trading', `this market is halted: one price and no volume for ${silent} candles`, field);
  if (count > 1 && flatCount(candles, false) === count)
    return fail('not_trading', `this market is flat: one price for ${count} candles`, field);
  return undefined;
}
