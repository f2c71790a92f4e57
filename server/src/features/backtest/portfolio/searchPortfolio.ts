import { ok } from '@sextant/workers/src/core/result.ts';
import type { SearchedSet } from '@sextant/workers/src/protocol/portfolioSearch.ts';
import type { PortfolioInput, PortfolioSetsResult } from '@sextant/workers/src/protocol/portfolio.ts';
import { rankSets } from '@sextant/workers/src/tasks/portfolio/drawSets.ts';
import {
  checkRanges,
  honestyOfSearch,
  rowsOfSearch,
  type SearchRuns,
  type SetRuns,
  setsOfSearch,
  shownSets,
  splitAccount,
  TOO_FEW_CANDLES,
} from '@sextant/workers/src/tasks/portfolio/searchAccount.ts';
import { strategyOfSet } from '@sextant/workers/src/tasks/portfolio/setStrategy.ts';
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
import type { Plan } from './plan.ts';
import type { PortfolioSearchBody, PortfolioSearchResponse } from './searchContract.ts';

/** Parts of a search, each one task of the engine: progress moves, and other runs get their turn between them. */
const PART_COUNT = 10;
const PART_SETS_MIN = 16;
/** Candles that the sets of a part score again where they have values of own rules: a second or two of one thread. */
const PART_SCORED_MAX = 4_000_000;

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
  const checkPlan = (plan: Plan): Outcome<null> => checkSearch(plan, body);
  const opened = await openPortfolio(deps, userId, body.run, { signal, checkPlan });
  if (!opened.ok) return inTime(opened, signal, deadlineMs);
  const searched = await searchOpened(deps, userId, { body, opened: opened.value, signal });
  if (searched.ok || !signal.aborted) return searched;
  return reject(
    'deadline_exceeded',
    `The search took longer than ${deadlineMs / 1000} s. Choose fewer sets, symbols or candles.`,
  );
}

/** Whether the ranges fit the strategy, by the names of the request. */
function checkSearch({ strategy }: Plan, { run, ...search }: PortfolioSearchBody): Outcome<null> {
  const fit = checkRanges(strategy, search);
  if (fit.ok) return fit;
  const { field, message } = fit.error;
  if (field !== 'strategy.rules') return rejectTask(fit.error);
  const named = run.rules === undefined ? 'run.strategy.rules' : 'run.rules';
  return rejectTask({ ...fit.error, field: named, message: message.replace(field, named) });
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
  const { samples, target } = body;
  const { strategy } = opened.plan;
  const split = splitAccount(opened.input);
  if (!split.ok) return rejectTask(split.error);
  const windows = split.value;
  if (windows.train.symbols.length === 0) return reject('too_few_candles', TOO_FEW_CANDLES, { field: 'run.limit' });
  const sets = setsOfSearch(strategy, body);
  const report = progressOf(deps, userId, { id: body.progressId, total: samples });
  const trained = await runSets(deps, userId, { input: windows.train, sets, signal, report });
  if (!trained.ok) return trained;
  const ranking = rankSets(trained.value.summaries, target);
  const later = await runSets(deps, userId, { input: windows.unseen, sets: shownSets(sets, ranking), signal });
  if (!later.ok) return later;
  const runs: SearchRuns = { search: body, sets, windows, ranking, trained: trained.value, later: later.value };
  const [best] = ranking;
  const tried = await countTried(deps, userId, { body, opened, best: best === undefined ? null : (sets[best] ?? {}) });
  const judged = await judgeSearch(deps, userId, searching, { runs, tried });
  return judged.ok ? ok(responseOf(searching, runs, judged.value)) : judged;
}

function responseOf(
  { body: { run }, opened: { plan, chosen, leftOut } }: Searching,
  runs: SearchRuns,
  honesty: PortfolioSearchResponse['honesty'],
): PortfolioSearchResponse {
  const found = rowsOfSearch(runs);
  return {
    exchange: run.exchange,
    interval: plan.interval,
    strategy_name: plan.strategyName,
    equity: plan.costs.initialEquity,
    ...found,
    honesty,
    left_out: [...chosen.leftOut, ...leftOut, ...found.left_out].sort((a, b) => (a.symbol < b.symbol ? -1 : 1)),
  };
}

interface SetsRun {
  input: PortfolioInput;
  sets: readonly SearchedSet[];
  signal: AbortSignal;
  /** Sets that are done. */
  report?: (done: number) => Promise<void>;
}

/** Sets of one part: those with values of own rules score every candle again. */
export function partSetsOf({ symbols }: Pick<PortfolioInput, 'symbols'>, sets: readonly SearchedSet[]): number {
  const share = Math.max(PART_SETS_MIN, Math.ceil(sets.length / PART_COUNT));
  if (sets.every(({ values }) => values === undefined)) return share;
  const candleCount = symbols.reduce((sum, { candles }) => sum + candles.time.length, 0);
  return Math.max(1, Math.min(share, Math.floor(PART_SCORED_MAX / candleCount)));
}

/** Runs sets in parts, one task of the engine at a time. */
async function runSets(
  { engine }: Deps,
  userId: string,
  { input, sets, signal, report }: SetsRun,
): Promise<Outcome<SetRuns>> {
  const share = partSetsOf(input, sets);
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
    strategy: strategyOfSet(strategy, best),
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
  { body: { run }, signal }: Searching,
  { runs, tried }: { runs: SearchRuns; tried: Tried },
): Promise<Outcome<PortfolioSearchResponse['honesty']>> {
  const { before } = tried;
  const earlier = { trials: Math.max(before.trials, run.earlierTrials), looks: before.looks };
  const input = run.honesty ? honestyOfSearch(runs, earlier) : null;
  if (input === null) return ok(null);
  const judged = await runInTurn(engine, userId, () => engine.run('honesty', input, { signal }));
  if (!judged.ok) return judged;
  return judged.value.ok ? ok(verdictOf(judged.value.value, tried)) : rejectTask(judged.value.error);
}
