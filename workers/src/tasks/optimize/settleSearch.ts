import { joinColumns } from '../../candles/candleColumns.ts';
import { withoutUndefined } from '../../core/withoutUndefined.ts';
import { MINUTE_MS } from '@sextant/engine-as/abi/intervals.ts';
import { hasMinutes, type MinutesByBar, SEARCH_MINUTES_MAX, SETTLE_ROUNDS_MAX } from '../../candles/minutes.ts';
import type { Candles } from '../../protocol/backtest.ts';
import type { EnginePool, RunOptions } from '../../protocol/tasks.ts';
import type { OptimizeInput } from '../../protocol/optimize.ts';
import { knownWith, type LoadedMinutes, type SettleOptions } from '../../candles/settle.ts';
import { type Searched, SearchFailure } from './onPool.ts';
import { strategyInputOf } from './rulesSpace.ts';

/**
 * Minutes for a search: its sets say in which candles the order of exits is in question (`unknownBars`), the minutes of those are loaded,
 * and the search runs again. Minutes of other candles are read by no set, so once no set leaves a candle open every trial has the bits it
 * has with the minutes of the whole window (docs/optimiser.md).
 */

export interface RequestedBars {
  unknownBars: readonly number[];
  /** Candles among these of the sets that are shown: their minutes come first where there is no room for all. */
  firstBars?: readonly number[];
}

export interface SearchResponse<T> extends RequestedBars {
  value: T;
}

/** Minutes that a search has loaded between two of its runs. */
export interface SettleState {
  known: MinutesByBar;
  /** Loads so far. */
  rounds: number;
  /** Why the last load did not bring everything requested; null when it did. */
  problem: string | null;
}

/** The input of a search with these minutes; its results name the candles that are still open. */
export const inputWithMinutes = (input: OptimizeInput, fineCandles: Candles | undefined): OptimizeInput => ({
  ...input,
  withUnknown: true,
  ...withoutUndefined({ fineCandles }),
});

export interface SettleSearchOptions<T> extends Pick<SettleOptions, 'candles' | 'intervalMs' | 'load'> {
  run: (fineCandles: Candles | undefined) => Promise<SearchResponse<T>>;
  /** Computes which candles the sets leave open, where that is cheaper than a whole run without minutes. */
  draft?: () => Promise<RequestedBars>;
  /** Initial minutes; none when absent, so that a search has the same ones whatever was loaded before. */
  known?: MinutesByBar;
  minutesMax?: number;
}

/** Minutes of the last run. */
export interface SearchMinutes {
  fineCandles: Candles | undefined;
  /** Opens of the candles these minutes are inside, oldest first. */
  opens: number[];
  /** Candles that some set left open: the exchange has no whole minutes of them. */
  absentCount: number;
  /** Candles whose minutes were not requested, or did not come. */
  beyondCount: number;
  /** Why requested minutes are missing; null when none are. */
  problem: string | null;
}

/** Runs, loads the minutes that the sets request, and runs again until they request no new ones. @throws what `run` throws */
export async function settleSearch<T>(options: SettleSearchOptions<T>): Promise<{ value: T; minutes: SearchMinutes }> {
  const { candles, intervalMs, run, draft, load, minutesMax = SEARCH_MINUTES_MAX } = options;
  const market = { candles, intervalMs, minutesMax };
  let state: SettleState = { known: new Map(options.known), rounds: 0, problem: null };
  const isDrafted = draft !== undefined && barsMax(market) > 0;
  let response = isDrafted ? undefined : await run(joinKnown(state.known));
  let requested: RequestedBars = response ?? (await draft?.()) ?? { unknownBars: [] };
  for (;;) {
    const wanted = nextOpens(market, requested, state);
    if (wanted.length > 0) state = afterLoad(state, wanted, await load(wanted));
    const isNew = wanted.some((openMs) => state.known.has(openMs));
    if (response !== undefined && !isNew)
      return { value: response.value, minutes: givenMinutes(candles, response.unknownBars, state) };
    requested = response = await run(joinKnown(state.known));
  }
}

