import * as preset from '../../abi/defaults';
import { INDICATOR_STATE_LENGTH } from '../../abi/indicatorKinds';
import { STATUS_BAD_PARAMETER, STATUS_OK, STATUS_OUT_OF_MEMORY } from '../../abi/status';
import {
  BACKTEST_VOTE_COUNT,
  VOTE_ADX,
  VOTE_BOLL,
  VOTE_CCI,
  VOTE_DONCHIAN,
  VOTE_FIB,
  VOTE_ICHIMOKU,
  VOTE_MACD,
  VOTE_MFI,
  VOTE_OBV,
  VOTE_RSI,
  VOTE_STOCHRSI,
  VOTE_SUPERTREND,
  VOTE_VWAP,
} from '../../abi/votes';
import { closeOf, highOf, lowOf, timeOf, volumeOf } from '../columns';
import { adx } from '../indicators/adx';
import { boll } from '../indicators/boll';
import { cci } from '../indicators/cci';
import { donchian } from '../indicators/donchian';
import { macd } from '../indicators/macd';
import { mfi } from '../indicators/mfi';
import { obv } from '../indicators/obv';
import { rsi } from '../indicators/rsi';
import { sma } from '../indicators/sma';
import { stochrsi } from '../indicators/stochrsi';
import { supertrend } from '../indicators/supertrend';
import { sessionVwap } from '../indicators/vwap';
import { arenaMark, arenaRelease, arenaReserve } from '../memory';
import { addressOf, at } from '../series';
import { voteIchimoku } from '../votes/ichimokuRules';
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
} from '../votes/rules';
import { lastLines } from './lastLines';
import { lastLeg } from './lastLeg';

/** Most columns that one indicator puts out (fib). */
const PLANES = 8;
const DAY_MS: f64 = 86_400_000;
const state = memory.data(INDICATOR_STATE_LENGTH << 3, 16);
const spare = memory.data(16);

/** The state of an indicator that has seen no candle. One room serves all: they run one after the other. */
function freshState(): usize {
  memory.fill(state, 0, INDICATOR_STATE_LENGTH << 3);
  return state;
}

/**
 * The thirteen backtest votes of the last candle alone: the same kernels and rules as votes(), which compute a candle's window indicators
 * from its window only, so the bits are the same; recurrences walk the series once. Default parameters only; votes() computes custom
 * parameters.
 * @param votes  i8[13]; 0 for a vote that is not defined yet
 * @param isLive u8[13]; 1 for a vote that is
 * @returns      STATUS_OK, STATUS_BAD_PARAMETER without a candle, STATUS_OUT_OF_MEMORY
 */
export function lastVotes(columns: usize, length: i32, votes: usize, isLive: usize): i32 {
  if (length < 1) return STATUS_BAD_PARAMETER;
  const mark = arenaMark();
  const planes = arenaReserve(<usize>length * PLANES * 8);
  if (planes === 0) return STATUS_OUT_OF_MEMORY;
  memory.fill(votes, 0, BACKTEST_VOTE_COUNT);
  memory.fill(isLive, 0, BACKTEST_VOTE_COUNT);
  let status = recurrences(columns, length, votes, isLive, planes);
  if (status === STATUS_OK) status = windows(columns, length, votes, isLive, planes);
  if (status === STATUS_OK) status = volumes(columns, length, votes, isLive, planes);
  if (status === STATUS_OK) status = levels(columns, length, votes, isLive, planes);
  arenaRelease(mark);
  return status;
}

/** First candle to vote on, `length` during the warm-up, when the rules write nothing. */
function live(isLive: usize, k: i32, warmup: i32, length: i32): i32 {
  if (length - 1 < warmup) return length;
  store<u8>(isLive + <usize>k, 1);
  return length - 1;
}

/** Where vote `k` of the last candle lands when a rule writes candle length - 1 of its column. */
function cell(votes: usize, k: i32, length: i32): usize {
  return votes + <usize>k - <usize>(length - 1);
}

