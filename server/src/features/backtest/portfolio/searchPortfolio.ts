import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import { cutCandles } from '@sextant/workers/src/candles/candleColumns.ts';
import { ok } from '@sextant/workers/src/core/result.ts';
import { PORTFOLIO_TRAIN_SHARE, type SearchedSet } from '@sextant/workers/src/protocol/portfolioSearch.ts';
import type { PortfolioInput, PortfolioSetsResult } from '@sextant/workers/src/protocol/portfolio.ts';
import type { PortfolioSummary } from '@sextant/workers/src/protocol/portfolioFigures.ts';
import { validateStrategyInput } from '@sextant/workers/src/tasks/backtestStrategy.ts';
import { clockOf } from '@sextant/workers/src/tasks/portfolio/account.ts';
import { candidatesOf } from '@sextant/workers/src/tasks/portfolio/candidates.ts';
import { drawSets, rankSets } from '@sextant/workers/src/tasks/portfolio/drawSets.ts';
import { joined } from '@sextant/workers/src/tasks/portfolio/setsOnPool.ts';
import { withUser } from '../../../platform/db/scope.ts';
import { type Outcome, reject } from '../../../platform/errors.ts';
import { notifyUser } from '../../../platform/events/notify.ts';
import { runInTurn } from '../../market/engineRuns.ts';
import { rejectTask } from '../../market/rejectTask.ts';
import { countPortfolioSearchTried, nothingTried, type Tried } from '../countTried.ts';
import { verdictOf } from '../judgeRun.ts';
import {
  inTime,
  openPortfolio,
  type OpenPortfolio,
  PORTFOLIO_DEADLINE_MS,
  type PortfolioDeps,
  spanOf,
} from './runPortfolio.ts';
import type { PortfolioSearchBody, PortfolioSearchResponse } from './searchContract.ts';

/** Sets shown beside the best one. */
const LEADERS_MAX = 10;
/** Parts of a search, each one task of the engine: progress moves, and other runs get their turn between them. */
const PART_COUNT = 10;
const PART_SETS_MIN = 16;

type Deps = Pick<PortfolioDeps, 'engine' | 'db' | 'isCounted'>;

interface SearchOptions {
  signal: AbortSignal;
  deadlineMs?: number;
}

/**
 * Searches sets of one account on the first part of the candles and runs the best set and set 0 on the rest.
 * @param signal of the client; the deadline is added
 */
export async function searchPortfolio(
  deps: PortfolioDeps,
  userId: string,
  body: PortfolioSearchBody,
  { signal: ofClient, deadlineMs = PORTFOLIO_DEADLINE_MS }: SearchOptions,
): Promise<Outcome<PortfolioSearchResponse>> {
  const signal = AbortSignal.any([ofClient, AbortSignal.timeout(deadlineMs)]);
  const opened = await openPortfolio(deps, userId, body.run, signal);
  if (!opened.ok) return inTime(opened, signal, deadlineMs);
  const searched = await searchOpened(deps, userId, { body, opened: opened.value, signal });
  if (searched.ok || !signal.aborted) return searched;
  return reject(
    'deadline_exceeded',
    `The search took longer than ${deadlineMs / 1000} s. Choose fewer sets, symbols or candles.`,
  );
}

interface Searching {
  body: PortfolioSearchBody;
  opened: OpenPortfolio;
  signal: AbortSignal;
}

async function searchOpened(
  deps: PortfolioDeps,
  userId: string,
  searching: Searching,
): Promise<Outcome<PortfolioSearchResponse>> {
  const { body, opened, signal } = searching;
  const { ranges, samples, seed, target } = body;
  const { strategy } = opened.plan;
  const unfit = (['entryThreshold', 'stopFactor', 'targetFactor'] as const).find((name) => ranges[name] !== undefined);
  if (strategy.rules !== undefined && unfit !== undefined)
    return reject('validation_failed', `ranges.${unfit} must be absent: own rules have their exits in their text`, {
      field: `ranges.${unfit}`,
    });
  const windows = windowsOf(opened);
  if (windows.train.symbols.length === 0)
    return reject('too_few_candles', 'Too few candles before the unseen ones. Load more candles.', {
      field: 'run.limit',
    });
  const sets = drawSets(strategy, { ranges, count: samples, seed });
  const report = progressOf(deps, userId, { id: body.progressId, total: samples });
  const trained = await runSets(deps, userId, { input: windows.train, sets, signal, report });
  if (!trained.ok) return trained;
  const ranking = rankSets(trained.value.summaries, target);
  const best = ranking[0] ?? null;
  const shown = [0, best ?? 0].map((index) => sets[index] ?? {});
  const later = await runSets(deps, userId, { input: windows.unseen, sets: shown, signal });
  if (!later.ok) return later;
  const tried = await countTried(deps, userId, { body, opened, best: best === null ? null : (sets[best] ?? {}) });
  const searched = { sets, windows, ranking, best, trained: trained.value, later: later.value, tried };
  const judged = await judgeSearch(deps, userId, searching, searched);
  return judged.ok ? ok(responseOf(searching, searched, judged.value)) : judged;
}

