import * as preset from '../../abi/defaults';
import { STATUS_BAD_PARAMETER, STATUS_OK, STATUS_OUT_OF_MEMORY } from '../../abi/status';
import {
  VOTE_ADX,
  VOTE_BOLL,
  VOTE_CCI,
  VOTE_COUNT,
  VOTE_DONCHIAN,
  VOTE_EMA_CROSS,
  VOTE_FIB,
  VOTE_ICHIMOKU,
  VOTE_ICH_ALIGN,
  VOTE_ICH_CLOUD,
  VOTE_MACD,
  VOTE_MFI,
  VOTE_OBV,
  VOTE_PIVOT,
  VOTE_RSI,
  VOTE_SMA_CROSS,
  VOTE_STOCHRSI,
  VOTE_SUPERTREND,
  VOTE_VWAP,
} from '../../abi/votes';
import { closeOf, highOf, lowOf, timeOf, volumeOf } from '../columns';
import { adx } from '../indicators/adx';
import { boll } from '../indicators/boll';
import { cci } from '../indicators/cci';
import { donchian } from '../indicators/donchian';
import { ema } from '../indicators/ema';
import { fib } from '../indicators/fib';
import { ichimoku } from '../indicators/ichimoku';
import { macd } from '../indicators/macd';
import { mfi } from '../indicators/mfi';
import { obv } from '../indicators/obv';
import { pivot } from '../indicators/pivot';
import { rsi } from '../indicators/rsi';
import { sma } from '../indicators/sma';
import { stochrsi } from '../indicators/stochrsi';
import { supertrend } from '../indicators/supertrend';
import { sessionVwap } from '../indicators/vwap';
import { arenaMark, arenaRelease, arenaReserve } from '../memory';
import { addressOf, at } from '../series';
import { voteIchimoku } from './ichimokuRules';
import {
  silenceWithoutVolume,
  voteAbove,
  voteAdx,
  voteBreakout,
  voteChannel,
  voteFib,
  voteOrder,
  voteReturn,
  voteReversal,
  voteSign,
  voteStochRsi,
} from './rules';

/** Scratch columns shared by all votes: the most any indicator puts out (fib). */
const PLANES = 8;
const kept = memory.data(128, 16);

/** Every vote of every candle. Signature and layout: abi/voteExports.ts. */
export function votes(columns: usize, length: i32, votes: usize, stride: i32, first: usize): i32 {
  if (length < 0 || stride < length) return STATUS_BAD_PARAMETER;
  const mark = arenaMark();
  const planes = arenaReserve(<usize>length * PLANES * 8);
  if (planes === 0) return STATUS_OUT_OF_MEMORY;
  for (let k = 0; k < VOTE_COUNT; k++) memory.fill(votes + <usize>k * <usize>stride, 0, <usize>length);
  let status = trendVotes(columns, length, votes, stride, first, planes);
  if (status === STATUS_OK) status = reversalVotes(columns, length, votes, stride, first, planes);
  if (status === STATUS_OK) status = volumeVotes(columns, length, votes, stride, first, planes);
  if (status === STATUS_OK) status = levelVotes(columns, length, votes, stride, first, planes);
  arenaRelease(mark);
  return status;
}

/** Notes where vote `k` begins and returns that candle. */
function begin(first: usize, k: i32, warmup: i32, length: i32): i32 {
  const candle = min(warmup, length);
  store<i32>(first + ((<usize>k) << 2), candle);
  return candle;
}

function columnOf(votes: usize, stride: i32, k: i32): usize {
  return votes + <usize>k * <usize>stride;
}

/** A cleared streaming state: every vote is computed as a whole series. */
function fresh(): usize {
  memory.fill(kept, 0, 128);
  return kept;
}

function trendVotes(columns: usize, length: i32, votes: usize, stride: i32, first: usize, planes: usize): i32 {
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

function reversalVotes(columns: usize, length: i32, votes: usize, stride: i32, first: usize, planes: usize): i32 {
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

function volumeVotes(columns: usize, length: i32, votes: usize, stride: i32, first: usize, planes: usize): i32 {
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

function levelVotes(columns: usize, length: i32, votes: usize, stride: i32, first: usize, planes: usize): i32 {
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
