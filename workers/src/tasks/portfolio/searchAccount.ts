import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import type { Strategy } from '@sextant/engine-as/abi/strategy.ts';
import { cutCandles, firstOf, indexFrom } from '../../candles/candleColumns.ts';
import { ok } from '../../core/result.ts';
import type { HonestyResult, TrialReturns } from '../../protocol/honesty.ts';
import type { PortfolioInput, PortfolioSymbol } from '../../protocol/portfolio.ts';
import type { PortfolioSummary } from '../../protocol/portfolioFigures.ts';
import {
  type AccountSearch,
  PORTFOLIO_TRAIN_SHARE,
  portfolioRangeNames,
  portfolioRangeRules,
  type SearchedAccount,
  type SearchedRow,
  type SearchedSet,
} from '../../protocol/portfolioSearch.ts';
import { fail, type TaskResult } from '../../protocol/taskResult.ts';
import type { EnginePool, RunOptions } from '../../protocol/tasks.ts';
import { validateStrategyInput } from '../backtestStrategy.ts';
import { searchedTextMax } from '../optimize/ownSpace.ts';
import { clockOf } from './account.ts';
import { candidatesOf, initialEquityOf, inSymbol, validatePortfolio } from './candidates.ts';
import { drawSets, rankSets } from './drawSets.ts';
import { hasOtherExits, searchedParameters } from './setStrategy.ts';
import { portfolioSetsOnPool } from './setsOnPool.ts';

/** A search over sets of one account: what the server and the task command share. Rules: docs/portfolio.md, section 7. */

/** Sets shown beside the best one. */
const LEADERS_MAX = 10;

export interface SetRuns {
  summaries: PortfolioSummary[];
  /** Equity of each set, one after the other, USDT. */
  equity: Float64Array<ArrayBuffer>;
}

export interface AccountWindows {
  train: PortfolioInput;
  unseen: PortfolioInput;
  /** Symbols with too few candles before the unseen ones: `train` lacks them. */
  notTrained: string[];
}

export interface SearchRuns {
  search: AccountSearch;
  sets: readonly SearchedSet[];
  windows: AccountWindows;
  /** Indices of the ranked sets, the best first. */
  ranking: readonly number[];
  /** Every set on the searched candles; set 0 and the best one on the unseen ones. */
  trained: SetRuns;
  later: SetRuns;
}

/** Rejects ranges that do not fit the strategy, a search of nothing and a text that drawn numbers make too long. Own rules have their other ranges in their text. */
export function checkRanges(strategy: Strategy, { ranges }: Pick<AccountSearch, 'ranges'>): TaskResult<null> {
  const chosen = portfolioRangeNames.filter((name) => ranges[name] !== undefined);
  const unfit = chosen.find((name) => portfolioRangeRules[name].isOfVotes && strategy.rules !== undefined);
  if (unfit !== undefined) {
    const field = `ranges.${unfit}`;
    return fail('bad_input', `${field} must be absent: own rules have their exits in their text`, field);
  }
  const searched = searchedParameters(strategy).length;
  const most = searchedTextMax(searched);
  const length = strategy.rules?.length ?? 0;
  if (searched > 0 && length > most) {
    const field = 'strategy.rules';
    return fail('bad_input', `${field} has ${length} characters: a search over it allows ${most}`, field);
  }
  if (chosen.length > 0 || searched > 0) return ok(null);
  return fail('bad_input', `ranges must have one range at least${otherWay(strategy)}`, 'ranges');
}

function otherWay(strategy: Strategy): string {
  if (strategy.rules === undefined) return '';
  return hasOtherExits(strategy)
    ? ': the ranges of the text are left out, as the strategy has other exits than its rules'
    : ', or the rules one: fast = 12 [5..50 step 1]';
}

/** The sets of a search: set 0 is the account as it is. */
export const setsOfSearch = (strategy: Strategy, { ranges, samples, seed }: AccountSearch): SearchedSet[] =>
  drawSets(strategy, { ranges, count: samples, seed, parameters: searchedParameters(strategy) });