interface Searched {
  sets: readonly SearchedSet[];
  windows: { train: PortfolioInput; unseen: PortfolioInput };
  /** Indices of the ranked sets, the best first, and the best one; null: none. */
  ranking: readonly number[];
  best: number | null;
  trained: SetRuns;
  /** Set 0 and the best set on the unseen candles. */
  later: SetRuns;
  tried: Tried;
}

function responseOf(
  { body, opened: { plan, chosen, leftOut } }: Searching,
  { sets, windows, ranking, best, trained, later }: Searched,
  honesty: PortfolioSearchResponse['honesty'],
): PortfolioSearchResponse {
  const { run, samples, seed, target } = body;
  const stepMs = intervalMs[plan.interval];
  const rowOf = (index: number, unseen: PortfolioSummary | null) => ({
    index,
    set: sets[index]?.strategy ?? {},
    limits: sets[index]?.limits ?? {},
    train: summaryAt(trained.summaries, index),
    unseen,
  });
  return {
    exchange: run.exchange,
    interval: plan.interval,
    strategy_name: plan.strategyName,
    equity: plan.costs.initialEquity,
    train: windowWords(windows.train, stepMs),
    unseen: windowWords(windows.unseen, stepMs),
    samples,
    seed,
    target,
    ranked: ranking.length,
    best: best === null ? null : rowOf(best, summaryAt(later.summaries, 1)),
    own: rowOf(0, summaryAt(later.summaries, 0)),
    leaders: ranking.slice(0, LEADERS_MAX).map((index) => rowOf(index, null)),
    honesty,
    left_out: [...chosen.leftOut, ...leftOut].sort((a, b) => (a.symbol < b.symbol ? -1 : 1)),
  };
}

function summaryAt(summaries: readonly PortfolioSummary[], index: number): PortfolioSummary {
  const summary = summaries[index];
  if (summary === undefined) throw new Error(`set ${index} has no figures`);
  return summary;
}

/** The account on the candles that are searched, and on the later ones: it then trades from their first on, warmed up by the others. */
function windowsOf({ input, symbols, plan }: OpenPortfolio): { train: PortfolioInput; unseen: PortfolioInput } {
  const stepMs = intervalMs[plan.interval];
  const { fromMs, toMs } = spanOf(symbols);
  const candleCount = (toMs - fromMs) / stepMs + 1;
  const splitMs = fromMs + Math.round(candleCount * PORTFOLIO_TRAIN_SHARE) * stepMs;
  const longer = plan.strategy.intervals.slice(1);
  const early = input.symbols.map((each) => ({
    ...each,
    candles: cutCandles(each.candles, -Infinity, splitMs),
    // Closed by then: a longer candle that spans the split knows unseen prices.
    context: each.context.map((candles, k) =>
      cutCandles(candles, -Infinity, splitMs - intervalMs[longer[k]?.interval ?? plan.interval] + 1),
    ),
  }));
  const taking = early.filter((each) => {
    const scoredCount = each.candles.time.length;
    return scoredCount > 0 && validateStrategyInput({ ...each, strategy: plan.strategy, scoredCount }).ok;
  });
  return { train: { ...input, symbols: taking }, unseen: { ...input, fromMs: splitMs } };
}

/** First open, last close and number of the candles of an account. */
function windowWords(input: PortfolioInput, stepMs: number): PortfolioSearchResponse['train'] {
  const clock = clockOf(candidatesOf(input).map((candidate) => candidate.input));
  return { from: clock[0] ?? 0, to: (clock.at(-1) ?? 0) + stepMs, candles: clock.length };
}

interface SetsRun {
  input: PortfolioInput;
  sets: readonly SearchedSet[];
  signal: AbortSignal;
  /** Sets that are done. */
  report?: (done: number) => Promise<void>;
}

