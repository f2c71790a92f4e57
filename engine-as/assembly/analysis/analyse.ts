import {
  ANALYSIS_ANNUAL_RETURN,
  ANALYSIS_CALMAR,
  ANALYSIS_DAY_COUNT,
  ANALYSIS_LENGTH,
  ANALYSIS_MARKET_CHANGE,
} from '../../abi/analysis';
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
  RULE_SCORED_COUNT,
  SUMMARY_MAX_DRAWDOWN,
  SUMMARY_NET_PNL,
  SUMMARY_TRADE_COUNT,
} from '../../abi/backtest';
import { STATUS_OK, STATUS_OUT_OF_MEMORY } from '../../abi/status';
import { column, number } from '../backtest/frame';
import { arenaMark, arenaRelease, arenaReserve } from '../memory';
import { addressOf, at, fillUndefined, put } from '../series';
import { dailyReturns, dayCount, intervalOf, isEnough, shownDays, spanDays } from '../stats/dailyReturns';
import { calmar } from '../stats/ratios';
import { dayFigures } from './days';
import { tradeFigures } from './tradeShape';
import { underwaterFigures } from './underwater';

const DAYS_PER_YEAR: f64 = 365;

/**
 * Further figures of a run that `backtest` has just completed; they are derived from its columns and change none of them.
 * @param frame i32[FRAME_LENGTH] of that run, its trades still in the arena
 * @param out   f64[ANALYSIS_LENGTH]; NaN where there is no figure
 * @returns     STATUS_OK or STATUS_OUT_OF_MEMORY
 */
export function analyse(frame: usize, out: usize): i32 {
  fillUndefined(out, 0, ANALYSIS_LENGTH);
  const rules = column(frame, FRAME_RULES);
  const summary = column(frame, FRAME_SUMMARY);
  const equity = column(frame, FRAME_EQUITY);
  const initial = at(rules, RULE_INITIAL_EQUITY);
  const scored = <i32>at(rules, RULE_SCORED_COUNT);
  const count = number(frame, FRAME_COUNT);
  const start = count - scored;
  const loaded = column(frame, FRAME_TIME);
  const times = addressOf(loaded, start);
  const closes = addressOf(column(frame, FRAME_CLOSE), start);
  const open = at(column(frame, FRAME_OPEN), start);
  const days = dayCount(times, scored);
  const span = spanDays(at(times, 0), at(times, scored - 1), intervalOf(loaded, count));
  put(out, ANALYSIS_DAY_COUNT, shownDays(days, span));
  put(out, ANALYSIS_MARKET_CHANGE, at(closes, scored - 1) / open - 1);
  put(
    out,
    ANALYSIS_CALMAR,
    calmar(at(summary, SUMMARY_NET_PNL), initial, at(summary, SUMMARY_MAX_DRAWDOWN), days, span),
  );
  underwaterFigures(equity, scored, initial, out);
  tradeFigures(column(frame, FRAME_TRADES), <i32>at(summary, SUMMARY_TRADE_COUNT), out);
  const mark = arenaMark();
  const returns = arenaReserve((<usize>days) << 3);
  const market = arenaReserve((<usize>days) << 3);
  if (returns === 0 || market === 0) return STATUS_OUT_OF_MEMORY;
  if (dailyReturns(times, equity, scored, initial, returns)) {
    dailyReturns(times, closes, scored, open, market);
    dayFigures(returns, market, days, span, out);
    const grown = at(equity, scored - 1) / initial;
    if (isEnough(days, span)) {
      put(out, ANALYSIS_ANNUAL_RETURN, Math.pow(grown, DAYS_PER_YEAR / span) - 1);
    }
  }
  arenaRelease(mark);
  return STATUS_OK;
}
