import { summarySlot } from '@sextant/engine-as/abi/records.ts';
import type { Engine } from '../../engine/engine.ts';
import type { PortfolioInput, PortfolioResult, PortfolioTrade } from '../../protocol/portfolio.ts';
import type { PortfolioContribution } from '../../protocol/portfolioFigures.ts';
import type { Section } from '../hashes.ts';
import type { AccountRun, Member } from './account.ts';
import { type Candidate, initialEquityOf } from './candidates.ts';
import { correlationOf } from './correlation.ts';
import { monthsOf } from './months.ts';
import { accountTradesOf, addSkips, skipsOf } from './readAccount.ts';
import { regimesOf } from './regimes.ts';
import { summaryOf, turnoversOf } from './summary.ts';

export interface Finished {
  run: AccountRun;
  clock: Float64Array<ArrayBuffer>;
  candidates: Candidate[];
  members: Member[];
  areActive: boolean[];
}

/** Everything that is read from a run, and the sections of its hash. */
export function resultOf(engine: Engine, input: PortfolioInput, finished: Finished) {
  const { run, clock, candidates, members } = finished;
  const names = candidates.map(({ symbol }) => symbol);
  const trades = accountTradesOf(run.trades, names);
  const bySymbol = groupBySymbol(trades, names);
  const turnovers = turnoversOf(run);
  const contributions = candidates.map((candidate, k) =>
    contributionOf(candidate, k, run, { trades: bySymbol[k] ?? [], turnover: turnovers[k] ?? 0 }),
  );
  const { equity, longNotional, shortNotional, margin, openCount } = run;
  const initialEquity = initialEquityOf(input);
  const result: Omit<PortfolioResult, 'honesty' | 'hashes'> = {
    summary: summaryOf(engine, { run, clock, initialEquity }),
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
    regimes: regimesOf(engine, members, bySymbol),
    correlation: correlationOf(names, trades, clock),
    skips: addSkips(contributions.map(({ skips }) => skips)),
    idleSymbols: idleOf(input, finished),
  };
  const skips = run.skips.map((counts) => [...counts]);
  const sections: Section[] = [run.trades, equity, longNotional, shortNotional, margin, ...run.summaries, ...skips];
  return { result, sections };
}

/** Trades of each symbol, in the order of their closes. */
function groupBySymbol(trades: readonly PortfolioTrade[], names: readonly string[]): PortfolioTrade[][] {
  const groups = new Map(names.map((name) => [name, [] as PortfolioTrade[]]));
  for (const trade of trades) groups.get(trade.symbol)?.push(trade);
  return [...groups.values()];
}

function contributionOf(
  { symbol, input: { candles, scoredCount } }: Candidate,
  k: number,
  { summaries, skips }: AccountRun,
  { trades, turnover }: { trades: readonly PortfolioTrade[]; turnover: number },
): PortfolioContribution {
  const summary = summaries[k] ?? new Float64Array();
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
    turnover,
    exposureFraction: (summary[summarySlot.heldBarCount] ?? Number.NaN) / scoredCount,
    turnoverShareMax: trades.length > 0 && Number.isFinite(largest) ? largest : null,
    skips: skipsOf(summary, skips[k] ?? new Int32Array()),
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
function idleOf({ symbols }: PortfolioInput, { candidates, areActive }: Finished): string[] {
  const active = new Set(candidates.filter((_, k) => areActive[k]).map(({ symbol }) => symbol));
  return symbols.flatMap(({ symbol }) => (active.has(symbol) ? [] : [symbol])).sort();
}
