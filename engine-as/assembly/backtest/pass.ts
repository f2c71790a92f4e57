import {
  BAR_CLOSE,
  BAR_OPEN,
  BAR_TIME,
  BAR_VOLUME,
  CLOSE_END,
  CLOSE_NONE,
  FRAME_COUNT,
  FRAME_EQUITY,
  FRAME_FINE_COUNT,
  FRAME_PARTS,
  FRAME_POSITION,
  FRAME_RULES,
  FRAME_SCORE,
  FRAME_SUMMARY,
  FRAME_TIER_COUNT,
  FRAME_TIERS,
  FRAME_TRADES,
  OPEN_MARGIN_SHORT,
  OPEN_TOO_SMALL,
  POSITION_EXIT_PRICE,
  POSITION_IS_AMBIGUOUS,
  POSITION_SIDE,
  RULE_ENTRY_THRESHOLD,
  RULE_INITIAL_EQUITY,
  RULE_SCORED_COUNT,
  SUMMARY_AMBIGUOUS_COUNT,
  SUMMARY_DROPPED_MARGIN_COUNT,
  SUMMARY_DROPPED_NO_VOLUME_COUNT,
  SUMMARY_DROPPED_TOO_SMALL_COUNT,
  SUMMARY_HELD_BAR_COUNT,
  SUMMARY_NET_PNL,
  SUMMARY_RUIN_INDEX,
  SUMMARY_SKIPPED_SIGNAL_COUNT,
  SUMMARY_STOP_BEYOND_LIQUIDATION_COUNT,
  SUMMARY_TRADE_COUNT,
  TRADE_LENGTH,
} from '../../abi/backtest';
import { STATUS_OK, STATUS_OUT_OF_MEMORY } from '../../abi/status';
import { arenaReserve } from '../memory';
import { at, put } from '../series';
import { closePosition } from '../simulate/close';
import { isAmbiguous, isStopNearer } from '../simulate/exit';
import { openPosition } from '../simulate/open';
import { stepPosition } from '../simulate/step';
import { readBar, readParts } from './bars';
import { resetClock } from './clock';
import { column, number, setSlot } from './frame';
import { netPnlAt, writeTrade } from './trade';

/**
 * Walks the scored candles once: fill what was decided, step what is open, mark to market, decide on the closed bar.
 * @param isRecorded also writes trades and equity; without it only the summary's running counts and net PnL are kept
 */
export function runPass(frame: usize, isRecorded: bool): i32 {
  const count = number(frame, FRAME_COUNT);
  const start = count - <i32>at(column(frame, FRAME_RULES), RULE_SCORED_COUNT);
  const position = column(frame, FRAME_POSITION);
  const summary = column(frame, FRAME_SUMMARY);
  put(position, POSITION_SIDE, 0);
  resetClock(frame);
  let pending: f64 = 0; // side decided on the previous bar
  let entryIndex = 0;
  for (let i = start; i < count; i++) {
    const bar = readBar(frame, i);
    if (pending !== 0 && enter(frame, bar, pending)) entryIndex = i;
    if (at(position, POSITION_SIDE) !== 0) {
      addTo(summary, SUMMARY_HELD_BAR_COUNT, 1);
      if (hold(frame, bar, i, i === count - 1)) {
        if (isRecorded && !record(frame, entryIndex, i)) return STATUS_OUT_OF_MEMORY;
        book(frame, i);
      }
    }
    if (isRecorded) put(column(frame, FRAME_EQUITY), i - start, equityAt(frame, at(bar, BAR_CLOSE)));
    pending = decide(frame, i); // nothing fills what the last bar decides
  }
  return STATUS_OK;
}

/**
 * Side to open at the next bar's open, 0 for none. A signal that meets an open position is counted and dropped; without
 * equity nothing is decided any more.
 */
function decide(frame: usize, i: i32): f64 {
  if (!(realisedEquity(frame) > 0)) return 0;
  const threshold = at(column(frame, FRAME_RULES), RULE_ENTRY_THRESHOLD);
  const score = at(column(frame, FRAME_SCORE), i);
  const side: f64 = score >= threshold ? 1 : score <= -threshold ? -1 : 0; // NaN is neither
  if (side === 0 || at(column(frame, FRAME_POSITION), POSITION_SIDE) === 0) return side;
  addTo(column(frame, FRAME_SUMMARY), SUMMARY_SKIPPED_SIGNAL_COUNT, 1);
  return 0;
}

