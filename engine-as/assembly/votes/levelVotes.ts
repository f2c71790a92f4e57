import * as preset from '../../abi/defaults';
import { STATUS_OK } from '../../abi/status';
import { VOTE_DONCHIAN, VOTE_FIB, VOTE_ICHIMOKU, VOTE_ICH_ALIGN, VOTE_ICH_CLOUD, VOTE_PIVOT } from '../../abi/votes';
import { closeOf, highOf, lowOf, timeOf } from '../columns';
import { donchian } from '../indicators/donchian';
import { fib } from '../indicators/fib';
import { ichimoku } from '../indicators/ichimoku';
import { pivot } from '../indicators/pivot';
import { addressOf, at } from '../series';
import { begin, columnOf, fresh } from './columns';
import { voteIchimoku } from './ichimokuRules';
import { voteAbove, voteChannel, voteFib } from './rules';

/** Votes on levels: Donchian, the three of Ichimoku, Fibonacci, pivot. Each indicator is computed into `planes` (scratch, f64[8 * length]) and judged there. */
export function levelVotes(columns: usize, length: i32, votes: usize, stride: i32, first: usize, planes: usize): i32 {
  const high = highOf(columns);
  const low = lowOf(columns);
  const close = closeOf(columns);
  const b = addressOf(planes, length);
  const c = addressOf(planes, 2 * length);
  const d = addressOf(planes, 3 * length);

  const donchianFrom = begin(first, VOTE_DONCHIAN, preset.DONCHIAN_PERIOD, length);
  let status = donchian(high, low, length, preset.DONCHIAN_PERIOD, planes, b, 0);
  if (status !== STATUS_OK) return status;
  voteChannel(close, planes, b, donchianFrom, length, columnOf(votes, stride, VOTE_DONCHIAN));

  const alignFrom = begin(first, VOTE_ICH_ALIGN, max(preset.ICHIMOKU_TENKAN, preset.ICHIMOKU_KIJUN) - 1, length);
  const cloudFrom = begin(first, VOTE_ICH_CLOUD, preset.ICHIMOKU_SPAN + preset.ICHIMOKU_DISPLACEMENT - 2, length);
  begin(first, VOTE_ICHIMOKU, preset.ICHIMOKU_SPAN + preset.ICHIMOKU_DISPLACEMENT - 2, length);
  const span = preset.ICHIMOKU_SPAN;
  const lag = preset.ICHIMOKU_DISPLACEMENT;
  status = ichimoku(high, low, length, preset.ICHIMOKU_TENKAN, preset.ICHIMOKU_KIJUN, span, lag, planes, b, c, d, 0);
  if (status !== STATUS_OK) return status;
  const whole = columnOf(votes, stride, VOTE_ICHIMOKU);
  const align = columnOf(votes, stride, VOTE_ICH_ALIGN);
  const cloud = columnOf(votes, stride, VOTE_ICH_CLOUD);
  voteIchimoku(close, planes, b, c, d, alignFrom, cloudFrom, length, whole, align, cloud);

  status = fib(high, low, length, preset.FIB_REACH, planes, length, fresh());
  if (status !== STATUS_OK) return status;
  const fibFrom = begin(first, VOTE_FIB, firstDefined(c, length), length);
  voteFib(planes, b, c, close, fibFrom, length, columnOf(votes, stride, VOTE_FIB));

  pivot(timeOf(columns), high, low, close, length, planes, length, fresh());
  const pivotFrom = begin(first, VOTE_PIVOT, firstDefined(planes, length), length);
  voteAbove(close, planes, close, pivotFrom, length, columnOf(votes, stride, VOTE_PIVOT));
  return STATUS_OK;
}

/** First candle that is not NaN, or `length`. */
function firstDefined(series: usize, length: i32): i32 {
  let i = 0;
  while (i < length && isNaN(at(series, i))) i++;
  return i;
}
