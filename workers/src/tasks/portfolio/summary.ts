import {
  ACCOUNT_TRADE_LENGTH,
  accountTradeSlot,
  SUMMARY_LENGTH,
  summarySlot,
  TRADE_LENGTH,
  tradeSlot,
} from '@sextant/engine-as/abi/records.ts';
import type { Engine } from '../../engine/engine.ts';
import type { PortfolioSummary } from '../../protocol/portfolioFigures.ts';
import { expectOk } from '../backtest.ts';
import { inArena } from '../honesty/kernels.ts';
import { readSummary } from '../readResult.ts';
import type { AccountRun } from './account.ts';

/** One run of an account. */
interface Account {
  run: AccountRun;
  clock: Float64Array<ArrayBuffer>;
  initialEquity: number;
}

/** Notional of all fills of each symbol, its trades in the order of their closes. */
export function turnoversOf({ trades, summaries }: AccountRun): Float64Array<ArrayBuffer> {
  const turnovers = new Float64Array(summaries.length);
  for (let from = 0; from < trades.length; from += ACCOUNT_TRADE_LENGTH) {
    const slot = (index: number): number => trades[from + index] ?? Number.NaN;
    const quantity = slot(tradeSlot.quantity);
    const symbol = slot(accountTradeSlot.symbol);
    const filled = quantity * slot(tradeSlot.entryPrice) + quantity * slot(tradeSlot.exitPrice);
    turnovers[symbol] = (turnovers[symbol] ?? Number.NaN) + filled;
  }
  return turnovers;
}

/** The figures of an account, from the records of its run. */
export function summaryOf(engine: Engine, account: Account): PortfolioSummary {
  const { run, clock, initialEquity } = account;
  const figures = figuresOf(engine, account);
  const { equity, longNotional: long, shortNotional: short, openCount, ruinStep } = run;
  const steps = equity.length;
  const turnover = turnoversOf(run).reduce((sum, each) => sum + each, 0);
  const meanEquity = equity.reduce((sum, value) => sum + value, 0) / steps;
  const most = (of: (i: number) => number): number =>
    equity.reduce((top, value, i) => (value > 0 ? Math.max(top, of(i) / value) : top), 0);
  return {
    symbolCount: run.summaries.length,
    tradeCount: figures.tradeCount,
    netPnl: figures.netPnl,
    finalEquity: equity.at(-1) ?? initialEquity,
    maxDrawdownFraction: figures.maxDrawdownFraction,
    fees: figures.fees,
    funding: figures.funding,
    slippage: figures.slippage,
    turnover,
    turnoverRatio: turnover / meanEquity,
    winRate: figures.winRate,
    profitFactor: figures.profitFactor,
    exposureFraction: openCount.reduce((sum, count) => sum + (count > 0 ? 1 : 0), 0) / steps,
    meanOpenCount: openCount.reduce((sum, count) => sum + count, 0) / steps,
    maxOpenCount: openCount.reduce((top, count) => Math.max(top, count), 0),
    maxGrossFraction: most((i) => (long[i] ?? 0) + (short[i] ?? 0)),
    maxNetFraction: most((i) => Math.abs((long[i] ?? 0) - (short[i] ?? 0))),
    ambiguousCount: figures.ambiguousCount,
    ruinMs: ruinStep < 0 ? null : (clock[ruinStep] ?? null),
    sharpe: figures.sharpe,
    sortino: figures.sortino,
  };
}

/** Figures of trades and days by the kernels of the single backtest. */
function figuresOf(engine: Engine, { run, clock, initialEquity }: Account) {
  const count = run.trades.length / ACCOUNT_TRADE_LENGTH;
  const plain = new Float64Array(count * TRADE_LENGTH);
  for (let k = 0; k < count; k++) {
    const from = k * ACCOUNT_TRADE_LENGTH;
    plain.set(run.trades.subarray(from, from + TRADE_LENGTH), k * TRADE_LENGTH);
  }
  const sum = (slot: number): number => run.summaries.reduce((total, own) => total + (own[slot] ?? 0), 0);
  const summary = new Float64Array(SUMMARY_LENGTH);
  summary[summarySlot.tradeCount] = count;
  summary[summarySlot.netPnl] = sum(summarySlot.netPnl);
  summary[summarySlot.ruinIndex] = run.ruinStep < 0 ? Number.NaN : run.ruinStep;
  summary[summarySlot.ambiguousCount] = sum(summarySlot.ambiguousCount);
  return inArena(engine, () => {
    const at = [clock, run.equity, plain, summary].map((column) => engine.push(column));
    const [timeAt = 0, equityAt = 0, tradesAt = 0, summaryAt = 0] = at;
    const { length } = clock;
    expectOk(engine.raw.accountFigures(timeAt, equityAt, length, initialEquity, tradesAt, count, summaryAt));
    const values = engine.pull(summaryAt, SUMMARY_LENGTH);
    return { ...readSummary(values), ambiguousCount: values[summarySlot.ambiguousCount] ?? 0 };
  });
}
