import type { BacktestSummary } from '@sextant/workers/src/protocol/backtest.ts';
import { formatCount, formatFixed, formatMany, formatMoney, formatPercent } from '../../../format/number.ts';
import { type Run, thresholdOf } from '../backtestState.ts';
import { fundingPart, fundingUsed, markWords, sameBarName, settledWords } from './assumptions.ts';
import { breakdownOf, daysOf, drawdownDepth } from './figures.ts';

/** The figures as sentences, without a judgement, which the honesty panel makes. */
export function plainWords(run: Run): string[] {
  const { summary, trades } = run.result;
  if (summary.tradeCount === 0) return [...withoutTrades(run), held(summary)];
  const worst = formatPercent(summary.maxDrawdownFraction);
  const depth = drawdownDepth(summary.maxDrawdownFraction);
  return [
    outcome(run),
    wins(summary),
    costs(run),
    sides(trades),
    `Max drawdown: ${worst} of the peak${depth === undefined ? '' : `, ${depth}`}.`,
    accidents(summary),
    bestDay(trades, summary.netPnl),
    order(summary),
    settledWords(run),
    markWords(run),
    held(summary),
    unscored(run),
    assumed(run),
  ].filter((sentence) => sentence !== null);
}

/** The result in one sentence, with its window. */
export const outcomeSentence = (run: Run): string =>
  run.result.summary.tradeCount === 0 ? (withoutTrades(run)[0] ?? '') : outcome(run);

const changed = (amount: number): string => (amount < 0 ? 'lost' : 'gained');
const usdt = (amount: number): string => `${formatMoney(Math.abs(amount))} USDT`;

function where({ loaded, scoredCount }: Run): string {
  const { time } = loaded.candles;
  const fromMs = time[time.length - scoredCount] ?? 0;
  const days = daysOf(fromMs, (time.at(-1) ?? 0) + loaded.intervalMs);
  const share =
    scoredCount < time.length ? ` (the last ${formatCount(scoredCount)} of ${formatCount(time.length)} candles)` : '';
  return `${formatFixed(days, 1)} days of ${loaded.label} ${loaded.interval}${share}`;
}

/** Why fewer candles count than were loaded. */
function unscored({ loaded, scoredCount }: Run): string | null {
  const earlier = loaded.candles.time.length - scoredCount;
  if (earlier === 0) return null;
  return `The ${formatCount(earlier)} earlier candles are for warm-up and training.`;
}

function withoutTrades(run: Run): string[] {
  const entryThreshold = thresholdOf(run);
  const { droppedSignalCount } = run.result.summary;
  const none = `No trade in ${where(run)}.`;
  if (droppedSignalCount > 0) return [none, `${formatMany(droppedSignalCount, 'signal')} could not be filled.`];
  const highest = run.result.score.reduce((most, score) => (Math.abs(score) > most ? Math.abs(score) : most), 0);
  if (highest >= entryThreshold) return [none];
  return [none, `Highest score: ${formatFixed(highest, 2)}. The entry threshold is ${formatFixed(entryThreshold, 2)}.`];
}

function outcome(run: Run): string {
  const { tradeCount, netPnl } = run.result.summary;
  const trades = `${formatMany(tradeCount, 'trade')} in ${where(run)}`;
  if (netPnl === 0) return `${trades} broke even after costs.`;
  const share = formatPercent(Math.abs(netPnl) / run.costs.initialEquity);
  return `${trades} ${changed(netPnl)} ${usdt(netPnl)} after costs, ${share} of the starting equity.`;
}

function wins({ tradeCount, winRate, expectancy }: BacktestSummary): string | null {
  if (tradeCount === 1 || winRate === null) return null;
  const won = Math.round(winRate * tradeCount);
  const mean = expectancy ?? 0;
  return `${wonOf(won, tradeCount)}; the average trade ${changed(mean)} ${usdt(mean)}.`;
}

