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
import { Frame, Member, Portfolio } from '../records.gen';
import { isStopNearer } from '../simulate/exit';
import { trippedGuard } from './guards';
import { countSkip, frameOf, memberOf } from './members';
import { lossAtStop, realisedEquity, takeStock } from './stock';

/** Fills the signals that are due at the opens of this step, the strongest first, within what the account allows. */
export function openRanked(portfolio: Portfolio, time: f64): void {
  const count = rank(portfolio);
  if (count === 0 || !(realisedEquity(portfolio) > 0)) return;
  const guard = trippedGuard(portfolio, time);
  takeStock(portfolio);
  let opened: f64 = 0;
  for (let i = 0; i < count; i++) {
    const symbol = load<i32>(portfolio.ranked + ((<usize>i) << 2));
    const full = roomSkip(portfolio, opened);
    const blocked = full === SKIP_NONE ? guard : full;
    const reason = blocked === SKIP_NONE ? tryOpen(portfolio, symbol) : blocked;
    if (reason === OPENED) {
      opened += 1;
      takeStock(portfolio);
    } else if (reason >= 0) countSkip(portfolio, symbol, reason);
  }
}

/** Results of tryOpen beside SKIP_*: the second is counted in the summary of the symbol. */
const OPENED: i32 = -2;
const SKIPPED_BY_SYMBOL: i32 = -3;

/** Writes the symbols with a due signal to `ranked`: by absolute score, equal ones in the order of the symbols. Returns their number. */
function rank(portfolio: Portfolio): i32 {
  const ranked = portfolio.ranked;
  let count = 0;
  for (let k = 0; k < portfolio.symbolCount; k++) {
    const member = memberOf(portfolio, k);
    if (member.isHere === 0 || member.pending === 0) continue;
    let place = ranked + ((<usize>count) << 2);
    while (place > ranked && isStronger(portfolio, member, load<i32>(place - 4))) {
      store<i32>(place, load<i32>(place - 4));
      place -= 4;
    }
    store<i32>(place, k);
    count++;
  }
  return count;
}

function isStronger(portfolio: Portfolio, member: Member, other: i32): bool {
  return member.strength > memberOf(portfolio, other).strength;
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
