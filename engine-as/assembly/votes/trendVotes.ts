import { STATUS_OK } from '../../abi/status';
import { VOTE_ADX, VOTE_EMA_CROSS, VOTE_MACD, VOTE_SMA_CROSS, VOTE_SUPERTREND } from '../../abi/votes';
import { closeOf, highOf, lowOf } from '../columns';
import { adx } from '../indicators/adx';
import { ema } from '../indicators/ema';
import { macd } from '../indicators/macd';
import { sma } from '../indicators/sma';
import { supertrend } from '../indicators/supertrend';
import { VoteParameters } from '../records.gen';
import { addressOf } from '../series';
import { writeFirst, columnOf, clearedState } from './columns';
import { voteAbove, voteAdx, voteBreakout, voteSign } from './rules';

/** Votes that follow a trend: MACD, ADX, Supertrend, both crosses. Each indicator is computed into `planes` (scratch, f64[8 * length]) and judged there. */
export function trendVotes(
  columns: usize,
  length: i32,
  parameters: VoteParameters,
  votes: usize,
  stride: i32,
  first: usize,
  planes: usize,
): i32 {
  const high = highOf(columns);
  const low = lowOf(columns);
  const close = closeOf(columns);
  const b = addressOf(planes, length);
  const c = addressOf(planes, 2 * length);

  let slow = <i32>parameters.macdSlow;
  const signal = <i32>parameters.macdSignal;
  let from = writeFirst(first, VOTE_MACD, slow + signal - 2, length);
  macd(close, length, <i32>parameters.macdFast, slow, signal, planes, b, c, clearedState());
  voteSign(c, close, from, length, columnOf(votes, stride, VOTE_MACD));

  let period = <i32>parameters.adxPeriod;
  from = writeFirst(first, VOTE_ADX, 2 * period - 1, length);
  adx(high, low, close, length, period, planes, b, c, clearedState());
  voteAdx(planes, b, c, parameters.adxTrend, from, length, columnOf(votes, stride, VOTE_ADX));

  period = <i32>parameters.supertrendPeriod;
  from = writeFirst(first, VOTE_SUPERTREND, period, length);
  let status = supertrend(high, low, close, length, period, parameters.supertrendMultiple, planes, b, clearedState());
  if (status !== STATUS_OK) return status;
  voteBreakout(b, 0, 0, from, length, columnOf(votes, stride, VOTE_SUPERTREND));

  slow = <i32>parameters.emaCrossSlow;
  from = writeFirst(first, VOTE_EMA_CROSS, slow - 1, length);
  ema(close, length, <i32>parameters.emaCrossFast, planes, clearedState());
  ema(close, length, slow, b, clearedState());
  voteAbove(planes, b, close, from, length, columnOf(votes, stride, VOTE_EMA_CROSS));

  slow = <i32>parameters.smaCrossSlow;
  from = writeFirst(first, VOTE_SMA_CROSS, slow - 1, length);
  status = sma(close, length, <i32>parameters.smaCrossFast, planes, 0);
  if (status === STATUS_OK) status = sma(close, length, slow, b, 0);
  if (status === STATUS_OK) voteAbove(planes, b, close, from, length, columnOf(votes, stride, VOTE_SMA_CROSS));
  return status;
}
