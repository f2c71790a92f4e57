import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import { failWith, ok } from '@sextant/workers/src/core/result.ts';
import type { PortfolioInput, PortfolioResult } from '@sextant/workers/src/protocol/portfolio.ts';
import type { EnginePool } from '@sextant/workers/src/protocol/tasks.ts';
import { validateStrategyInput } from '@sextant/workers/src/tasks/backtestStrategy.ts';
import type { Db } from '../../../platform/db/scope.ts';
import { type Outcome, reject } from '../../../platform/errors.ts';
import { runInTurn } from '../../market/engineRuns.ts';
import type { FuturesSymbol, Market } from '../../market/port.ts';
import type { ConfidenceBases } from '../../signals/confidenceBasis.ts';
import { countPortfolioTried, nothingTried, type Tried } from '../countTried.ts';
import { verdictOf } from '../judgeRun.ts';
import { rejectTask } from '../../market/rejectTask.ts';
import type { ReadAuto } from './autoOf.ts';
import { type Chosen, chooseSymbols, type UniverseHistory } from './chooseSymbols.ts';
import type { PortfolioBody, PortfolioResponse } from './contract.ts';
import {
  capacityOf,
  correlationOf,
  curveOf,
  largestOrderNotes,
  missingReason,
  noBiasReason,
  shownTrades,
  survivorsText,
  unknownReason,
} from './figures.ts';
import { type LeftOutSymbol, type LoadedPortfolio, type LoadedSymbol, loadPortfolio } from './loadPortfolio.ts';
import { type Plan, planOf } from './plan.ts';

export interface PortfolioDeps {
  db: Db;
  market: Market;
  /** Lists and candles of the past; absent in the sandbox. */
  history?: UniverseHistory;
  engine: EnginePool;
  confidences: Pick<ConfidenceBases, 'of' | 'refresh'>;
  readAuto: ReadAuto;
  /** False in the sandbox, which counts nothing. */
  isCounted: boolean;
  now?: () => number;
}

/** Longest time of a run, loading included. */
export const PORTFOLIO_DEADLINE_MS = 60_000;

/** Loads the symbols, runs one account over them and says what luck explains. @param signal of the client; the deadline is added */
export async function runPortfolio(
  deps: PortfolioDeps,
  userId: string,
  body: PortfolioBody,
  { signal: ofClient, deadlineMs = PORTFOLIO_DEADLINE_MS }: { signal: AbortSignal; deadlineMs?: number },
): Promise<Outcome<PortfolioResponse>> {
  const signal = AbortSignal.any([ofClient, AbortSignal.timeout(deadlineMs)]);
  const opened = await openPortfolio(deps, userId, body, { signal });
  if (!opened.ok) return inTime(opened, signal, deadlineMs);
  const { plan, chosen, symbols, leftOut, input } = opened.value;
  const tried = await countTried(deps, userId, body, plan, symbols);
  const judge = { seed: 1, earlierTrialCount: Math.max(tried.before.trials, body.earlierTrials) };
  const run = await runTask(deps, userId, body.honesty ? { ...input, judge } : input, signal);
  if (!run.ok) return inTime(run, signal, deadlineMs);
  const left = [...chosen.leftOut, ...leftOut, ...idleOf(run.value)];
  const bias = await survivorBias(deps, userId, { input, symbols, all: run.value, chosen, left, signal });
  if (!bias.ok) return inTime(bias, signal, deadlineMs);
  const { listedOnMs } = chosen;
  return ok(responseOf(body, plan, { result: run.value, symbols, left, bias: bias.value, tried, listedOnMs }));
}

/** An account with its candles. */
export interface OpenPortfolio {
  plan: Plan;
  chosen: Chosen;
  symbols: LoadedSymbol[];
  leftOut: LeftOutSymbol[];
  input: PortfolioInput;
}

/** Reads the settings, selects the symbols and loads their candles. @param checkPlan rejects a plan before anything is loaded */
export async function openPortfolio(
  deps: PortfolioDeps,
  userId: string,
  body: PortfolioBody,
  { signal, checkPlan = () => ok(null) }: { signal: AbortSignal; checkPlan?: (plan: Plan) => Outcome<null> },
): Promise<Outcome<OpenPortfolio>> {
  await deps.confidences.refresh();
  const auto = await deps.readAuto(userId);
  const plan = planOf(body, auto, deps.confidences);
  if (!plan.ok) return plan;
  const fit = checkPlan(plan.value);
  if (!fit.ok) return fit;
  const chosen = await chooseSymbols(deps, body, { auto, interval: plan.value.interval, signal });
  if (!chosen.ok) return chosen;
  const loaded = await load(deps, userId, body, { plan: plan.value, listings: chosen.value.listings, signal });
  if (!loaded.ok) return loaded;
  const { symbols, leftOut } = loaded.value;
  const { strategy, limits } = plan.value;
  const input: PortfolioInput = { strategy, limits, symbols: symbols.map(taskSymbolOf) };
  return ok({ plan: plan.value, chosen: chosen.value, symbols, leftOut, input });
}

