import * as preset from '../../abi/defaults';
import { STATUS_OK } from '../../abi/status';
import { VOTE_ADX, VOTE_EMA_CROSS, VOTE_MACD, VOTE_SMA_CROSS, VOTE_SUPERTREND } from '../../abi/votes';
import { closeOf, highOf, lowOf } from '../columns';
import { adx } from '../indicators/adx';
import { ema } from '../indicators/ema';
import { macd } from '../indicators/macd';
import { sma } from '../indicators/sma';
import { supertrend } from '../indicators/supertrend';
import { addressOf } from '../series';
import { begin, columnOf, fresh } from './columns';
import { voteAbove, voteAdx, voteBreakout, voteSign } from './rules';

/** Votes that follow a trend: MACD, ADX, Supertrend, both crosses. Each indicator is computed into `planes` (scratch, f64[8 * length]) and judged there. */
export function trendVotes(columns: usize, length: i32, votes: usize, stride: i32, first: usize, planes: usize): i32 {
  const high = highOf(columns);
  const low = lowOf(columns);
  const close = closeOf(columns);
  const b = addressOf(planes, length);
  const c = addressOf(planes, 2 * length);

  let from = begin(first, VOTE_MACD, preset.MACD_SLOW + preset.MACD_SIGNAL - 2, length);
  macd(close, length, preset.MACD_FAST, preset.MACD_SLOW, preset.MACD_SIGNAL, planes, b, c, fresh());
  voteSign(c, close, from, length, columnOf(votes, stride, VOTE_MACD));

  from = begin(first, VOTE_ADX, 2 * preset.ADX_PERIOD - 1, length);
  adx(high, low, close, length, preset.ADX_PERIOD, planes, b, c, fresh());
  voteAdx(planes, b, c, from, length, columnOf(votes, stride, VOTE_ADX));

  from = begin(first, VOTE_SUPERTREND, preset.SUPERTREND_PERIOD, length);
  const period = preset.SUPERTREND_PERIOD;
  let status = supertrend(high, low, close, length, period, preset.SUPERTREND_MULTIPLE, planes, b, fresh());
  if (status !== STATUS_OK) return status;
  voteBreakout(b, 0, 0, from, length, columnOf(votes, stride, VOTE_SUPERTREND));

  from = begin(first, VOTE_EMA_CROSS, preset.EMA_SLOW - 1, length);
  ema(close, length, preset.EMA_FAST, planes, fresh());
  ema(close, length, preset.EMA_SLOW, b, fresh());
  voteAbove(planes, b, close, from, length, columnOf(votes, stride, VOTE_EMA_CROSS));

  from = begin(first, VOTE_SMA_CROSS, preset.SMA_SLOW - 1, length);
  status = sma(close, length, preset.SMA_FAST, planes, 0);
  if (status === STATUS_OK) status = sma(close, length, preset.SMA_SLOW, b, 0);
  if (status === STATUS_OK) voteAbove(planes, b, close, from, length, columnOf(votes, stride, VOTE_SMA_CROSS));
  return status;
}
