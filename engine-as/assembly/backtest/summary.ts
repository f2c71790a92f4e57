import { STATUS_OK, STATUS_OUT_OF_MEMORY } from '../../abi/status';
import { arenaMark, arenaRelease, arenaReserve } from '../memory';
import { Frame, Summary } from '../records.gen';
import { addressOf, at } from '../series';
import { buyAndHold } from '../stats/buyAndHold';
import { dailyReturns, dayCount, shownDays, spanDays } from '../stats/dailyReturns';
import { maxDrawdown } from '../stats/drawdown';
import { sharpe, sharpeError, sharpeState, sortino, sortinoState } from '../stats/ratios';
import { tradeTotals } from '../stats/trades';
import { countGaps, loadedInterval } from './clock';
import { isFundingKnown } from './funding';

/** Completes the summary from the recorded trades and equity. */
export function summarise(frame: Frame): i32 {
  const rules = frame.rules;
  const summary = frame.summary;
  const equity = frame.equity;
  const count = frame.count;
  const scored = <i32>rules.scoredCount;
  const trades = summary.tradeCount;
  const start = count - scored;
  summary.loadedCount = <f64>count;
  summary.scoredCount = <f64>scored;
  countGaps(frame);
  summary.isFundingKnown = isFundingKnown(frame, start) ? 1 : 0;
  summary.exposureFraction = summary.heldBarCount / <f64>scored;
  const ambiguous = summary.ambiguousCount;
  summary.ambiguousFraction = trades > 0 ? ambiguous / trades : 0;
  summary.maxDrawdownFraction = maxDrawdown(equity, scored, rules.initialEquity);
  tradeTotals(frame.trades, <i32>trades, summary);
  const held = buyAndHold(at(frame.open, start), at(frame.close, count - 1), rules.notional, rules.takerFee);
  summary.buyAndHoldFraction = held / rules.initialEquity;
  const times = frame.time;
  const span = spanDays(at(times, start), at(times, count - 1), loadedInterval(frame));
  return ratios(addressOf(times, start), equity, scored, span, rules.initialEquity, summary);
}

/** Daily returns of an equity column and the ratios of them. @returns STATUS_OK or STATUS_OUT_OF_MEMORY */
export function ratios(times: usize, equity: usize, length: i32, span: f64, initialEquity: f64, summary: Summary): i32 {
  const days = dayCount(times, length);
  const mark = arenaMark();
  const returns = arenaReserve((<usize>days) << 3);
  if (returns === 0) return STATUS_OUT_OF_MEMORY;
  const isSolvent = dailyReturns(times, equity, length, initialEquity, returns);
  summary.dayCount = shownDays(days, span);
  summary.sharpeState = <f64>sharpeState(returns, days, span, isSolvent);
  summary.sharpe = sharpe(returns, days, span, isSolvent);
  summary.sharpeError = sharpeError(returns, days, span, isSolvent);
  summary.sortinoState = <f64>sortinoState(returns, days, span, isSolvent);
  summary.sortino = sortino(returns, days, span, isSolvent);
  arenaRelease(mark);
  return STATUS_OK;
}