/** A failure, named after the deadline where that caused it. */
export const inTime = (failed: Outcome<never>, { aborted }: AbortSignal, deadlineMs: number): Outcome<never> =>
  aborted
    ? reject(
        'deadline_exceeded',
        `Loading took longer than ${deadlineMs / 1000} s. Choose fewer symbols or candles, or run again: what has loaded is stored.`,
      )
    : failed;

const idleOf = ({ idleSymbols }: PortfolioResult): LeftOutSymbol[] =>
  idleSymbols.map((symbol) => ({ symbol, reason: 'too_few_candles' }));

const taskSymbolOf = ({ symbol, candles, context, costs }: LoadedSymbol) => ({ symbol, candles, context, costs });

async function load(
  { market, now = Date.now }: PortfolioDeps,
  userId: string,
  body: PortfolioBody,
  { plan, listings, signal }: { plan: Plan; listings: readonly FuturesSymbol[]; signal: AbortSignal },
): Promise<Outcome<LoadedPortfolio>> {
  const { interval, strategy, costs, baseUsdt } = plan;
  const stepMs = intervalMs[interval];
  const endTimeMs = Math.floor((body.endTime ?? now()) / stepMs) * stepMs;
  const isPast = body.endTime !== undefined;
  const { exchange, limit } = body;
  const shared = { userId, exchange, interval, limit, endTimeMs, isPast, strategy, costs, signal };
  const loaded = await loadPortfolio(market, listings, baseUsdt === undefined ? shared : { ...shared, baseUsdt });
  // Some symbols may have loaded, but not all of the request.
  if (signal.aborted) return reject('deadline_exceeded');
  const taking: LoadedSymbol[] = [];
  const leftOut = [...loaded.leftOut];
  for (const each of loaded.symbols) {
    const valid = validateStrategyInput({ ...taskSymbolOf(each), strategy, scoredCount: each.candles.time.length });
    if (valid.ok) taking.push(each);
    else if (isOfCandles(valid.error.field)) leftOut.push({ symbol: each.symbol, reason: 'too_few_candles' });
    else return rejectTask(valid.error);
  }
  if (taking.length > 0) return ok({ ...loaded, symbols: taking, leftOut });
  if (loaded.busy !== undefined) return failWith(loaded.busy);
  const isTooLarge = leftOut.some(({ reason }) => reason === 'too_large');
  return isTooLarge
    ? reject('validation_failed', 'The exchange grants no position of this size. Use a smaller one.', {
        field: 'costs.notional',
      })
    : reject('too_few_candles', 'The exchange returned no candles of these symbols.', { field: 'symbols' });
}

const isOfCandles = (field: string | undefined): boolean =>
  field !== undefined && /^(candles|context|scoredCount)/.test(field);

async function runTask(
  { engine }: PortfolioDeps,
  userId: string,
  input: PortfolioInput,
  signal: AbortSignal,
): Promise<Outcome<PortfolioResult>> {
  const run = await runInTurn(engine, userId, () => engine.run('portfolio', input, { signal }));
  if (!run.ok) return run;
  return run.value.ok ? ok(run.value.value) : rejectTask(run.value.error);
}

function countTried(
  { db, isCounted }: PortfolioDeps,
  userId: string,
  { exchange }: PortfolioBody,
  { interval, strategy, limits, costs }: Plan,
  symbols: readonly LoadedSymbol[],
): Promise<Tried> {
  if (!isCounted) return Promise.resolve(nothingTried);
  const what = { strategy, limits, costs };
  return countPortfolioTried(db, userId, { exchange, interval, ...spanOf(symbols), what });
}

/** The candles of an account: its symbols, the first and the last open, epoch ms. */
export const spanOf = (symbols: readonly LoadedSymbol[]) => ({
  symbols: symbols.map(({ symbol }) => symbol),
  fromMs: Math.min(...symbols.map(({ candles }) => candles.time[0] ?? 0)),
  toMs: Math.max(...symbols.map(({ candles }) => candles.time.at(-1) ?? 0)),
});

