import { ENSEMBLE_VOTE_COUNT } from '../../abi/ensemble';
import { RULES_SET_LENGTH } from '../../abi/optimize';
import { STATUS_BAD_PARAMETER, STATUS_OK, STATUS_OUT_OF_MEMORY } from '../../abi/status';
import { VOTE_COUNT } from '../../abi/votes';
import { isWeighted } from '../ensemble/score';
import { candleOf, isDefined, rowOf, voteOf } from '../ensemble/timeframe';
import { arenaReserve } from '../memory';
import { RulesMarket } from '../records.gen';
import { columnOf } from './rulesScore';

/** Joins the votes of all intervals to the base candles, once for all sets. Contract: abi/optimizeExports.ts. */
export function rulesPrepare(market: RulesMarket): i32 {
  if (!isWeighted(market.rows, market.rowCount, market.weights)) return STATUS_BAD_PARAMETER;
  const stride = (market.count + 31) & ~15; // vectors read and write up to 15 candles past the end
  market.stride = stride;
  market.votes = arenaReserve(<usize>(market.rowCount * VOTE_COUNT) * <usize>stride);
  market.sums = arenaReserve((<usize>stride) << 2);
  market.terms = arenaReserve((<usize>ENSEMBLE_VOTE_COUNT) << 3);
  market.set = arenaReserve((<usize>RULES_SET_LENGTH) << 3);
  if (market.votes === 0 || market.sums === 0 || market.terms === 0 || market.set === 0) return STATUS_OUT_OF_MEMORY;
  for (let t = 0; t < market.rowCount; t++) join(market, t);
  return STATUS_OK;
}

function join(market: RulesMarket, t: i32): void {
  const row = rowOf(market.rows, t);
  for (let vote = 0; vote < VOTE_COUNT; vote++) {
    const column = columnOf(market, t, vote);
    memory.fill(column, 0, <usize>market.stride);
    for (let i = 0; i < market.count; i++) {
      const candle = candleOf(row, i);
      if (isDefined(row, vote, candle)) store<i8>(column + <usize>i, <i8>voteOf(row, vote, candle));
    }
  }
}
