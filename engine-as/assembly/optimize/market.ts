import {
  BAR_ATR,
  BAR_FUNDING_AT_OPEN,
  BAR_FUNDING_INSIDE,
  BAR_HIGH,
  BAR_LENGTH,
  BAR_LOW,
  BAR_MARK_HIGH,
  BAR_MARK_LOW,
  BAR_MARK_OPEN,
  BAR_OPEN,
  BAR_TIME,
  BAR_VOLUME,
  FRAME_COUNT,
  FRAME_FUNDING_AT_OPEN,
  FRAME_FUNDING_INSIDE,
  FRAME_HIGH,
  FRAME_LOW,
  FRAME_RULES,
  FRAME_TIME,
  POSITION_LENGTH,
  RULES_LENGTH,
} from '../../abi/backtest';
import {
  MARKET_BARS,
  MARKET_COUNT,
  MARKET_DAILY,
  MARKET_DAY_LAST,
  MARKET_EQUITY,
  MARKET_FIRST,
  MARKET_FRAME,
  MARKET_FUNDED,
  MARKET_FUNDINGS,
  MARKET_HALVES,
  MARKET_HIGHS,
  MARKET_INTERVAL,
  MARKET_LOWS,
  MARKET_PADDING,
  MARKET_POSITION,
  MARKET_RULES,
  MARKET_SCALE,
  MARKET_SET,
  MARKET_STATES,
  MARKET_STRIDE,
  MARKET_TABLES,
  SET_LENGTH,
} from '../../abi/optimize';
import { STATUS_OK, STATUS_OUT_OF_MEMORY } from '../../abi/status';
import { BACKTEST_VOTE_COUNT, WEIGHT_TENTHS_MAX } from '../../abi/votes';
import { column, number, setSlot } from '../backtest/frame';
import { fundingByBar } from '../backtest/funding';
import { arenaReserve } from '../memory';
import { addressOf, at, put } from '../series';
import { stepsOf, writeScale } from './quantise';
import { intervalOf } from '../stats/dailyReturns';
import { PAIR_COUNT, STATE_NONE, writeHalves } from './signal';

const DAY_MS: f64 = 86_400_000;

/**
 * Prepares one symbol for many parameter sets.
 * @param frame  i32[FRAME_LENGTH] with candles, funding, tiers and the rules that all sets share; without mark prices, finer
 *               candles and ATR
 * @param votes  i8[13 * voteStride], vote after vote
 * @param first  i32[13]: first defined candle of each vote
 * @param market i32[MARKET_LENGTH], written; what it points at stays in the arena
 */
export function optimizePrepare(frame: usize, votes: usize, voteStride: i32, first: usize, market: usize): i32 {
  const count = number(frame, FRAME_COUNT);
  const stride = (count + MARKET_PADDING + 15) & ~15;
  setSlot(market, MARKET_FRAME, frame);
  setSlot(market, MARKET_COUNT, <usize>count);
  setSlot(market, MARKET_STRIDE, <usize>stride);
  setSlot(market, MARKET_FIRST, first);
  if (!reserveMarket(frame, market, count, stride)) return STATUS_OUT_OF_MEMORY;
  fundingByBar(frame);
  writeBars(frame, column(market, MARKET_BARS), count);
  writeFundings(frame, column(market, MARKET_FUNDED), column(market, MARKET_FUNDINGS), count);
  writeSteps(frame, market, count, stride);
  put(column(market, MARKET_INTERVAL), 0, intervalOf(column(frame, FRAME_TIME), count));
  writeDays(column(frame, FRAME_TIME), column(market, MARKET_DAY_LAST), count);
  writeStates(votes, voteStride, column(market, MARKET_STATES), count, stride);
  writeHalves(column(market, MARKET_HALVES));
  memory.copy(column(market, MARKET_RULES), column(frame, FRAME_RULES), (<usize>RULES_LENGTH) << 3);
  return STATUS_OK;
}

function reserveMarket(frame: usize, market: usize, count: i32, stride: i32): bool {
  return (
    take(frame, FRAME_FUNDING_AT_OPEN, count << 3) &&
    take(frame, FRAME_FUNDING_INSIDE, count << 3) &&
    take(market, MARKET_STATES, PAIR_COUNT * stride) &&
    take(market, MARKET_LOWS, stride << 1) &&
    take(market, MARKET_HIGHS, stride << 1) &&
    take(market, MARKET_BARS, (count * BAR_LENGTH) << 3) &&
    take(market, MARKET_FUNDED, count << 3) &&
    take(market, MARKET_FUNDINGS, (2 * count + 4) << 3) &&
    take(market, MARKET_HALVES, 2 * (WEIGHT_TENTHS_MAX + 1) * 16) &&
    take(market, MARKET_TABLES, PAIR_COUNT * 16) &&
    take(market, MARKET_SCALE, 24) &&
    take(market, MARKET_RULES, RULES_LENGTH << 3) &&
    take(market, MARKET_POSITION, POSITION_LENGTH << 3) &&
    take(market, MARKET_SET, SET_LENGTH << 3) &&
    take(market, MARKET_EQUITY, count << 3) &&
    take(market, MARKET_DAILY, count << 3) &&
    take(market, MARKET_DAY_LAST, count << 2) &&
    take(market, MARKET_INTERVAL, 8)
  );
}

