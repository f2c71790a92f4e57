import { STATUS_OK, STATUS_OUT_OF_MEMORY } from '../../abi/status';
import { arenaMark, arenaRelease, arenaReserve } from '../memory';
import { Analysis, Frame } from '../records.gen';
import { addressOf, at, fillUndefined } from '../series';
import { dailyReturns, dayCount, intervalOf, isEnough, shownDays, spanDays } from '../stats/dailyReturns';
import { calmar } from '../stats/ratios';
import { dayFigures } from './days';
import { intrabarDrawdown } from './intrabar';
import { liquidityFigures } from './liquidity';
import { tradeFigures } from './tradeShape';
import { underwaterFigures } from './underwater';

const DAYS_PER_YEAR: f64 = 365;

/**
 * Further figures of a run that `backtest` has just completed; derived from its columns, which stay unchanged.
 * @param frame of that run, its trades still in the arena
 * @param out   NaN where there is no figure
 * @returns     STATUS_OK or STATUS_OUT_OF_MEMORY
 */
export function analyse(frame: Frame, out: Analysis): i32 {
  fillUndefined(changetype<usize>(out), 0, <i32>(offsetof<Analysis>() >> 3));
  const rules = frame.rules;
  const summary = frame.summary;
  const equity = frame.equity;
  const initial = rules.initialEquity;
  const scored = <i32>rules.scoredCount;
  const count = frame.count;
  const start = count - scored;
  const loaded = frame.time;
  const times = addressOf(loaded, start);
  const closes = addressOf(frame.close, start);
  const open = at(frame.open, start);
  const days = dayCount(times, scored);
  const span = spanDays(at(times, 0), at(times, scored - 1), intervalOf(loaded, count));
  out.dayCount = shownDays(days, span);
  out.marketChangeFraction = at(closes, scored - 1) / open - 1;
  out.calmar = calmar(summary.netPnl, initial, summary.maxDrawdownFraction, days, span);
  underwaterFigures(equity, scored, initial, out);
  tradeFigures(frame.trades, <i32>summary.tradeCount, out);
  const mark = arenaMark();
  const worst = arenaReserve((<usize>scored) << 3);
  const shares = arenaReserve((<usize>summary.tradeCount) << 4);
  if (worst === 0 || shares === 0) return STATUS_OUT_OF_MEMORY;
  intrabarDrawdown(frame, worst, out);
  liquidityFigures(frame, shares, out);
  arenaRelease(mark);
  const returns = arenaReserve((<usize>days) << 3);
  const market = arenaReserve((<usize>days) << 3);
  if (returns === 0 || market === 0) return STATUS_OUT_OF_MEMORY;
  if (dailyReturns(times, equity, scored, initial, returns)) {
    dailyReturns(times, closes, scored, open, market);
    dayFigures(returns, market, days, span, out);
    const grown = at(equity, scored - 1) / initial;
    if (isEnough(days, span)) {
      out.annualReturnFraction = Math.pow(grown, DAYS_PER_YEAR / span) - 1;
    }
  }
  arenaRelease(mark);
  return STATUS_OK;
}
