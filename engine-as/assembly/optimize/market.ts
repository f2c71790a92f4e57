import { MARKET_PADDING, SET_LENGTH } from '../../abi/optimize';
import { STATUS_OK, STATUS_OUT_OF_MEMORY } from '../../abi/status';
import { BACKTEST_VOTE_COUNT, WEIGHT_TENTHS_MAX } from '../../abi/votes';
import { copyMark, partCountMax } from '../backtest/bars';
import { fundingByBar } from '../backtest/funding';
import { liquidityByBar } from '../backtest/liquidity';
import { arenaReserve } from '../memory';
import { Bar, Clock, Frame, Market, Position, Rules } from '../records.gen';
import { barAt, copyCandle } from '../rows';
import { at, put } from '../series';
import { writeFills } from './fills';
import { writePartRanges } from './parts';
import { stepsOf, writeScale } from './quantise';
import { PAIR_COUNT, STATE_NONE, writeHalves } from './signal';

const DAY_MS: f64 = 86_400_000;

/**
 * Prepares one symbol for many parameter sets.
 * @param frame  with candles, funding, tiers, the rules that all sets share, and mark prices and finer candles where there are any;
 *               without ATR. With `asked`, each set marks there the bars whose order of exits it left open
 * @param votes  i8[13 * voteStride], vote after vote
 * @param first  i32[13]: first defined candle of each vote
 * @param market written; its pointers stay valid in the arena
 */
export function optimizePrepare(frame: Frame, votes: usize, voteStride: i32, first: usize, market: Market): i32 {
  const count = frame.count;
  const stride = (count + MARKET_PADDING + 15) & ~15;
  market.frame = frame;
  market.count = count;
  market.stride = stride;
  market.first = first;
  if (!reserveMarket(frame, market, count, stride)) return STATUS_OUT_OF_MEMORY;
  if (!liquidityByBar(frame)) return STATUS_OUT_OF_MEMORY;
  fundingByBar(frame);
  writeBars(frame, market.bars, count);
  if (!writeFills(market)) return STATUS_OUT_OF_MEMORY;
  writeFundings(frame, market.funded, market.fundings, count);
  market.isDetailed = i32(frame.markOpen !== 0 || frame.fineCount > 0 || frame.asked !== 0);
  if (frame.fineCount > 0) writePartRanges(market);
  writeSteps(frame, market, count, stride);
  market.end = 0;
  writeDays(frame.time, market.dayLast, count);
  writeStates(votes, voteStride, market.states, count, stride);
  writeHalves(market.halves);
  memory.copy(changetype<usize>(market.rules), changetype<usize>(frame.rules), offsetof<Rules>());
  return STATUS_OK;
}

/** True when a reservation has failed since it was cleared. */
let isFull = false;

function take(bytes: usize): usize {
  const address = arenaReserve(bytes);
  if (address === 0) isFull = true;
  return address;
}

function reserveMarket(frame: Frame, market: Market, count: i32, stride: i32): bool {
  const column = (<usize>count) << 3;
  isFull = false;
  const rules = take(offsetof<Rules>());
  const position = take(offsetof<Position>());
  if (isFull) return false;
  market.rules = changetype<Rules>(rules);
  market.position = changetype<Position>(position);
  frame.fundingAtOpen = take(column);
  frame.fundingInside = take(column);
  market.states = take(<usize>(PAIR_COUNT * stride));
  market.lows = take((<usize>stride) << 1);
  market.highs = take((<usize>stride) << 1);
  market.bars = take(<usize>count * offsetof<Bar>());
  market.funded = take((<usize>count) << 2);
  market.fundings = take((<usize>(2 * count + 4)) << 3);
  market.halves = take(2 * (WEIGHT_TENTHS_MAX + 1) * 16);
  market.tables = take(PAIR_COUNT * 16);
  market.scale = take(32);
  market.set = take((<usize>SET_LENGTH) << 3);
  market.equity = take(column);
  market.daily = take(column);
  market.dayLast = take((<usize>count) << 2);
  market.interval = take(8);
  market.endFunding = take(8);
  reserveParts(frame, market, count);
  return !isFull;
}

function reserveParts(frame: Frame, market: Market, count: i32): void {
  market.partRanges = 0;
  if (frame.fineCount === 0) return;
  const clock = take(offsetof<Clock>());
  frame.clock = changetype<Clock>(clock);
  frame.parts = take(<usize>partCountMax(frame) * offsetof<Bar>());
  market.partRanges = take((<usize>(count + 1)) << 3);
}

/** Every bar in the layout of the position step, so that a set copies nothing. */
function writeBars(frame: Frame, bars: usize, count: i32): void {
  const columns = changetype<usize>(frame) + offsetof<Frame>('time');
  for (let i = 0; i < count; i++) {
    const bar = barAt(bars, i);
    copyCandle(columns, i, bar);
    if (frame.markOpen !== 0) copyMark(frame, i, bar);
    bar.fundingAtOpen = at(frame.fundingAtOpen, i);
    bar.fundingInside = at(frame.fundingInside, i);
    if (frame.impact !== 0) bar.impact = at(frame.impact, i);
  }
}

/** Every funding in order, and how many there are by the open of each bar. Adding a 0 changes no sum. */
function writeFundings(frame: Frame, funded: usize, fundings: usize, count: i32): void {
  let known = 0;
  for (let i = 0; i < count; i++) {
    known = append(fundings, known, at(frame.fundingAtOpen, i));
    store<i32>(funded + ((<usize>i) << 2), known);
    known = append(fundings, known, at(frame.fundingInside, i));
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

/** Low and high of the last and the mark price together: what either reaches is found, and decided on the exact prices. */
function writeSteps(frame: Frame, market: Market, count: i32, stride: i32): void {
  const bars = market.bars;
  const scale = market.scale;
  let lowest: f64 = Infinity;
  let highest: f64 = -Infinity;
  let divergence: f64 = 0;
  for (let i = 0; i < count; i++) {
    const bar = barAt(bars, i);
    lowest = Math.min(lowest, Math.min(bar.low, bar.markLow));
    highest = Math.max(highest, Math.max(bar.high, bar.markHigh));
    if (bar.volume > 0) divergence = Math.max(divergence, divergenceIn(bar));
  }
  writeScale(lowest, highest, divergence, scale);
  for (let i = 0; i < stride; i++) {
    let low: i32 = -32768; // the padding is touched by every level, which ends a search
    let high: i32 = 32767;
    if (i < count) {
      const bar = barAt(bars, i);
      const bottom = Math.min(bar.low, bar.markLow);
      const steps = stepsOf(f64x2.replace_lane(f64x2.splat(bottom), 1, Math.max(bar.high, bar.markHigh)), scale);
      // Nothing is filled without volume, so such a bar is out of every level's reach.
      const trades = bar.volume > 0;
      low = trades ? i32x4.extract_lane(steps, 0) : 32767;
      high = trades ? i32x4.extract_lane(steps, 2) : -32768;
    }
    store<i16>(market.lows + ((<usize>i) << 1), <i16>low);
    store<i16>(market.highs + ((<usize>i) << 1), <i16>high);
  }
}

/** Part of the price by which the mark price goes further than the last price at the open, or lower or higher inside the bar. */
function divergenceIn(bar: Bar): f64 {
  const below = bar.low / bar.markLow - 1;
  const above = 1 - bar.high / bar.markHigh;
  return Math.max(Math.max(below, above), Math.abs(bar.open / bar.markOpen - 1));
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