function recurrences(columns: usize, length: i32, votes: usize, isLive: usize, planes: usize): i32 {
  const high = highOf(columns);
  const low = lowOf(columns);
  const close = closeOf(columns);
  const b = addressOf(planes, length);
  const c = addressOf(planes, 2 * length);

  let from = live(isLive, VOTE_MACD, preset.MACD_SLOW + preset.MACD_SIGNAL - 2, length);
  macd(close, length, preset.MACD_FAST, preset.MACD_SLOW, preset.MACD_SIGNAL, planes, b, c, freshState());
  voteSign(c, close, from, length, cell(votes, VOTE_MACD, length));

  from = live(isLive, VOTE_ADX, 2 * preset.ADX_PERIOD - 1, length);
  adx(high, low, close, length, preset.ADX_PERIOD, planes, b, c, freshState());
  voteAdx(planes, b, c, preset.ADX_TREND, from, length, cell(votes, VOTE_ADX, length));

  from = live(isLive, VOTE_SUPERTREND, preset.SUPERTREND_PERIOD, length);
  const period = preset.SUPERTREND_PERIOD;
  const multiple = preset.SUPERTREND_MULTIPLE;
  const status = supertrend(high, low, close, length, period, multiple, planes, b, freshState());
  if (status !== STATUS_OK) return status;
  voteBreakout(b, 0, 0, from, length, cell(votes, VOTE_SUPERTREND, length));
  return STATUS_OK;
}

function windows(columns: usize, length: i32, votes: usize, isLive: usize, planes: usize): i32 {
  const close = closeOf(columns);
  const last = length - 1;
  const b = addressOf(planes, length);
  const c = addressOf(planes, 2 * length);

  let from = live(isLive, VOTE_BOLL, preset.BOLL_PERIOD - 1, length);
  let status = boll(close, length, preset.BOLL_PERIOD, preset.BOLL_WIDTH, planes, b, c, last);
  if (status !== STATUS_OK) return status;
  voteReturn(close, planes, c, from, length, cell(votes, VOTE_BOLL, length));

  from = live(isLive, VOTE_CCI, preset.CCI_PERIOD - 1, length);
  status = cci(highOf(columns), lowOf(columns), close, length, preset.CCI_PERIOD, planes, last);
  if (status !== STATUS_OK) return status;
  voteBreakout(planes, -preset.CCI_BREAKOUT, preset.CCI_BREAKOUT, from, length, cell(votes, VOTE_CCI, length));

  const stoch = preset.STOCHRSI_STOCH;
  const k = preset.STOCHRSI_K;
  const d = preset.STOCHRSI_D;
  from = live(isLive, VOTE_STOCHRSI, preset.STOCHRSI_RSI + stoch + k + d - 3, length);
  // The mean of K reads the K of the candles before.
  const wanted = max(0, last - 2 * d);
  status = stochrsi(close, length, preset.STOCHRSI_RSI, stoch, k, d, planes, b, freshState(), wanted);
  if (status !== STATUS_OK) return status;
  const oversold = preset.STOCHRSI_OVERSOLD;
  const overbought = preset.STOCHRSI_OVERBOUGHT;
  voteStochRsi(planes, b, oversold, overbought, from, length, cell(votes, VOTE_STOCHRSI, length));

  // With the same period the RSI continues from the state of the stochastic RSI, so that the candles are walked once.
  const begun = preset.STOCHRSI_RSI === preset.RSI_PERIOD ? state : freshState();
  from = live(isLive, VOTE_RSI, preset.RSI_PERIOD, length);
  rsi(close, length, preset.RSI_PERIOD, planes, begun);
  voteReversal(planes, preset.RSI_OVERSOLD, preset.RSI_OVERBOUGHT, from, length, cell(votes, VOTE_RSI, length));
  return STATUS_OK;
}

