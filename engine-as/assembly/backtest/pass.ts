import {
  CLOSE_END,
  CLOSE_NONE,
  LEAVING_BY_RULE,
  LEAVING_BY_SIGNAL,
  OPEN_DONE,
  OPEN_MARGIN_SHORT,
  OPEN_TOO_SMALL,
  OPPOSITE_HOLD,
  OPPOSITE_REVERSE,
} from '../../abi/backtest';
import { RULE_EXITS_LONG, RULE_EXITS_SHORT } from '../../abi/ruleProgram';
import { STATUS_OK, STATUS_OUT_OF_MEMORY } from '../../abi/status';
import { arenaReserve } from '../memory';
import { Bar, Frame, Position, Rules, Trade } from '../records.gen';
import { at, put } from '../series';
import { closePosition } from '../simulate/close';
import { isInQuestion, isStopNearer } from '../simulate/exit';
import { openScaled } from '../simulate/open';
import { scaleOf } from '../simulate/size';
import { stepPosition } from '../simulate/step';
import { readBar, readParts } from './bars';
import { resetClock } from './clock';
import { netPnlAt, writeTrade } from '../simulate/trade';

/**
 * Walks the scored candles once: fills pending entries, steps the open position, marks to market, decides on the closed bar.
 * @param isRecorded also writes trades and equity; otherwise only the summary's running counts and net PnL are updated
 */
export function runPass(frame: Frame, isRecorded: bool): i32 {
  const count = frame.count;
  const start = count - <i32>frame.rules.scoredCount;
  const position = frame.position;
  const summary = frame.summary;
  position.side = 0;
  resetClock(frame);
  let pending: f64 = 0; // side decided on the previous bar
  let entryIndex = 0;
  for (let i = start; i < count; i++) {
    const bar = readBar(frame, i);
    const wasHeld = position.side !== 0;
    if (pending !== 0) {
      // A reversal: one position leaves at the open, the other is entered there.
      if (wasHeld && bar.volume > 0 && !end(frame, bar, entryIndex, i, isRecorded)) return STATUS_OUT_OF_MEMORY;
      if (enter(frame, bar, pending, i)) entryIndex = i;
    }
    if (wasHeld || position.side !== 0) summary.heldBarCount += 1;
    if (position.side !== 0 && !end(frame, bar, entryIndex, i, isRecorded)) return STATUS_OUT_OF_MEMORY;
    if (isRecorded) put(frame.equity, i - start, equityAt(frame, bar.close));
    pending = decide(frame, i); // the last bar's decision is never filled
  }
  return STATUS_OK;
}

/** Takes the open position through the bar and books it when that closes it; false without memory for its trade. */
function end(frame: Frame, bar: Bar, entryIndex: i32, i: i32, isRecorded: bool): bool {
  if (!hold(frame, bar, i, i === frame.count - 1)) return true;
  if (isRecorded && !record(frame, entryIndex, i)) return false;
  book(frame, i);
  return true;
}

/**
 * Side to open at the next bar's open, 0 for none. An exit of own rules closes an open position of its side, and an opposite signal does when
 * the rules say so, else it is counted and dropped; without equity no decision is made.
 */
function decide(frame: Frame, i: i32): f64 {
  return realisedEquity(frame) > 0 ? decideSide(frame, i) : 0;
}

/** The same for an account that has equity. */
export function decideSide(frame: Frame, i: i32): f64 {
  const position = frame.position;
  if (frame.exits !== 0 && isLeftByRule(frame.exits, position, i)) position.isLeaving = LEAVING_BY_RULE;
  const rules = frame.rules;
  const threshold = rules.entryThreshold;
  const score = at(frame.score, i);
  const side: f64 = score >= threshold ? 1 : score <= -threshold ? -1 : 0; // NaN is neither
  if (side === 0) return 0;
  const isTaken = isEntered(rules, frame.range, i, side);
  if (position.side === 0) return isTaken ? side : 0;
  const answer = <i32>rules.onOpposite;
  if (side !== position.side && answer !== OPPOSITE_HOLD) {
    if (!(position.isLeaving > 0)) position.isLeaving = LEAVING_BY_SIGNAL;
    return isTaken && answer === OPPOSITE_REVERSE ? side : 0;
  }
  if (isTaken) frame.summary.skippedSignalCount += 1;
  return 0;
}

/** A position is open, does not leave already, and the bit of its side is set at candle `i`. */
function isLeftByRule(exits: usize, position: Position, i: i32): bool {
  const side = position.side;
  if (side === 0 || position.isLeaving > 0) return false;
  return (<i32>load<u8>(exits + <usize>i) & (side > 0 ? RULE_EXITS_LONG : RULE_EXITS_SHORT)) !== 0;
}