export function afterLoad(
  { known, rounds }: SettleState,
  opens: readonly number[],
  loaded: LoadedMinutes,
): SettleState {
  return { known: knownWith(known, opens, loaded), rounds: rounds + 1, problem: loaded.problem };
}

/**
 * The minutes that the sets of a search request. The sets shown beside each other come first: the best one, and the one the search started
 * with.
 * @param input with the minutes that the sets had @throws SearchFailure
 */
export async function requestedBars(
  pool: Pick<EnginePool, 'run'>,
  input: OptimizeInput,
  { unknownBars, last }: Pick<Searched, 'unknownBars' | 'last'>,
  options: RunOptions = {},
): Promise<RequestedBars> {
  const { rules, candles, costs, scoredCount, params, markPrices, fineCandles } = input;
  const market = {
    candles,
    costs,
    scoredCount,
    ...(markPrices && { markPrices }),
    ...(fineCandles && { fineCandles }),
  };
  const own =
    rules === undefined
      ? await pool.run('backtest', { ...market, params }, options)
      : await pool.run('backtestStrategy', strategyInputOf(input, rules), options);
  if (!own.ok) throw new SearchFailure(own.error);
  const firstBars = [...(last.best?.unknownBars ?? []), ...own.value.unknownBars];
  return { unknownBars: [...new Set([...unknownBars, ...firstBars])], firstBars };
}

/** The minutes that a run was given, and the candles that it left open. */
export function givenMinutes(
  candles: Candles,
  unknownBars: readonly number[],
  { known, problem }: Pick<SettleState, 'known' | 'problem'>,
): SearchMinutes {
  const openOf = (bar: number): number => candles.time[bar] ?? NaN;
  const absentCount = unknownBars.filter((bar) => known.has(openOf(bar))).length;
  const beyondCount = unknownBars.length - absentCount;
  return { fineCandles: joinKnown(known), opens: wholeOpens(known), absentCount, beyondCount, problem };
}

/** Opens of the candles whose minutes are there, oldest first. */
export const wholeOpens = (known: MinutesByBar): number[] =>
  [...known.keys()].filter((openMs) => known.get(openMs) !== null).sort((a, b) => a - b);

export function joinKnown(known: MinutesByBar): Candles | undefined {
  const parts = wholeOpens(known).flatMap((openMs) => known.get(openMs) ?? []);
  return parts.length === 0 ? undefined : joinColumns(parts);
}

interface SettledMarket extends Pick<SettleOptions, 'candles' | 'intervalMs'> {
  minutesMax?: number;
}

/** Candles whose minutes a search may have. */
const barsMax = ({ intervalMs, minutesMax = SEARCH_MINUTES_MAX }: SettledMarket): number =>
  hasMinutes(intervalMs) ? Math.floor((minutesMax * MINUTE_MS) / intervalMs) : 0;

/**
 * Opens of the candles to load next, oldest first; none when the search is settled. When not all open ones fit: first those of the
 * displayed sets, then those with the largest range, because more sets have both levels inside a larger range. Ties go to the older one.
 */
export function nextOpens(
  market: SettledMarket,
  { unknownBars, firstBars = [] }: RequestedBars,
  { known, rounds, problem }: SettleState,
): number[] {
  if (problem !== null || rounds >= SETTLE_ROUNDS_MAX) return [];
  const { time, high, low } = market.candles;
  const first = new Set(firstBars);
  const place = (bar: number): number => (first.has(bar) ? 0 : 1);
  const range = (bar: number): number => (high[bar] ?? NaN) / (low[bar] ?? NaN);
  return [...new Set([...unknownBars, ...firstBars])]
    .sort((a, b) => place(a) - place(b) || range(b) - range(a) || a - b)
    .map((bar) => time[bar] ?? NaN)
    .filter((openMs) => !known.has(openMs))
    .slice(0, Math.max(0, barsMax(market) - known.size))
    .sort((a, b) => a - b);
}
