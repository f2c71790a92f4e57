import { STATUS_OK } from '../../abi/status';
import { VOTE_MFI, VOTE_OBV, VOTE_VWAP } from '../../abi/votes';
import { closeOf, highOf, lowOf, timeOf, volumeOf } from '../columns';
import { mfi } from '../indicators/mfi';
import { obv } from '../indicators/obv';
import { sma } from '../indicators/sma';
import { rollingVwap, sessionVwap } from '../indicators/vwap';
import { VoteParameters } from '../records.gen';
import { addressOf } from '../series';
import { writeFirst, columnOf, clearedState } from './columns';
import { silenceWithoutVolume, voteAbove, voteOrder, voteReversal } from './rules';

/**
 * Votes that need volume: VWAP, MFI, OBV; 0 on a candle without any. Each indicator is computed into `planes` (scratch, f64[8 * length])
 * and compared there.
 */
export function volumeVotes(
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
  const volume = volumeOf(columns);
  const b = addressOf(planes, length);

  let period = <i32>parameters.vwapPeriod;
  let from = writeFirst(first, VOTE_VWAP, max(0, period - 1), length);
  let status: i32 = STATUS_OK;
  if (period === 0) sessionVwap(timeOf(columns), high, low, close, volume, length, planes, clearedState());
  else status = rollingVwap(high, low, close, volume, length, period, planes, 0);
  if (status !== STATUS_OK) return status;
  voteAbove(close, planes, close, from, length, columnOf(votes, stride, VOTE_VWAP));
  silenceWithoutVolume(volume, from, length, columnOf(votes, stride, VOTE_VWAP));

  period = <i32>parameters.mfiPeriod;
  from = writeFirst(first, VOTE_MFI, period, length);
  status = mfi(high, low, close, volume, length, period, planes, 0);
  if (status !== STATUS_OK) return status;
  const mfiVotes = columnOf(votes, stride, VOTE_MFI);
  voteReversal(planes, parameters.mfiOversold, parameters.mfiOverbought, from, length, mfiVotes);
  silenceWithoutVolume(volume, from, length, mfiVotes);

  period = <i32>parameters.obvMean;
  from = writeFirst(first, VOTE_OBV, period - 1, length);
  obv(close, volume, length, planes, clearedState());
  status = sma(planes, length, period, b, 0);
  if (status !== STATUS_OK) return status;
  voteOrder(planes, b, from, length, columnOf(votes, stride, VOTE_OBV));
  silenceWithoutVolume(volume, from, length, columnOf(votes, stride, VOTE_OBV));
  return STATUS_OK;
}
