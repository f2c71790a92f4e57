import * as preset from '../../abi/defaults';
import { STATUS_OK } from '../../abi/status';
import { VOTE_BOLL, VOTE_CCI, VOTE_RSI, VOTE_STOCHRSI } from '../../abi/votes';
import { closeOf, highOf, lowOf } from '../columns';
import { boll } from '../indicators/boll';
import { cci } from '../indicators/cci';
import { rsi } from '../indicators/rsi';
import { stochrsi } from '../indicators/stochrsi';
import { addressOf } from '../series';
import { begin, columnOf, fresh } from './columns';
import { voteBreakout, voteReturn, voteReversal, voteStochRsi } from './rules';

/** Votes of the oscillators: RSI, Bollinger bands, CCI, stochastic RSI. Each indicator is computed into `planes` (scratch, f64[8 * length]) and judged there. */
export function oscillatorVotes(
  columns: usize,
  length: i32,
  votes: usize,
  stride: i32,
  first: usize,
  planes: usize,
): i32 {
  const close = closeOf(columns);
  const b = addressOf(planes, length);
  const c = addressOf(planes, 2 * length);

  let from = begin(first, VOTE_RSI, preset.RSI_PERIOD, length);
  rsi(close, length, preset.RSI_PERIOD, planes, fresh());
  const rsiVotes = columnOf(votes, stride, VOTE_RSI);
  voteReversal(planes, preset.RSI_OVERSOLD, preset.RSI_OVERBOUGHT, from, length, rsiVotes);

  from = begin(first, VOTE_BOLL, preset.BOLL_PERIOD - 1, length);
  let status = boll(close, length, preset.BOLL_PERIOD, preset.BOLL_WIDTH, planes, b, c, 0);
  if (status !== STATUS_OK) return status;
  voteReturn(close, planes, c, from, length, columnOf(votes, stride, VOTE_BOLL));

  from = begin(first, VOTE_CCI, preset.CCI_PERIOD - 1, length);
  status = cci(highOf(columns), lowOf(columns), close, length, preset.CCI_PERIOD, planes, 0);
  if (status !== STATUS_OK) return status;
  const cciVotes = columnOf(votes, stride, VOTE_CCI);
  voteBreakout(planes, -preset.CCI_BREAKOUT, preset.CCI_BREAKOUT, from, length, cciVotes);

  const warmup = preset.STOCHRSI_RSI + preset.STOCHRSI_STOCH + preset.STOCHRSI_K + preset.STOCHRSI_D - 3;
  from = begin(first, VOTE_STOCHRSI, warmup, length);
  const stoch = preset.STOCHRSI_STOCH;
  status = stochrsi(
    close,
    length,
    preset.STOCHRSI_RSI,
    stoch,
    preset.STOCHRSI_K,
    preset.STOCHRSI_D,
    planes,
    b,
    fresh(),
    0,
  );
  if (status === STATUS_OK) voteStochRsi(planes, b, from, length, columnOf(votes, stride, VOTE_STOCHRSI));
  return status;
}