/** Fills the decided entry at the bar's open, or counts why not. */
function enter(frame: usize, bar: usize, side: f64): bool {
  const summary = column(frame, FRAME_SUMMARY);
  if (!(at(bar, BAR_VOLUME) > 0)) return drop(summary, SUMMARY_DROPPED_NO_VOLUME_COUNT);
  const position = column(frame, FRAME_POSITION);
  const tiers = column(frame, FRAME_TIERS);
  const rules = column(frame, FRAME_RULES);
  const tierCount = number(frame, FRAME_TIER_COUNT);
  const time = at(bar, BAR_TIME);
  const available = realisedEquity(frame); // no other position holds margin
  const answer = openPosition(rules, tiers, tierCount, position, side, time, at(bar, BAR_OPEN), available);
  if (answer === OPEN_TOO_SMALL) return drop(summary, SUMMARY_DROPPED_TOO_SMALL_COUNT);
  if (answer === OPEN_MARGIN_SHORT) return drop(summary, SUMMARY_DROPPED_MARGIN_COUNT);
  if (!isStopNearer(position)) addTo(summary, SUMMARY_STOP_BEYOND_LIQUIDATION_COUNT, 1);
  return true;
}

function drop(summary: usize, reason: i32): bool {
  addTo(summary, reason, 1);
  return false;
}

/** Steps the open position through the bar; true when it is closed then, by force on the last bar. */
function hold(frame: usize, bar: usize, i: i32, isLast: bool): bool {
  const rules = column(frame, FRAME_RULES);
  const position = column(frame, FRAME_POSITION);
  const isFine = number(frame, FRAME_FINE_COUNT) > 0 && isAmbiguous(rules, position, bar);
  const parts = isFine ? readParts(frame, i) : 0;
  if (stepPosition(rules, position, bar, column(frame, FRAME_PARTS), parts) !== CLOSE_NONE) return true;
  if (isLast) closePosition(rules, position, at(bar, BAR_TIME), at(bar, BAR_CLOSE), CLOSE_END);
  return isLast;
}

/** Trades adjoin because nothing else reserves memory during a pass. */
function record(frame: usize, entryIndex: i32, exitIndex: i32): bool {
  const trade = arenaReserve((<usize>TRADE_LENGTH) << 3);
  if (trade === 0) return false;
  if (column(frame, FRAME_TRADES) === 0) setSlot(frame, FRAME_TRADES, trade);
  writeTrade(column(frame, FRAME_POSITION), entryIndex, exitIndex, trade);
  return true;
}

/** Adds the position that candle `i` closed to the running counts and leaves no position. */
function book(frame: usize, i: i32): void {
  const position = column(frame, FRAME_POSITION);
  const summary = column(frame, FRAME_SUMMARY);
  addTo(summary, SUMMARY_TRADE_COUNT, 1);
  addTo(summary, SUMMARY_AMBIGUOUS_COUNT, at(position, POSITION_IS_AMBIGUOUS));
  addTo(summary, SUMMARY_NET_PNL, netPnlAt(position, at(position, POSITION_EXIT_PRICE)));
  put(position, POSITION_SIDE, 0);
  if (!(realisedEquity(frame) > 0)) put(summary, SUMMARY_RUIN_INDEX, i);
}

/** State of the account while no position is open. */
function realisedEquity(frame: usize): f64 {
  return at(column(frame, FRAME_RULES), RULE_INITIAL_EQUITY) + at(column(frame, FRAME_SUMMARY), SUMMARY_NET_PNL);
}

/** Mark to market: what is realised, and what the open position is worth at `close` after its costs so far. */
function equityAt(frame: usize, close: f64): f64 {
  const position = column(frame, FRAME_POSITION);
  const realised = realisedEquity(frame);
  return at(position, POSITION_SIDE) !== 0 ? realised + netPnlAt(position, close) : realised;
}

function addTo(struct: usize, slot: i32, value: f64): void {
  put(struct, slot, at(struct, slot) + value);
}