const stepOf = ({ strategy }: PortfolioInput): number => intervalMs[strategy.intervals[0]?.interval ?? '1h'];

/**
 * The account on the candles that are searched, and on the later ones: it then trades from their first on, warmed up by the others. A symbol
 * with too few candles before the split is searched without; any other failure is returned by its field.
 */
export function splitAccount(input: PortfolioInput): TaskResult<AccountWindows> {
  const { strategy, symbols } = input;
  const stepMs = stepOf(input);
  const firstMs = Math.min(...symbols.map(({ candles }) => candles.time[0] ?? Infinity));
  const fromMs = Math.max(firstMs, input.fromMs ?? -Infinity);
  const toMs = Math.max(...symbols.map(({ candles }) => candles.time.at(-1) ?? -Infinity));
  const candleCount = Math.floor((toMs - fromMs) / stepMs) + 1;
  const splitMs = fromMs + Math.round(candleCount * PORTFOLIO_TRAIN_SHARE) * stepMs;
  const contextMs = strategy.intervals.slice(1).map(({ interval }) => intervalMs[interval]);
  const taking: PortfolioSymbol[] = [];
  const notTrained: string[] = [];
  for (const [k, each] of symbols.entries()) {
    const early = symbolBefore(each, splitMs, { stepMs, contextMs });
    const { length } = early.candles.time;
    const valid = validateStrategyInput({ ...early, strategy, scoredCount: Math.max(1, length) });
    if (!valid.ok && valid.error.code !== 'too_short') return inSymbol(valid, k);
    if (valid.ok && indexFrom(early.candles.time, fromMs) < length) taking.push(early);
    else notTrained.push(each.symbol);
  }
  return ok({ train: { ...input, symbols: taking }, unseen: { ...input, fromMs: splitMs }, notTrained });
}

/** A symbol on the candles before the split, with everything that it has for each candle. */
function symbolBefore(
  symbol: PortfolioSymbol,
  splitMs: number,
  { stepMs, contextMs }: { stepMs: number; contextMs: readonly number[] },
): PortfolioSymbol {
  const { news, markPrices, context } = symbol;
  const candles = cutCandles(symbol.candles, -Infinity, splitMs);
  const { length } = candles.time;
  const early: PortfolioSymbol = {
    ...symbol,
    candles,
    // Closed by then: a longer candle that spans the split knows unseen prices.
    context: context.map((series, k) => cutCandles(series, -Infinity, splitMs - (contextMs[k] ?? stepMs) + 1)),
  };
  // A column that does not fit the whole candles is reported as it is.
  if (news?.length === symbol.candles.time.length) early.news = news.slice(0, length);
  if (markPrices?.open.length === symbol.candles.time.length) early.markPrices = firstOf(markPrices, length);
  return early;
}

/** First open, last close and number of the candles of an account. */
function spanOf(input: PortfolioInput): SearchedAccount['train'] {
  const clock = clockOf(candidatesOf(input).map((candidate) => candidate.input));
  return { from: clock[0] ?? 0, to: (clock.at(-1) ?? 0) + stepOf(input), candles: clock.length };
}

function summaryAt({ summaries }: SetRuns, index: number): PortfolioSummary {
  const summary = summaries[index];
  if (summary === undefined) throw new Error(`set ${index} has no figures`);
  return summary;
}

/** What a search shows: the best set and set 0 on both spans, and the leaders. */
export function rowsOfSearch(runs: SearchRuns): SearchedAccount {
  const { search, sets, windows, ranking, trained, later } = runs;
  const { samples, seed, target } = search;
  const [best] = ranking;
  const rowOf = (index: number, unseen: PortfolioSummary | null): SearchedRow => {
    const { strategy, values, limits = {} } = sets[index] ?? {};
    const set = values === undefined ? { ...strategy } : { ...strategy, values };
    return { index, set, limits, train: summaryAt(trained, index), unseen };
  };
  return {
    train: spanOf(windows.train),
    unseen: spanOf(windows.unseen),
    samples,
    seed,
    target,
    ranked: ranking.length,
    best: best === undefined ? null : rowOf(best, summaryAt(later, 1)),
    own: rowOf(0, summaryAt(later, 0)),
    leaders: ranking.slice(0, LEADERS_MAX).map((index) => rowOf(index, null)),
    left_out: windows.notTrained.map((symbol) => ({ symbol, reason: 'too_few_before_unseen' })),
  };
}

