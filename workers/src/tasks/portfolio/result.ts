import { SUMMARY_LENGTH, summarySlot, TRADE_LENGTH, ACCOUNT_TRADE_LENGTH } from '@sextant/engine-as/abi/records.ts';
import type { Engine } from '../../engine/engine.ts';
import type {
  PortfolioContribution,
  PortfolioInput,
  PortfolioResult,
  PortfolioSummary,
  PortfolioTrade,
} from '../../protocol/portfolio.ts';
import { expectOk } from '../backtest.ts';
import type { Section } from '../hashes.ts';
import { inArena } from '../honesty/kernels.ts';
import { readSummary } from '../readResult.ts';
import type { AccountRun } from './account.ts';
import type { Candidate } from './candidates.ts';
import { correlationOf } from './correlation.ts';
import { monthsOf } from './months.ts';
import { accountTradesOf, addSkips, skipsOf } from './readAccount.ts';
import { regimesOf } from './regimes.ts';

export interface Finished {
  run: AccountRun;
  clock: Float64Array<ArrayBuffer>;
  candidates: Candidate[];
  scores: Float64Array[];
}

/** Everything that is read from a run, and the sections of its hash. */
export function resultOf(engine: Engine, input: PortfolioInput, { run, clock, candidates, scores }: Finished) {
  const names = candidates.map(({ symbol }) => symbol);
  const trades = accountTradesOf(run.trades, names);
  const contributions = candidates.map((candidate, k) => contributionOf(candidate, k, run, trades));
  const { equity, longNotional, shortNotional, margin, openCount } = run;
  const initialEquity = input.symbols[0]?.costs.initialEquity ?? Number.NaN;
  const figures = figuresOf(engine, { run, clock, initialEquity, contributions });
  const result: Omit<PortfolioResult, 'honesty' | 'hashes'> = {
    summary: summaryOf(figures, { run, clock, initialEquity, contributions }),
    trades,
    time: clock,
    equity,
    drawdown: drawdownOf(equity, initialEquity),
    longNotional,
    shortNotional,
    margin,
    openCount,
    contributions,
    months: monthsOf(clock, equity, trades, initialEquity),
    regimes: regimesOf(engine, candidates, trades),
    correlation: correlationOf(names, trades, clock),
    skips: addSkips(contributions.map(({ skips }) => skips)),
    idleSymbols: idleOf(input, candidates, scores),
  };
  const skips = run.skips.map((counts) => [...counts]);
  const sections: Section[] = [run.trades, equity, longNotional, shortNotional, margin, ...run.summaries, ...skips];
  return { result, sections };
}

function contributionOf(
  { symbol, input: { candles, scoredCount } }: Candidate,
  k: number,
  { summaries, skips }: AccountRun,
  all: readonly PortfolioTrade[],
): PortfolioContribution {
  const summary = summaries[k] ?? new Float64Array();
  const trades = all.filter((trade) => trade.symbol === symbol);
  const sum = (of: (trade: PortfolioTrade) => number): number => trades.reduce((total, trade) => total + of(trade), 0);
  const { time, close, volume } = candles;
  const shares = trades.map(({ entryIndex: i, quantity, entryPrice }) => {
    return (quantity * entryPrice) / ((volume[i] ?? Number.NaN) * (close[i] ?? Number.NaN));
  });
  const largest = shares.reduce((most, share) => Math.max(most, share), 0);
  return {
    symbol,
    firstMs: time[time.length - scoredCount] ?? Number.NaN,
    lastMs: time.at(-1) ?? Number.NaN,
    tradeCount: trades.length,
    netPnl: summary[summarySlot.netPnl] ?? Number.NaN,
    fees: sum(({ fees }) => fees),
    funding: sum(({ funding }) => funding),
    slippage: sum(({ slippage }) => slippage),
    turnover: sum(turnoverOf),
    exposureFraction: (summary[summarySlot.heldBarCount] ?? Number.NaN) / scoredCount,
    turnoverShareMax: trades.length > 0 && Number.isFinite(largest) ? largest : null,
    skips: skipsOf(summary, skips[k] ?? new Int32Array()),
  };
}

const turnoverOf = ({ quantity, entryPrice, exitPrice }: PortfolioTrade): number =>
  quantity * entryPrice + quantity * exitPrice;

interface Account extends Pick<Finished, 'run' | 'clock'> {
  initialEquity: number;
  contributions: readonly PortfolioContribution[];
}

/** Figures of trades and days by the kernels of the single backtest. */
function figuresOf(engine: Engine, { run, clock, initialEquity, contributions }: Account) {
  const count = run.trades.length / ACCOUNT_TRADE_LENGTH;
  const plain = new Float64Array(count * TRADE_LENGTH);
  for (let k = 0; k < count; k++) {
    const from = k * ACCOUNT_TRADE_LENGTH;
    plain.set(run.trades.subarray(from, from + TRADE_LENGTH), k * TRADE_LENGTH);
  }
  const summary = new Float64Array(SUMMARY_LENGTH);
  summary[summarySlot.tradeCount] = count;
  summary[summarySlot.netPnl] = contributions.reduce((sum, { netPnl }) => sum + netPnl, 0);
  summary[summarySlot.ruinIndex] = run.ruinStep < 0 ? Number.NaN : run.ruinStep;
  summary[summarySlot.ambiguousCount] = run.summaries.reduce(
    (sum, own) => sum + (own[summarySlot.ambiguousCount] ?? 0),
    0,
  );
  return inArena(engine, () => {
    const at = [clock, run.equity, plain, summary].map((column) => engine.push(column));
    const [timeAt = 0, equityAt = 0, tradesAt = 0, summaryAt = 0] = at;
    const { length } = clock;
    expectOk(engine.raw.accountFigures(timeAt, equityAt, length, initialEquity, tradesAt, count, summaryAt));
    const values = engine.pull(summaryAt, SUMMARY_LENGTH);
    return { ...readSummary(values), ambiguousCount: values[summarySlot.ambiguousCount] ?? 0 };
  });
}

function summaryOf(
  figures: ReturnType<typeof figuresOf>,
  { run, clock, initialEquity, contributions }: Account,
): PortfolioSummary {
  const { equity, longNotional: long, shortNotional: short, openCount, ruinStep } = run;
  const steps = equity.length;
  const turnover = contributions.reduce((sum, each) => sum + each.turnover, 0);
  const meanEquity = equity.reduce((sum, value) => sum + value, 0) / steps;
  const most = (of: (i: number) => number): number =>
    equity.reduce((top, value, i) => (value > 0 ? Math.max(top, of(i) / value) : top), 0);
  return {
    symbolCount: contributions.length,
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

/** Fall of each equity from the highest so far, the initial one included. */
function drawdownOf(equity: Float64Array, initialEquity: number): Float64Array<ArrayBuffer> {
  let peak = initialEquity;
  return Float64Array.from(equity, (value) => {
    peak = Math.max(peak, value);
    return (peak - value) / peak;
  });
}

/** Symbols that were left out, or had no score at any candle that decides. */
function idleOf(
  { symbols }: PortfolioInput,
  candidates: readonly Candidate[],
  scores: readonly Float64Array[],
): string[] {
  const scored = candidates.filter(({ input: { scoredCount } }, k) => {
    const score = scores[k] ?? new Float64Array();
    return score.subarray(score.length - scoredCount, score.length - 1).some((value) => !Number.isNaN(value));
  });
  const active = new Set(scored.map(({ symbol }) => symbol));
  return symbols.flatMap(({ symbol }) => (active.has(symbol) ? [] : [symbol])).sort();
}