interface SetRuns {
  summaries: PortfolioSummary[];
  /** Of each set, one after the other, USDT. */
  equity: Float64Array<ArrayBuffer>;
}

/** Runs sets in parts, one task of the engine at a time. */
async function runSets(
  { engine }: Deps,
  userId: string,
  { input, sets, signal, report }: SetsRun,
): Promise<Outcome<SetRuns>> {
  const share = Math.max(PART_SETS_MIN, Math.ceil(sets.length / PART_COUNT));
  const parts: PortfolioSetsResult[] = [];
  await report?.(0);
  for (let from = 0; from < sets.length; from += share) {
    const part = { ...input, sets: sets.slice(from, from + share), withEquity: true };
    const run = await runInTurn(engine, userId, () => engine.run('portfolioSets', part, { signal }));
    if (!run.ok) return run;
    if (!run.value.ok) return rejectTask(run.value.error);
    parts.push(run.value.value);
    await report?.(Math.min(sets.length, from + share));
  }
  return ok({
    summaries: parts.flatMap(({ summaries }) => summaries),
    equity: joined(parts.map(({ equity }) => equity ?? new Float64Array())),
  });
}

const lastColumn = (columns: Float64Array, count: number): Float64Array =>
  columns.subarray((columns.length / count) * (count - 1));

/** Sends the progress of a search to the pages of its user; nothing without an id, or where there are no accounts. */
function progressOf(
  { db, isCounted }: Deps,
  userId: string,
  { id, total }: { id: string | undefined; total: number },
): (done: number) => Promise<void> {
  return async (done) => {
    if (id === undefined || !isCounted) return;
    await withUser(db, userId, (tx) => notifyUser(tx, userId, 'portfolio_search', { id, done, total }));
  };
}

/** Every set is a trial on the candles of the account, once if the search is repeated. */
function countTried(
  { db, isCounted }: Deps,
  userId: string,
  { body, opened, best }: Omit<Searching, 'signal'> & { best: SearchedSet | null },
): Promise<Tried> {
  if (!isCounted) return Promise.resolve(nothingTried);
  const { exchange } = body.run;
  const { ranges, samples: trialCount, seed, target } = body;
  const { interval, strategy, limits, costs } = opened.plan;
  const run = { strategy, limits, costs };
  const bestRun = best && {
    strategy: { ...strategy, ...best.strategy },
    limits: { ...limits, ...best.limits },
    costs,
  };
  const what = { ...run, search: { ranges, trialCount, seed, target } };
  return countPortfolioSearchTried(db, userId, {
    exchange,
    interval,
    ...spanOf(opened.symbols),
    what,
    trialCount,
    best: bestRun,
  });
}

/** The honesty panel of the best set among all sets, with its returns on the unseen candles; null without one. */
async function judgeSearch(
  { engine }: Deps,
  userId: string,
  { body: { run, samples, seed }, opened: { plan }, signal }: Searching,
  { best, trained, later, tried }: Searched,
): Promise<Outcome<PortfolioSearchResponse['honesty']>> {
  const unseen = lastColumn(later.equity, 2);
  const bars = trained.equity.length / samples;
  if (best === null || !run.honesty || bars < 2 || unseen.length < 2) return ok(null);
  const { initialEquity } = plan.costs;
  const returnsOf = (equity: Float64Array, length: number): Float64Array =>
    equity.map((value, i) => (value - (i % length === 0 ? initialEquity : (equity[i - 1] ?? 0))) / initialEquity);
  const input = {
    kind: 'returns',
    returns: returnsOf(trained.equity, bars),
    trialCount: samples,
    bestIndex: best,
    tradeCount: summaryAt(trained.summaries, best).tradeCount,
    barMs: intervalMs[plan.interval],
    seed,
    isOfAccount: true,
    earlierTrialCount: Math.max(tried.before.trials, run.earlierTrials),
    unseen: {
      returns: returnsOf(unseen, unseen.length),
      tradeCount: summaryAt(later.summaries, 1).tradeCount,
      lookCount: 1 + tried.before.looks,
    },
  } as const;
  const judged = await runInTurn(engine, userId, () => engine.run('honesty', input, { signal }));
  if (!judged.ok) return judged;
  return judged.value.ok ? ok(verdictOf(judged.value.value, tried)) : rejectTask(judged.value.error);
}
