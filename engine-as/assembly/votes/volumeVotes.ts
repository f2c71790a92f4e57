import * as preset from '../../abi/defaults';
import { STATUS_OK } from '../../abi/status';
import { VOTE_MFI, VOTE_OBV, VOTE_VWAP } from '../../abi/votes';
import { closeOf, highOf, lowOf, timeOf, volumeOf } from '../columns';
import { mfi } from '../indicators/mfi';
import { obv } from '../indicators/obv';
import { sma } from '../indicators/sma';
import { sessionVwap } from '../indicators/vwap';
import { addressOf } from '../series';
import { begin, columnOf, fresh } from './columns';
import { silenceWithoutVolume, voteAbove, voteOrder, voteReversal } from './rules';

/** Votes that need volume: VWAP, MFI, OBV; silent on a candle without any. Each indicator is computed into `planes` (scratch, f64[8 * length]) and judged there. */
export function volumeVotes(columns: usize, length: i32, votes: usize, stride: i32, first: usize, planes: usize): i32 {
  const high = highOf(columns);
  const low = lowOf(columns);
  const close = closeOf(columns);
  const volume = volumeOf(columns);
  const b = addressOf(planes, length);

  let from = begin(first, VOTE_VWAP, 0, length);
  sessionVwap(timeOf(columns), high, low, close, volume, length, planes, fresh());
  voteAbove(close, planes, close, from, length, columnOf(votes, stride, VOTE_VWAP));
  silenceWithoutVolume(volume, from, length, columnOf(votes, stride, VOTE_VWAP));

  from = begin(first, VOTE_MFI, preset.MFI_PERIOD, length);
  let status = mfi(high, low, close, volume, length, preset.MFI_PERIOD, planes, 0);
  if (status !== STATUS_OK) return status;
  const mfiVotes = columnOf(votes, stride, VOTE_MFI);
  voteReversal(planes, preset.MFI_OVERSOLD, preset.MFI_OVERBOUGHT, from, length, mfiVotes);
  silenceWithoutVolume(volume, from, length, mfiVotes);

  from = begin(first, VOTE_OBV, preset.OBV_MEAN_PERIOD - 1, length);
  obv(close, volume, length, planes, fresh());
  status = sma(planes, length, preset.OBV_MEAN_PERIOD, b, 0);
  if (status !== STATUS_OK) return status;
  voteOrder(planes, b, from, length, columnOf(votes, stride, VOTE_OBV));
  silenceWithoutVolume(volume, from, length, columnOf(votes, stride, VOTE_OBV));
  return STATUS_OK;
}