interface BiasOf {
  input: PortfolioInput;
  symbols: readonly LoadedSymbol[];
  all: PortfolioResult;
  chosen: Chosen;
  left: readonly LeftOutSymbol[];
  signal: AbortSignal;
}

/** The same account over the symbols that still trade, where the run has delisted ones; never an estimate. */
async function survivorBias(
  deps: PortfolioDeps,
  userId: string,
  { input, symbols, all, chosen, left, signal }: BiasOf,
): Promise<Outcome<PortfolioResponse['survivor_bias']>> {
  const alive = symbols.filter(({ listing }) => listing.hasEnded !== true);
  const ended = new Set(chosen.listings.filter(({ hasEnded }) => hasEnded === true).map(({ symbol }) => symbol));
  const missingCount = left.filter(({ symbol }) => ended.has(symbol)).length;
  if (missingCount > 0) return ok({ return_fraction: null, reason: missingReason(missingCount) });
  const unknownCount = chosen.listedOnMs === null ? 0 : chosen.leftOut.length;
  if (unknownCount > 0) return ok({ return_fraction: null, reason: unknownReason(unknownCount) });
  if (alive.length === symbols.length) {
    // All symbols of the time took part, and all of them still trade.
    if (chosen.listedOnMs !== null) return ok({ return_fraction: 0, reason: null });
    return ok({ return_fraction: null, reason: noBiasReason });
  }
  if (alive.length === 0) return ok({ return_fraction: null, reason: 'All symbols of the run are delisted.' });
  const run = await runTask(deps, userId, { ...input, symbols: alive.map(taskSymbolOf) }, signal);
  if (!run.ok) return run;
  const equity = input.symbols[0]?.costs.initialEquity ?? Number.NaN;
  return ok({ return_fraction: (run.value.summary.netPnl - all.summary.netPnl) / equity, reason: null });
}

interface Finished {
  result: PortfolioResult;
  symbols: readonly LoadedSymbol[];
  left: LeftOutSymbol[];
  bias: PortfolioResponse['survivor_bias'];
  tried: Tried;
  listedOnMs: number | null;
}

function responseOf(
  { exchange }: PortfolioBody,
  plan: Plan,
  { result, symbols, left, bias, tried, listedOnMs }: Finished,
): PortfolioResponse {
  const { interval, strategy, strategyName } = plan;
  const bySymbol = new Map(symbols.map((each) => [each.symbol, each]));
  const endedCount = symbols.filter(({ listing }) => listing.hasEnded === true).length;
  const named = (is: (each: LoadedSymbol) => boolean): string[] => symbols.filter(is).map(({ symbol }) => symbol);
  return {
    exchange,
    interval,
    strategy,
    strategy_name: strategyName,
    account: accountOf(plan, largestOrderNotes(result.trades, symbols)),
    summary: result.summary,
    capacity: capacityOf(result.trades, symbols),
    curve: curveOf(result),
    contributions: result.contributions.map((own) => {
      const { listing, costs } = bySymbol.get(own.symbol) ?? {};
      const listedAtMs = listing?.listedAtMs ?? null;
      return {
        ...own,
        listed_at: listedAtMs === null ? null : new Date(listedAtMs).toISOString(),
        has_ended: listing?.hasEnded === true,
        leverage: costs?.leverage ?? plan.costs.leverage,
      };
    }),
    months: result.months,
    regimes: result.regimes,
    correlation: correlationOf(result),
    trades: shownTrades(result.trades),
    trade_count: result.trades.length,
    skips: result.skips,
    left_out: left.sort((a, b) => (a.symbol < b.symbol ? -1 : 1)),
    funding_missing: named(({ isFundingMissing }) => isFundingMissing),
    tiers_unknown: named(({ areTiersUnknown }) => areTiersUnknown),
    survivors_only: endedCount === 0,
    survivors_text: survivorsText(endedCount, listedOnMs),
    universe_day: listedOnMs === null ? null : new Date(listedOnMs).toISOString().slice(0, 10),
    survivor_bias: bias,
    honesty: result.honesty === null ? null : verdictOf(result.honesty, tried),
    hashes: result.hashes,
  };
}

function accountOf(
  { isAuto, costs, strategy, limits, notes: ofPlan }: Plan,
  ofOrders: readonly string[],
): PortfolioResponse['account'] {
  const { initialEquity: equity, leverage, notional } = costs;
  const { mode, riskFraction } = strategy.sizing;
  const notes = [...ofPlan, ...ofOrders];
  return { isAuto, equity, leverage, notional, sizing: mode, riskFraction, limits, notes };
}
