import {
  FRAME_CLOSE,
  FRAME_COUNT,
  FRAME_EQUITY,
  FRAME_OPEN,
  FRAME_RULES,
  FRAME_SUMMARY,
  FRAME_TIME,
  FRAME_TRADES,
  RULE_INITIAL_EQUITY,
  RULE_NOTIONAL,
  RULE_SCORED_COUNT,
  RULE_TAKER_FEE,
  SUMMARY_AMBIGUOUS_COUNT,
  SUMMARY_AMBIGUOUS_FRACTION,
  SUMMARY_BUY_AND_HOLD,
  SUMMARY_DAY_COUNT,
  SUMMARY_EXPOSURE,
  SUMMARY_HELD_BAR_COUNT,
  SUMMARY_IS_FUNDING_KNOWN,
  SUMMARY_LOADED_COUNT,
  SUMMARY_MAX_DRAWDOWN,
  SUMMARY_SCORED_COUNT,
  SUMMARY_SHARPE,
  SUMMARY_SHARPE_ERROR,
  SUMMARY_SHARPE_STATE,
  SUMMARY_SORTINO,
  SUMMARY_SORTINO_STATE,
  SUMMARY_TRADE_COUNT,
} from '../../abi/backtest';
import { STATUS_OK, STATUS_OUT_OF_MEMORY } from '../../abi/status';
import { arenaMark, arenaRelease, arenaReserve } from '../memory';
import { addressOf, at, put } from '../series';
import { buyAndHold } from '../stats/buyAndHold';
import { dailyReturns, dayCount, shownDays, spanDays } from '../stats/dailyReturns';
import { maxDrawdown } from '../stats/drawdown';
import { sharpe, sharpeError, sharpeState, sortino, sortinoState } from '../stats/ratios';
import { tradeTotals } from '../stats/trades';
import { countGaps, loadedInterval } from './clock';
import { column, number } from './frame';
import { isFundingKnown } from './funding';

/** Completes the summary from the recorded trades and equity. */
export function summarise(frame: usize): i32 {
  const rules = column(frame, FRAME_RULES);
  const summary = column(frame, FRAME_SUMMARY);
  const equity = column(frame, FRAME_EQUITY);
  const count = number(frame, FRAME_COUNT);
  const scored = <i32>at(rules, RULE_SCORED_COUNT);
  const trades = at(summary, SUMMARY_TRADE_COUNT);
  const start = count - scored;
  put(summary, SUMMARY_LOADED_COUNT, <f64>count);
  put(summary, SUMMARY_SCORED_COUNT, <f64>scored);
  countGaps(frame);
  put(summary, SUMMARY_IS_FUNDING_KNOWN, isFundingKnown(frame, start) ? 1 : 0);
  put(summary, SUMMARY_EXPOSURE, at(summary, SUMMARY_HELD_BAR_COUNT) / <f64>scored);
  const ambiguous = at(summary, SUMMARY_AMBIGUOUS_COUNT);
  put(summary, SUMMARY_AMBIGUOUS_FRACTION, trades > 0 ? ambiguous / trades : 0);
  put(summary, SUMMARY_MAX_DRAWDOWN, maxDrawdown(equity, scored, at(rules, RULE_INITIAL_EQUITY)));
  tradeTotals(column(frame, FRAME_TRADES), <i32>trades, summary);
  const held = buyAndHold(
    at(column(frame, FRAME_OPEN), start),
    at(column(frame, FRAME_CLOSE), count - 1),
    at(rules, RULE_NOTIONAL),
    at(rules, RULE_TAKER_FEE),
  );
  put(summary, SUMMARY_BUY_AND_HOLD, held / at(rules, RULE_INITIAL_EQUITY));
  const times = column(frame, FRAME_TIME);
  const span = spanDays(at(times, start), at(times, count - 1), loadedInterval(frame));
  return ratios(addressOf(times, start), equity, scored, span, at(rules, RULE_INITIAL_EQUITY), summary);
}

function ratios(times: usize, equity: usize, length: i32, span: f64, initialEquity: f64, summary: usize): i32 {
  const days = dayCount(times, length);
  const mark = arenaMark();
  const returns = arenaReserve((<usize>days) << 3);
  if (returns === 0) return STATUS_OUT_OF_MEMORY;
  const isSolvent = dailyReturns(times, equity, length, initialEquity, returns);
  put(summary, SUMMARY_DAY_COUNT, shownDays(days, span));
  put(summary, SUMMARY_SHARPE_STATE, <f64>sharpeState(returns, days, span, isSolvent));
  put(summary, SUMMARY_SHARPE, sharpe(returns, days, span, isSolvent));
  put(summary, SUMMARY_SHARPE_ERROR, sharpeError(returns, days, span, isSolvent));
  put(summary, SUMMARY_SORTINO_STATE, <f64>sortinoState(returns, days, span, isSolvent));
  put(summary, SUMMARY_SORTINO, sortino(returns, days, span, isSolvent));
  arenaRelease(mark);
  return STATUS_OK;
}
