import { STATUS_OK } from '../../abi/status';
import { VOTE_BOLL, VOTE_CCI, VOTE_RSI, VOTE_STOCHRSI } from '../../abi/votes';
import { closeOf, highOf, lowOf } from '../columns';
import { boll } from '../indicators/boll';
import { cci } from '../indicators/cci';
import { rsi } from '../indicators/rsi';
import { stochrsi } from '../indicators/stochrsi';
import { VoteParameters } from '../records.gen';
import { addressOf } from '../series';
import { writeFirst, columnOf, clearedState } from './columns';
import { voteBreakout, voteReturn, voteReversal, voteStochRsi } from './rules';

/** Votes of the oscillators: RSI, Bollinger bands, CCI, stochastic RSI. Each indicator is computed into `planes` (scratch, f64[8 * length]) and judged there. */
export function oscillatorVotes(
  columns: usize,
  length: i32,
  parameters: VoteParameters,
  votes: usize,
  stride: i32,
  first: usize,
  planes: usize,
): i32 {
  const close = closeOf(columns);
  const b = addressOf(planes, length);
  const c = addressOf(planes, 2 * length);

  let period = <i32>parameters.rsiPeriod;
  let from = writeFirst(first, VOTE_RSI, period, length);
  rsi(close, length, period, planes, clearedState());
  const rsiVotes = columnOf(votes, stride, VOTE_RSI);
  voteReversal(planes, parameters.rsiOversold, parameters.rsiOverbought, from, length, rsiVotes);

  period = <i32>parameters.bollPeriod;
  from = writeFirst(first, VOTE_BOLL, period - 1, length);
  let status = boll(close, length, period, parameters.bollWidth, planes, b, c, 0);
  if (status !== STATUS_OK) return status;
  voteReturn(close, planes, c, from, length, columnOf(votes, stride, VOTE_BOLL));

  period = <i32>parameters.cciPeriod;
  from = writeFirst(first, VOTE_CCI, period - 1, length);
  status = cci(highOf(columns), lowOf(columns), close, length, period, planes, 0);
  if (status !== STATUS_OK) return status;
  const cciVotes = columnOf(votes, stride, VOTE_CCI);
  voteBreakout(planes, -parameters.cciBreakout, parameters.cciBreakout, from, length, cciVotes);

  period = <i32>parameters.stochrsiRsi;
  const stoch = <i32>parameters.stochrsiStochastic;
  const k = <i32>parameters.stochrsiK;
  const d = <i32>parameters.stochrsiD;
  from = writeFirst(first, VOTE_STOCHRSI, period + stoch + k + d - 3, length);
  status = stochrsi(close, length, period, stoch, k, d, planes, b, clearedState(), 0);
  if (status !== STATUS_OK) return status;
  const stochVotes = columnOf(votes, stride, VOTE_STOCHRSI);
  voteStochRsi(planes, b, parameters.stochrsiOversold, parameters.stochrsiOverbought, from, length, stochVotes);
  return STATUS_OK;
}