/**
 * The input of the honesty task: the best set among all sets, with its returns on the unseen candles; null without a best set or returns.
 * @param earlier sets and results that were viewed before on these candles, and the seed of the judgement; that of the search when absent
 */
export function honestyOfSearch(
  { search, windows, ranking, trained, later }: SearchRuns,
  earlier: { trials: number; looks: number; seed?: number },
): TrialReturns | null {
  const [best] = ranking;
  const { samples, seed } = search;
  const bars = trained.equity.length / samples;
  const unseen = later.equity.subarray(later.equity.length / 2);
  if (best === undefined || bars < 2 || unseen.length < 2) return null;
  const initialEquity = initialEquityOf(windows.unseen);
  const returnsOf = (equity: Float64Array, length: number): Float64Array =>
    equity.map((value, i) => (value - (i % length === 0 ? initialEquity : (equity[i - 1] ?? 0))) / initialEquity);
  return {
    kind: 'returns',
    returns: returnsOf(trained.equity, bars),
    trialCount: samples,
    bestIndex: best,
    tradeCount: summaryAt(trained, best).tradeCount,
    barMs: stepOf(windows.train),
    seed: earlier.seed ?? seed,
    isOfAccount: true,
    earlierTrialCount: earlier.trials,
    unseen: {
      returns: returnsOf(unseen, unseen.length),
      tradeCount: summaryAt(later, 1).tradeCount,
      lookCount: 1 + earlier.looks,
    },
  };
}

/** Indices of the sets that run on the unseen candles: set 0 and the best one. */
export const shownSets = (sets: readonly SearchedSet[], [best = 0]: readonly number[]): SearchedSet[] =>
  [0, best].map((index) => sets[index] ?? {});

export const TOO_FEW_CANDLES = 'Too few candles before the unseen ones. Load more candles.';

/** Searches on every thread of a pool. Judged where `input.judge` is there, with the sets that were tried before. */
export async function searchOnPool(
  pool: EnginePool,
  input: PortfolioInput,
  search: AccountSearch,
  options: RunOptions = {},
): Promise<TaskResult<SearchedAccount & { honesty: HonestyResult | null }>> {
  const { judge, ...account } = input;
  const valid = validatePortfolio(input);
  if (!valid.ok) return valid;
  const fit = checkRanges(account.strategy, search);
  if (!fit.ok) return fit;
  const split = splitAccount(account);
  if (!split.ok) return split;
  const windows = split.value;
  if (windows.train.symbols.length === 0) return fail('too_short', TOO_FEW_CANDLES, 'symbols');
  const sets = setsOfSearch(account.strategy, search);
  const trained = await runSets(pool, windows.train, sets, options);
  if (!trained.ok) return trained;
  const ranking = rankSets(trained.value.summaries, search.target);
  const later = await runSets(pool, windows.unseen, shownSets(sets, ranking), {});
  if (!later.ok) return later;
  const runs: SearchRuns = { search, sets, windows, ranking, trained: trained.value, later: later.value };
  const trials = judge && honestyOfSearch(runs, { trials: judge.earlierTrialCount, looks: 0, seed: judge.seed });
  if (trials === undefined || trials === null) return ok({ ...rowsOfSearch(runs), honesty: null });
  const judged = await pool.run('honesty', trials, {});
  return judged.ok ? ok({ ...rowsOfSearch(runs), honesty: judged.value }) : judged;
}

async function runSets(
  pool: EnginePool,
  input: PortfolioInput,
  sets: SearchedSet[],
  options: RunOptions,
): Promise<TaskResult<SetRuns>> {
  const run = await portfolioSetsOnPool(pool, { ...input, sets, withEquity: true }, options);
  if (!run.ok) return run;
  const { summaries, equity = new Float64Array() } = run.value;
  return ok({ summaries, equity });
}
