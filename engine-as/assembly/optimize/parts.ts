import { CLOSE_LIQUIDATION, CLOSE_NONE, CLOSE_STOP_LOSS, CLOSE_TAKE_PROFIT, TARGET_LIMIT } from '../../abi/backtest';
import { copyParts, findParts } from '../backtest/bars';
import { resetClock } from '../backtest/clock';
import { Frame, Market, Rules } from '../records.gen';
import { at } from '../series';

/** Finds the finer candles that cover each bar, once for all sets. */
export function writePartRanges(market: Market): void {
  const frame = market.frame;
  const count = market.count;
  const ranges = market.partRanges;
  resetClock(frame);
  for (let i = 0; i < count; i++) findParts(frame, i, ranges + ((<usize>i) << 3));
}

/** Address of the range of bar `i` in a run with the last bar `last`, whose own range is behind those of all bars (runEnd.ts). */
function rangeOf(market: Market, i: i32, last: i32): usize {
  const place = i === last ? market.count : i;
  return market.partRanges + ((<usize>place) << 3);
}

/** Copies the finer candles that cover bar `i` to the frame's parts and returns their number. */
export function readPartsOf(market: Market, i: i32, last: i32): i32 {
  const frame = market.frame;
  const count = market.partRanges === 0 ? 0 : copyRange(frame, rangeOf(market, i, last));
  if (count === 0) noteOpen(frame, i);
  return count;
}

function copyRange(frame: Frame, range: usize): i32 {
  return copyParts(frame, load<i32>(range), load<i32>(range, 4));
}

/**
 * Marks bar `i`, whose order of exits is open, as not covered by finer candles, when the search requests it (`asked` in abi/records.ts).
 */
function noteOpen(frame: Frame, i: i32): void {
  if (frame.asked !== 0) store<i32>(frame.asked + ((<usize>i) << 2), -1);
}

/** Undisturbed price of the last exit that was settled, NaN for a liquidation; and 1 where a finer candle was ambiguous itself. */
let settledPrice: f64 = NaN;
let settledAmbiguous: f64 = 0;

export function settledPriceOf(): f64 {
  return settledPrice;
}

export function settledAmbiguousOf(): f64 {
  return settledAmbiguous;
}

/**
 * Which exit comes first in an ambiguous bar, by its finer candles, as stepPosition decides it. Levels times the side; a NaN liquidation
 * means none.
 * @param worst last price of the bar that is worst for the position, times the side
 * @param mark  the same of its mark price: without it there is no liquidation, and alone it does not give the time
 * @returns CLOSE_*; CLOSE_NONE without finer candles, and when none of them reaches a level
 */
export function settleByParts(
  market: Market,
  rules: Rules,
  i: i32,
  last: i32,
  side: f64,
  stop: f64,
  target: f64,
  level: f64,
  worst: f64,
  mark: f64,
): i32 {
  if (isLiquidatedByMark(worst, mark, stop, level)) return CLOSE_NONE;
  const liquidation = mark <= level ? level : NaN;
  const frame = market.frame;
  const range = market.partRanges === 0 ? 0 : rangeOf(market, i, last);
  if (range === 0 || load<i32>(range) === load<i32>(range, 4)) {
    noteOpen(frame, i);
    return CLOSE_NONE;
  }
  const goods = side > 0 ? frame.fineHigh : frame.fineLow;
  const bads = side > 0 ? frame.fineLow : frame.fineHigh;
  const isLimit = <i32>rules.targetOrder === TARGET_LIMIT;
  const end = load<i32>(range, 4);
  for (let part = load<i32>(range); part < end; part++) {
    const good = side * at(goods, part);
    const bad = side * at(bads, part);
    const isReached = isLimit ? good > target : good >= target;
    const isLost = bad <= stop || bad <= liquidation;
    if (!(isReached || isLost) || !(at(frame.fineVolume, part) > 0)) continue;
    return settleIn(frame, rules, part, side, stop, target, liquidation, isReached, isLost, bad);
  }
  return CLOSE_NONE;
}

/** As in simulate/exit.ts: the loss inside the bar is a liquidation that only the mark price reaches. */
function isLiquidatedByMark(worst: f64, mark: f64, stop: f64, liquidation: f64): bool {
  if (!(mark <= liquidation) || worst <= liquidation) return false;
  return !(worst <= stop) || stop <= liquidation;
}

/** The exit in finer candle `part`, which reaches a level. */
function settleIn(
  frame: Frame,
  rules: Rules,
  part: i32,
  side: f64,
  stop: f64,
  target: f64,
  liquidation: f64,
  isReached: bool,
  isLost: bool,
  bad: f64,
): i32 {
  const open = side * at(frame.fineOpen, part);
  settledAmbiguous = 0;
  if (open <= liquidation) return settle(CLOSE_LIQUIDATION, NaN);
  if (open <= stop) return settle(CLOSE_STOP_LOSS, side * open);
  const isLimit = <i32>rules.targetOrder === TARGET_LIMIT;
  if (isLimit ? open > target : open >= target) return settle(CLOSE_TAKE_PROFIT, side * open);
  settledAmbiguous = f64(isReached && isLost);
  if (isReached && (rules.isTargetFirst > 0 || !isLost)) return settle(CLOSE_TAKE_PROFIT, side * target);
  // A continuous path reaches the nearer of the two first.
  if (bad <= liquidation && (!(bad <= stop) || stop <= liquidation)) return settle(CLOSE_LIQUIDATION, NaN);
  return settle(CLOSE_STOP_LOSS, side * stop);
}

function settle(reason: i32, price: f64): i32 {
  settledPrice = price;
  return reason;
}
