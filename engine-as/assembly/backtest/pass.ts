import { CLOSE_END, CLOSE_NONE, OPEN_DONE, OPEN_MARGIN_SHORT, OPEN_TOO_SMALL } from '../../abi/backtest';
import { STATUS_OK, STATUS_OUT_OF_MEMORY } from '../../abi/status';
import { arenaReserve } from '../memory';
import { Bar, Frame, Trade } from '../records.gen';
import { at, put } from '../series';
import { closePosition } from '../simulate/close';
import { isAmbiguous, isStopNearer } from '../simulate/exit';
import { openPosition } from '../simulate/open';
import { stepPosition } from '../simulate/step';
import { readBar, readParts } from './bars';
import { resetClock } from './clock';
import { netPnlAt, writeTrade } from './trade';

/**
 * Walks the scored candles once: fill what was decided, step what is open, mark to market, decide on the closed bar.
 * @param isRecorded also writes trades and equity; without it only the summary's running counts and net PnL are kept
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
    if (pending !== 0 && enter(frame, bar, pending)) entryIndex = i;
    if (position.side !== 0) {
      summary.heldBarCount += 1;
      if (hold(frame, bar, i, i === count - 1)) {
        if (isRecorded && !record(frame, entryIndex, i)) return STATUS_OUT_OF_MEMORY;
        book(frame, i);
      }
    }
    if (isRecorded) put(frame.equity, i - start, equityAt(frame, bar.close));
    pending = decide(frame, i); // nothing fills what the last bar decides
  }
  return STATUS_OK;
}

/**
 * Side to open at the next bar's open, 0 for none. A signal that meets an open position is counted and dropped; without
 * equity nothing is decided any more.
 */
function decide(frame: Frame, i: i32): f64 {
  if (!(realisedEquity(frame) > 0)) return 0;
  const threshold = frame.rules.entryThreshold;
  const score = at(frame.score, i);
  const side: f64 = score >= threshold ? 1 : score <= -threshold ? -1 : 0; // NaN is neither
  if (side === 0 || frame.position.side === 0) return side;
  frame.summary.skippedSignalCount += 1;
  return 0;
}

/** Fills the decided entry at the bar's open, or counts why not. */
function enter(frame: Frame, bar: Bar, side: f64): bool {
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
  const available = realisedEquity(frame); // no other position holds margin
  const answer = openPosition(rules, tiers, tierCount, position, side, time, bar.open, available);
  if (answer === OPEN_TOO_SMALL) summary.droppedTooSmallCount += 1;
  if (answer === OPEN_MARGIN_SHORT) summary.droppedMarginCount += 1;
  if (answer !== OPEN_DONE) return false;
  if (!isStopNearer(position)) summary.stopBeyondLiquidationCount += 1;
  return true;
}

/** Steps the open position through the bar; true when it is closed then, by force on the last bar. */
function hold(frame: Frame, bar: Bar, i: i32, isLast: bool): bool {
  const rules = frame.rules;
  const position = frame.position;
  const isFine = frame.fineCount > 0 && isAmbiguous(rules, position, bar);
  const parts = isFine ? readParts(frame, i) : 0;
  if (stepPosition(rules, position, bar, frame.parts, parts) !== CLOSE_NONE) return true;
  if (isLast) closePosition(rules, position, bar.time, bar.close, CLOSE_END);
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
  const position = frame.position;
  const summary = frame.summary;
  summary.tradeCount += 1;
  summary.ambiguousCount += position.isAmbiguous;
  summary.netPnl += netPnlAt(position, position.exitPrice);
  position.side = 0;
  if (!(realisedEquity(frame) > 0)) summary.ruinIndex = i;
}

/** State of the account while no position is open. */
function realisedEquity(frame: Frame): f64 {
  return frame.rules.initialEquity + frame.summary.netPnl;
}

/** Mark to market: what is realised, and what the open position is worth at `close` after its costs so far. */
function equityAt(frame: Frame, close: f64): f64 {
  const position = frame.position;
  const realised = realisedEquity(frame);
  return position.side !== 0 ? realised + netPnlAt(position, close) : realised;
}