function volumes(columns: usize, length: i32, votes: usize, isLive: usize, planes: usize): i32 {
  const high = highOf(columns);
  const low = lowOf(columns);
  const close = closeOf(columns);
  const volume = volumeOf(columns);
  const last = length - 1;
  const b = addressOf(planes, length);

  const from = live(isLive, VOTE_VWAP, 0, length);
  const start = dayStart(timeOf(columns), last);
  const skip = (<usize>start) << 3;
  sessionVwap(
    timeOf(columns) + skip,
    high + skip,
    low + skip,
    close + skip,
    volume + skip,
    length - start,
    planes + skip,
    freshState(),
  );
  voteAbove(close, planes, close, from, length, cell(votes, VOTE_VWAP, length));
  silenceWithoutVolume(volume, from, length, cell(votes, VOTE_VWAP, length));

  const mfiFrom = live(isLive, VOTE_MFI, preset.MFI_PERIOD, length);
  let status = mfi(high, low, close, volume, length, preset.MFI_PERIOD, planes, last);
  if (status !== STATUS_OK) return status;
  voteReversal(planes, preset.MFI_OVERSOLD, preset.MFI_OVERBOUGHT, mfiFrom, length, cell(votes, VOTE_MFI, length));
  silenceWithoutVolume(volume, mfiFrom, length, cell(votes, VOTE_MFI, length));

  const obvFrom = live(isLive, VOTE_OBV, preset.OBV_MEAN_PERIOD - 1, length);
  obv(close, volume, length, planes, freshState());
  status = sma(planes, length, preset.OBV_MEAN_PERIOD, b, last);
  if (status !== STATUS_OK) return status;
  voteOrder(planes, b, obvFrom, length, cell(votes, VOTE_OBV, length));
  silenceWithoutVolume(volume, obvFrom, length, cell(votes, VOTE_OBV, length));
  return STATUS_OK;
}

/** First candle of the UTC day of candle `last`: the session's sums start there. */
function dayStart(time: usize, last: i32): i32 {
  const midnight = floor(at(time, last) / DAY_MS) * DAY_MS;
  let start = last;
  while (start > 0 && at(time, start - 1) >= midnight) start--;
  return start;
}

function levels(columns: usize, length: i32, votes: usize, isLive: usize, planes: usize): i32 {
  const high = highOf(columns);
  const low = lowOf(columns);
  const close = closeOf(columns);
  const last = length - 1;
  const b = addressOf(planes, length);
  const c = addressOf(planes, 2 * length);
  const d = addressOf(planes, 3 * length);

  const channelFrom = live(isLive, VOTE_DONCHIAN, preset.DONCHIAN_PERIOD, length);
  let status = donchian(high, low, length, preset.DONCHIAN_PERIOD, planes, b, last);
  if (status !== STATUS_OK) return status;
  voteChannel(close, planes, b, channelFrom, length, cell(votes, VOTE_DONCHIAN, length));

  const lag = preset.ICHIMOKU_DISPLACEMENT;
  const span = preset.ICHIMOKU_SPAN;
  const cloudFrom = live(isLive, VOTE_ICHIMOKU, span + lag - 2, length);
  if (cloudFrom < length) lastLines(high, low, last, planes, b, c, d);
  const unwanted = spare - <usize>last; // the parts of this vote are votes of live tuning only
  voteIchimoku(
    close,
    planes,
    b,
    c,
    d,
    cloudFrom,
    cloudFrom,
    length,
    cell(votes, VOTE_ICHIMOKU, length),
    unwanted,
    unwanted,
  );

  status = lastLeg(high, low, length, preset.FIB_REACH, planes, freshState());
  if (status !== STATUS_OK) return status;
  // NaN until the first leg is confirmed, and defined from there on.
  const fibFrom = isNaN(at(c, last)) ? length : live(isLive, VOTE_FIB, 0, length);
  const near = preset.FIB_ZONE_NEAR;
  voteFib(planes, b, c, close, near, preset.FIB_ZONE_FAR, fibFrom, length, cell(votes, VOTE_FIB, length));
  return STATUS_OK;
}
