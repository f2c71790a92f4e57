import { CLOSE_NONE } from '../../abi/backtest';
import { STATUS_OK, STATUS_OUT_OF_MEMORY } from '../../abi/status';
import { readBar } from '../backtest/bars';
import { resetClock } from '../backtest/clock';
import { bookTrade, decideSide, hold } from '../backtest/pass';
import { clear as clearSummary } from '../backtest/run';
import { arenaReserve } from '../memory';
import { AccountTrade, Frame, Portfolio, Trade } from '../records.gen';
import { at, put } from '../series';
import { reasonAtOpen } from '../simulate/exit';
import { netPnlAt, writeTrade } from '../simulate/trade';
import { openRanked } from './entries';
import { seeClose } from './guards';
import { clearSkips, frameOf, memberOf } from './members';
import { clearAccount, realisedEquity, sumNetPnl, takeStock } from './stock';

/**
 * One account walked over the common clock; contract in abi/portfolioExports.ts. What happens inside a step, and why in this order:
 * docs/portfolio.md. Every position goes through the functions of the single backtest.
 */
export function portfolioRun(portfolio: Portfolio): i32 {
  clear(portfolio);
  for (let step = 0; step < portfolio.stepCount; step++) {
    const time = at(portfolio.clock, step);
    const due = leaveAtOpen(portfolio, time, step);
    if (due < 0) return STATUS_OUT_OF_MEMORY;
    if (due > 0) openRanked(portfolio, time);
    if (!holdAll(portfolio, step)) return STATUS_OUT_OF_MEMORY;
    closeStep(portfolio, step);
  }
  return STATUS_OK;
}

function clear(portfolio: Portfolio): void {
  clearAccount(portfolio);
  clearSkips(portfolio);
  portfolio.trades = 0;
  portfolio.tradeCount = 0;
  portfolio.ruinStep = -1;
  for (let k = 0; k < portfolio.symbolCount; k++) {
    const frame = frameOf(portfolio, k);
    clearSummary(frame.summary);
    resetClock(frame);
    frame.position.side = 0;
    const member = memberOf(portfolio, k);
    member.threshold = frame.rules.entryThreshold;
    member.times = frame.time;
    member.scores = frame.score;
    member.closes = frame.close;
    member.count = frame.count;
    member.pending = 0;
    member.isOpen = 0;
    member.cursor = frame.count - <i32>frame.rules.scoredCount;
  }
}

/**
 * Reads the candles of open positions and closes those that leave at their opens.
 * @returns signals that are due in this step; -1 without memory
 */
function leaveAtOpen(portfolio: Portfolio, time: f64, step: i32): i32 {
  let due = 0;
  for (let k = 0; k < portfolio.symbolCount; k++) {
    const member = memberOf(portfolio, k);
    const i = member.cursor;
    const isHere = i < member.count && at(member.times, i) === time;
    member.isHere = isHere ? 1 : 0;
    if (!isHere) continue;
    const isHeld = member.isOpen !== 0;
    member.wasHeld = member.isOpen;
    if (member.pending !== 0) due++;
    if (!isHeld) continue;
    const frame = frameOf(portfolio, k);
    const bar = readBar(frame, i);
    if (reasonAtOpen(frame.rules, frame.position, bar) === CLOSE_NONE) continue;
    if (!through(portfolio, frame, k, step)) return -1;
  }
  return due;
}

/** Takes the positions that are open now through the rest of their candles; false without memory. */
function holdAll(portfolio: Portfolio, step: i32): bool {
  for (let k = 0; k < portfolio.symbolCount; k++) {
    const member = memberOf(portfolio, k);
    const isOpen = member.isOpen !== 0;
    if (member.isHere === 0 || (!isOpen && member.wasHeld === 0)) continue;
    const frame = frameOf(portfolio, k);
    frame.summary.heldBarCount += 1;
    if (isOpen && !through(portfolio, frame, k, step)) return false;
    member.close = at(member.closes, member.cursor);
  }
  return true;
}

/** Takes the open position of a symbol through its candle and books it when that closes it; false without memory for its trade. */
function through(portfolio: Portfolio, frame: Frame, symbol: i32, step: i32): bool {
  const member = memberOf(portfolio, symbol);
  const i = member.cursor;
  const bar = frame.bar;
  if (!hold(frame, bar, i, i === frame.count - 1)) return true;
  // Trades adjoin because nothing else reserves memory during a run.
  const address = arenaReserve(offsetof<AccountTrade>());
  if (address === 0) return false;
  if (portfolio.tradeCount === 0) portfolio.trades = address;
  portfolio.tradeCount += 1;
  const position = frame.position;
  writeTrade(position, member.entryIndex, i, changetype<Trade>(address));
  const trade = changetype<AccountTrade>(address);
  trade.symbol = symbol;
  trade.step = step;
  const net = netPnlAt(position, position.exitPrice);
  seeClose(portfolio.account, bar.time, net, <i32>position.closeReason);
  bookTrade(frame);
  member.isOpen = 0;
  portfolio.account.netPnl = sumNetPnl(portfolio);
  if (portfolio.ruinStep < 0 && !(realisedEquity(portfolio) > 0)) portfolio.ruinStep = step;
  return true;
}

/** Marks the account to market at the closes and lets every symbol with a candle decide for its next one. */
function closeStep(portfolio: Portfolio, step: i32): void {
  const isSolvent = realisedEquity(portfolio) > 0;
  let equity = realisedEquity(portfolio);
  for (let k = 0; k < portfolio.symbolCount; k++) {
    const member = memberOf(portfolio, k);
    if (member.isOpen !== 0) equity += netPnlAt(frameOf(portfolio, k).position, member.close);
    if (member.isHere === 0) continue;
    const i = member.cursor;
    const strength = Math.abs(at(member.scores, i));
    const isSignal = isSolvent && strength >= member.threshold; // NaN is none
    member.strength = strength;
    // Own rules may leave a position at a candle without a signal.
    const decides = isSignal || (isSolvent && frameOf(portfolio, k).exits !== 0);
    member.pending = decides ? decideSide(frameOf(portfolio, k), i) : 0;
    member.cursor = i + 1;
  }
  put(portfolio.equity, step, equity);
  takeStock(portfolio);
  const account = portfolio.account;
  put(portfolio.longNotional, step, account.longNotional);
  put(portfolio.shortNotional, step, account.shortNotional);
  put(portfolio.margin, step, account.margin);
  put(portfolio.openCount, step, account.openCount);
}
