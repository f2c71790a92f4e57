import {
  SKIP_GROSS,
  SKIP_MAX_CONCURRENT,
  SKIP_NET,
  SKIP_NONE,
  SKIP_POSITIONS_WANTED,
  SKIP_STOP_BEYOND_LIQUIDATION,
  SKIP_STOP_LOSSES,
} from '../../abi/portfolio';
import { readBar } from '../backtest/bars';
import { fillEntry } from '../backtest/pass';
import { Frame, Portfolio } from '../records.gen';
import { isStopNearer } from '../simulate/exit';
import { trippedGuard } from './guards';
import { countSkip, frameOf, memberOf } from './members';
import { lossAtStop, realisedEquity, takeStock } from './stock';

/** Fills the signals that are due at the opens of this step, the strongest first, within what the account allows. */
export function openRanked(portfolio: Portfolio, time: f64): void {
  let count = listDue(portfolio);
  if (count === 0 || !(realisedEquity(portfolio) > 0)) return;
  const guard = trippedGuard(portfolio, time);
  takeStock(portfolio);
  let opened: f64 = 0;
  for (; count > 0; count--) {
    const full = roomSkip(portfolio, opened);
    const blocked = full === SKIP_NONE ? guard : full;
    // Nothing closes here, so what blocks one signal blocks every weaker one, in whichever order they are counted.
    if (blocked !== SKIP_NONE) return countAll(portfolio, count, blocked);
    const symbol = takeStrongest(portfolio, count);
    const reason = tryOpen(portfolio, symbol);
    if (reason === OPENED) {
      opened += 1;
      takeStock(portfolio);
    } else if (reason >= 0) countSkip(portfolio, symbol, reason);
  }
}

/** Results of tryOpen beside SKIP_*: the second is counted in the summary of the symbol. */
const OPENED: i32 = -2;
const SKIPPED_BY_SYMBOL: i32 = -3;

/** Writes the symbols with a due signal to `ranked`, in their order. Returns their number. */
function listDue(portfolio: Portfolio): i32 {
  const ranked = portfolio.ranked;
  let count = 0;
  for (let k = 0; k < portfolio.symbolCount; k++) {
    const member = memberOf(portfolio, k);
    if (member.isHere === 0 || member.pending === 0) continue;
    store<i32>(ranked + ((<usize>count) << 2), k);
    count++;
  }
  return count;
}

/**
 * Removes the symbol with the largest absolute score, of equal ones the first, from the `count` in `ranked`. An account with few slots
 * takes few of many signals, so they are not sorted.
 */
function takeStrongest(portfolio: Portfolio, count: i32): i32 {
  const ranked = portfolio.ranked;
  let best = 0;
  let strength = -Infinity;
  for (let i = 0; i < count; i++) {
    const own = memberOf(portfolio, load<i32>(ranked + ((<usize>i) << 2))).strength;
    if (!(own > strength)) continue;
    strength = own;
    best = i;
  }
  const at = ranked + ((<usize>best) << 2);
  const symbol = load<i32>(at);
  memory.copy(at, at + 4, (<usize>(count - 1 - best)) << 2);
  return symbol;
}

function countAll(portfolio: Portfolio, count: i32, reason: i32): void {
  for (let i = 0; i < count; i++) countSkip(portfolio, load<i32>(portfolio.ranked + ((<usize>i) << 2)), reason);
}

function roomSkip(portfolio: Portfolio, opened: f64): i32 {
  const limits = portfolio.limits;
  if (limits.openingsMax > 0 && opened >= limits.openingsMax) return SKIP_POSITIONS_WANTED;
  const isFull = limits.positionsMax > 0 && portfolio.account.openCount >= limits.positionsMax;
  return isFull ? SKIP_MAX_CONCURRENT : SKIP_NONE;
}

function tryOpen(portfolio: Portfolio, symbol: i32): i32 {
  const frame = frameOf(portfolio, symbol);
  const member = memberOf(portfolio, symbol);
  const account = portfolio.account;
  const index = member.cursor;
  const bar = readBar(frame, index);
  const isFilled = fillEntry(frame, bar, member.pending, index, account.balance, account.free);
  if (!isFilled) return SKIPPED_BY_SYMBOL;
  const reason = limitSkip(portfolio, frame);
  if (reason !== SKIP_NONE) {
    frame.position.side = 0;
    return reason;
  }
  if (!isStopNearer(frame.position)) frame.summary.stopBeyondLiquidationCount += 1;
  member.isOpen = 1;
  member.entryIndex = index;
  // Its exposure until its first candle ends.
  member.close = frame.position.entryPrice;
  return OPENED;
}

/** Which limit the position that was just written would exceed. */
function limitSkip(portfolio: Portfolio, frame: Frame): i32 {
  const limits = portfolio.limits;
  const account = portfolio.account;
  const position = frame.position;
  const balance = account.balance;
  if (limits.isStopFirst > 0 && !isStopNearer(position)) return SKIP_STOP_BEYOND_LIQUIDATION;
  const notional = position.quantity * position.entryPrice;
  const long = account.longNotional;
  const short = account.shortNotional;
  if (limits.grossMax > 0 && long + short + notional > limits.grossMax * balance) return SKIP_GROSS;
  const before = long - short;
  const after = before + position.side * notional;
  const isNearer = Math.abs(after) <= Math.abs(before);
  if (limits.netMax > 0 && !isNearer && Math.abs(after) > limits.netMax * balance) return SKIP_NET;
  const atStops = account.atStops + lossAtStop(frame.rules, position);
  return limits.stopLossMax > 0 && atStops > limits.stopLossMax * balance ? SKIP_STOP_LOSSES : SKIP_NONE;
}