function wonOf(won: number, count: number): string {
  if (won === 0) return `0 of ${formatCount(count)} won`;
  if (won === count) return `All ${formatCount(count)} won`;
  return `${formatCount(won)} of ${formatCount(count)} won`;
}

/** The gross result and the costs taken from it, as a sentence. */
function costs({ costs: charged, result: { summary } }: Run): string {
  const { grossPnl, slippage, fees, funding } = summary;
  const gross = grossPnl + slippage;
  const total = fees + slippage + funding;
  const before = gross < 0 ? `Lost ${usdt(gross)} before costs` : `Gained ${usdt(gross)} before costs`;
  const parts = [`${formatMoney(fees)} fees`, `${formatMoney(slippage)} slippage`];
  parts.push(fundingPart(charged, summary));
  const took = total < 0 ? `costs and funding gave back ${usdt(total)}` : `costs took ${usdt(total)}`;
  return `${before}; ${took}: ${parts.join(', ')}.`;
}

/** Assumptions for what candles do not show. */
const assumed = (run: Run): string =>
  `Funding: ${fundingUsed(run.costs, run.result.summary, run.loaded.source)}. Stop and target in one candle: ${sameBarName(run.costs)}.`;

function sides(trades: Run['result']['trades']): string | null {
  const rows = breakdownOf(trades, 'side');
  const [long, short] = rows;
  if (trades.length < 2 || long === undefined) return null;
  if (short === undefined) return `All ${long.key.toLowerCase()}.`;
  return `Longs ${changed(long.netPnl)} ${usdt(long.netPnl)}, shorts ${changed(short.netPnl)} ${usdt(short.netPnl)}.`;
}

function accidents({ liquidationCount, ruinIndex }: BacktestSummary): string | null {
  if (liquidationCount === 0) return null;
  const lost = `${formatMany(liquidationCount, 'position')} ${liquidationCount === 1 ? 'was' : 'were'} liquidated`;
  return ruinIndex === null ? `${lost}.` : `${lost}; the equity was used up.`;
}

/** Mentions a gain that one day alone produced. */
function bestDay(trades: Run['result']['trades'], netPnl: number): string | null {
  const days = breakdownOf(trades, 'day');
  if (netPnl <= 0 || days.length < 2) return null;
  const best = days.reduce((most, day) => (day.netPnl > most.netPnl ? day : most));
  return best.netPnl < netPnl / 2
    ? null
    : `Without the best day, ${best.key}: ${formatMoney(netPnl - best.netPnl, true)} USDT.`;
}

/** Only where the order inside single candles decides between a loss and a gain. */
function order({
  optimisticNetPnl,
  pessimisticNetPnl,
  netPnl,
  tradeCount,
  ambiguousFraction,
}: BacktestSummary): string | null {
  const [other, first] = netPnl > 0 ? [pessimisticNetPnl, 'stop'] : [optimisticNetPnl, 'target'];
  if (ambiguousFraction === 0 || other > 0 === netPnl > 0) return null;
  const count = Math.round(ambiguousFraction * tradeCount);
  const places = count === 1 ? '1 candle' : `${formatCount(count)} candles`;
  return `${places} reached both target and stop or liquidation: with the ${first} first, ${formatMoney(other, true)} USDT.`;
}

const held = ({ buyAndHoldFraction }: BacktestSummary): string =>
  `Buy and hold at the same size ${changed(buyAndHoldFraction)} ${formatPercent(Math.abs(buyAndHoldFraction))} of the starting equity after fees.`;

/** The summary as sentences, for readers who prefer them to tables. Collapsed by default, because the figures come first. */
export function InWords({ run }: { run: Run }) {
  return (
    <details className="panel block px-3 py-2">
      <summary className="cursor-pointer font-semibold">In words</summary>
      <p data-testid="plain-words" className="max-w-[75ch] pt-2">
        {plainWords(run).join(' ')}
      </p>
    </details>
  );
}