/** The rules enter this side, and a level that is measured by the average true range has one. */
function isEntered(rules: Rules, ranges: usize, i: i32, side: f64): bool {
  if (rules.direction !== 0 && rules.direction !== side) return false;
  return !(rules.stopAtr > 0 || rules.targetAtr > 0) || (ranges !== 0 && at(ranges, i) > 0);
}

/** Fills the decided entry at the bar's open, or counts why not. */
function enter(frame: Frame, bar: Bar, side: f64, i: i32): bool {
  const available = realisedEquity(frame); // no other position holds margin
  if (!(available > 0)) return false; // a reversal after the exit that ruined the account
  if (!fillEntry(frame, bar, side, i, available, available)) return false;
  if (!isStopNearer(frame.position)) frame.summary.stopBeyondLiquidationCount += 1;
  return true;
}

/**
 * Opens the frame's position at the open of bar `i`, or counts why not.
 * @param balance   what compounding sizes follow
 * @param available part of it that is no margin of another position
 */
export function fillEntry(frame: Frame, bar: Bar, side: f64, i: i32, balance: f64, available: f64): bool {
  const summary = frame.summary;
  if (!(bar.volume > 0)) {
    summary.droppedNoVolumeCount += 1;
    return false;
  }
  const position = frame.position;
  const tiers = frame.tiers;
  const rules = frame.rules;
  const tierCount = frame.tierCount;
  const time = bar.time;
  const range = frame.range !== 0 ? at(frame.range, i - 1) : NaN;
  const entryMax = frame.entryMax !== 0 ? at(frame.entryMax, i) : Infinity;
  const impact = bar.impact;
  const open = bar.open;
  const scale = scaleOf(rules, tiers, tierCount, balance);
  const answer = openScaled(
    rules,
    tiers,
    tierCount,
    position,
    side,
    time,
    open,
    available,
    scale,
    range,
    impact,
    entryMax,
  );
  if (answer === OPEN_TOO_SMALL) summary.droppedTooSmallCount += 1;
  if (answer === OPEN_MARGIN_SHORT) summary.droppedMarginCount += 1;
  return answer === OPEN_DONE;
}

/** Steps the open position through the bar; true when it is closed then, by force on the last bar. */
export function hold(frame: Frame, bar: Bar, i: i32, isLast: bool): bool {
  const rules = frame.rules;
  const position = frame.position;
  const isAsked = (frame.fineCount > 0 || frame.asked !== 0) && isInQuestion(rules, position, bar);
  const parts = isAsked && frame.fineCount > 0 ? readParts(frame, i) : 0;
  if (isAsked && frame.asked !== 0) store<i32>(frame.asked + ((<usize>i) << 2), parts > 0 ? parts : -1);
  if (stepPosition(rules, position, bar, frame.parts, parts) !== CLOSE_NONE) return true;
  if (isLast) closePosition(rules, position, bar.time, bar.close, CLOSE_END, bar.impact);
  return isLast;
}

/** Trades adjoin because nothing else reserves memory during a pass. */
function record(frame: Frame, entryIndex: i32, exitIndex: i32): bool {
  const trade = arenaReserve(offsetof<Trade>());
  if (trade === 0) return false;
  if (frame.trades === 0) frame.trades = trade;
  writeTrade(frame.position, entryIndex, exitIndex, changetype<Trade>(trade));
  return true;
}

/** Adds the position that candle `i` closed to the running counts and leaves no position. */
function book(frame: Frame, i: i32): void {
  bookTrade(frame);
  if (!(realisedEquity(frame) > 0)) frame.summary.ruinIndex = i;
}

/** Adds the closed position to the running counts of its symbol and leaves no position. */
export function bookTrade(frame: Frame): void {
  const position = frame.position;
  const summary = frame.summary;
  summary.tradeCount += 1;
  summary.ambiguousCount += position.isAmbiguous;
  summary.netPnl += netPnlAt(position, position.exitPrice);
  position.side = 0;
}

/** State of the account while no position is open. */
function realisedEquity(frame: Frame): f64 {
  return frame.rules.initialEquity + frame.summary.netPnl;
}

/** Mark to market: realised equity plus the value of the open position at `close`, net of its costs so far. */
function equityAt(frame: Frame, close: f64): f64 {
  const position = frame.position;
  const realised = realisedEquity(frame);
  return position.side !== 0 ? realised + netPnlAt(position, close) : realised;
}
