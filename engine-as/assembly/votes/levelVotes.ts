import { STATUS_OK } from '../../abi/status';
import { VOTE_DONCHIAN, VOTE_FIB, VOTE_PIVOT } from '../../abi/votes';
import { closeOf, highOf, lowOf, timeOf } from '../columns';
import { donchian } from '../indicators/donchian';
import { fib } from '../indicators/fib';
import { pivot } from '../indicators/pivot';
import { VoteParameters } from '../records.gen';
import { addressOf, at } from '../series';
import { writeFirst, columnOf, clearedState } from './columns';
import { ichimokuVotes } from './ichimokuVotes';
import { voteAbove, voteChannel, voteFib } from './rules';

/** Votes on levels: Donchian, the three of Ichimoku, Fibonacci, pivot. Each indicator is computed into `planes` (scratch, f64[8 * length]) and judged there. */
export function levelVotes(
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

  const period = <i32>parameters.donchianPeriod;
  const donchianFrom = writeFirst(first, VOTE_DONCHIAN, period, length);
  let status = donchian(high, low, length, period, planes, b, 0);
  if (status !== STATUS_OK) return status;
  voteChannel(close, planes, b, donchianFrom, length, columnOf(votes, stride, VOTE_DONCHIAN));

  status = ichimokuVotes(columns, length, parameters, votes, stride, first, planes);
  if (status !== STATUS_OK) return status;

  status = fib(high, low, length, <i32>parameters.fibReach, planes, length, clearedState());
  if (status !== STATUS_OK) return status;
  const fibFrom = writeFirst(first, VOTE_FIB, firstDefined(c, length), length);
  const fibVotes = columnOf(votes, stride, VOTE_FIB);
  voteFib(planes, b, c, close, parameters.fibNear, parameters.fibFar, fibFrom, length, fibVotes);

  pivot(timeOf(columns), high, low, close, length, planes, length, clearedState());
  const pivotFrom = writeFirst(first, VOTE_PIVOT, firstDefined(planes, length), length);
  voteAbove(close, planes, close, pivotFrom, length, columnOf(votes, stride, VOTE_PIVOT));
  return STATUS_OK;
}

/** First candle that is not NaN, or `length`. */
function firstDefined(series: usize, length: i32): i32 {
  let i = 0;
  while (i < length && isNaN(at(series, i))) i++;
  return i;
}