function take(struct: usize, slot: i32, bytes: i32): bool {
  const address = arenaReserve(<usize>bytes);
  setSlot(struct, slot, address);
  return address !== 0;
}

/** Every bar as the position step wants it, so that a set copies nothing. */
function writeBars(frame: usize, bars: usize, count: i32): void {
  for (let i = 0; i < count; i++) {
    const bar = addressOf(bars, i * BAR_LENGTH);
    for (let field = BAR_TIME; field <= BAR_VOLUME; field++) put(bar, field, at(column(frame, FRAME_TIME + field), i));
    put(bar, BAR_MARK_OPEN, at(bar, BAR_OPEN));
    put(bar, BAR_MARK_HIGH, at(bar, BAR_HIGH));
    put(bar, BAR_MARK_LOW, at(bar, BAR_LOW));
    put(bar, BAR_ATR, NaN);
    put(bar, BAR_FUNDING_AT_OPEN, at(column(frame, FRAME_FUNDING_AT_OPEN), i));
    put(bar, BAR_FUNDING_INSIDE, at(column(frame, FRAME_FUNDING_INSIDE), i));
  }
}

/** Every funding in order, and how many there are by the open and by the close of each bar. Adding a 0 changes no sum. */
function writeFundings(frame: usize, funded: usize, fundings: usize, count: i32): void {
  let known = 0;
  for (let i = 0; i < count; i++) {
    const place = funded + ((<usize>i) << 3);
    known = append(fundings, known, at(column(frame, FRAME_FUNDING_AT_OPEN), i));
    store<i32>(place, known);
    known = append(fundings, known, at(column(frame, FRAME_FUNDING_INSIDE), i));
    store<i32>(place, known, 4);
  }
}

function append(fundings: usize, known: i32, amount: f64): i32 {
  if (amount === 0) return known;
  put(fundings, known, amount);
  return known + 1;
}

/** A candle belongs to the UTC day it opens in. */
function writeDays(times: usize, lasts: usize, count: i32): void {
  let last = count - 1;
  for (let i = count - 1; i >= 0; i--) {
    if (i + 1 < count && Math.floor(at(times, i) / DAY_MS) !== Math.floor(at(times, i + 1) / DAY_MS)) last = i;
    store<i32>(lasts + ((<usize>i) << 2), last);
  }
}

function writeSteps(frame: usize, market: usize, count: i32, stride: i32): void {
  const lows = column(frame, FRAME_LOW);
  const highs = column(frame, FRAME_HIGH);
  const bars = column(market, MARKET_BARS);
  const scale = column(market, MARKET_SCALE);
  let lowest: f64 = Infinity;
  let highest: f64 = -Infinity;
  for (let i = 0; i < count; i++) {
    lowest = Math.min(lowest, at(lows, i));
    highest = Math.max(highest, at(highs, i));
  }
  writeScale(lowest, highest, scale);
  for (let i = 0; i < stride; i++) {
    let low: i32 = -32768; // the padding is touched by every level, which ends a search
    let high: i32 = 32767;
    if (i < count) {
      const steps = stepsOf(f64x2.replace_lane(f64x2.splat(at(lows, i)), 1, at(highs, i)), scale);
      // Nothing is filled without volume, so such a bar is out of every level's reach.
      const trades = at(addressOf(bars, i * BAR_LENGTH), BAR_VOLUME) > 0;
      low = trades ? i32x4.extract_lane(steps, 0) : 32767;
      high = trades ? i32x4.extract_lane(steps, 2) : -32768;
    }
    store<i16>(column(market, MARKET_LOWS) + ((<usize>i) << 1), <i16>low);
    store<i16>(column(market, MARKET_HIGHS) + ((<usize>i) << 1), <i16>high);
  }
}

function writeStates(votes: usize, voteStride: i32, states: usize, count: i32, stride: i32): void {
  memory.fill(states, STATE_NONE, <usize>(PAIR_COUNT * stride));
  for (let pair = 0; pair < PAIR_COUNT; pair++) {
    const first = votes + <usize>(2 * pair * voteStride);
    const second = first + <usize>voteStride;
    const out = states + <usize>(pair * stride);
    const isPair = 2 * pair + 1 < BACKTEST_VOTE_COUNT;
    for (let i: usize = 0; i < <usize>count; i++) {
      const other = isPair ? <i32>load<i8>(second + i) : 0;
      store<u8>(out + i, <u8>((<i32>load<i8>(first + i) + 1) * 3 + other + 1));
    }
  }
}
