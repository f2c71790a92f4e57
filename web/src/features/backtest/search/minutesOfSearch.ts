import { MINUTE_MS } from '@sextant/engine-as/abi/intervals.ts';
import { SEARCH_MINUTES_MAX, SEARCH_MINUTES_WAIT_MS } from '@sextant/workers/src/candles/minutes.ts';
import type { EnginePool } from '@sextant/workers/src/protocol/tasks.ts';
import type { OptimizeInput } from '@sextant/workers/src/protocol/optimize.ts';
import { requestedBars, inputWithMinutes, settleSearch } from '@sextant/workers/src/tasks/optimize/settleSearch.ts';
import { type Searched, searchOnPool, type SearchWatch } from '@sextant/workers/src/tasks/optimize/onPool.ts';
import type { LoadedCandles } from '../../../api/candles.ts';
import { formatCount, formatMany } from '../../../format/number.ts';
import type { ServerSearch } from '../../../api/types.ts';
import type { Draft } from '../backtestState.ts';
import { canHaveMinutes, minuteLoader, SKIPPED } from '../minutes.ts';
import { type MinutesOfSearch, searchState, type WithoutMinutes } from './searchState.ts';

type ServerMinutes = NonNullable<NonNullable<ServerSearch['result']>['minutes']>;

/** Why a search of this setup has no minutes; null when it loads them. */
export function withoutInSetup({ source, fineData, interval }: Pick<Draft, 'source' | 'fineData' | 'interval'>) {
  if (source === 'csv') return 'file';
  if (!fineData) return 'off';
  return interval === '1m' ? 'finest' : null;
}

function withoutOn(loaded: LoadedCandles, isFine: boolean): WithoutMinutes | null {
  if (loaded.source === 'csv') return 'file';
  if (!isFine) return 'off';
  if (canHaveMinutes(loaded)) return null;
  return loaded.intervalMs <= MINUTE_MS ? 'finest' : 'exchange';
}

/** The minutes of a finished search on the server. */
export function minutesOnServer(
  loaded: LoadedCandles,
  isFine: boolean,
  minutes: ServerMinutes | undefined,
): MinutesOfSearch {
  if (minutes === undefined) return { kind: 'without', why: withoutOn(loaded, isFine) ?? 'before' };
  const { opens = [], absent: absentCount, beyond: beyondCount, problem } = minutes;
  return { kind: 'with', opens, absentCount, beyondCount, problem };
}

/** Ends the wait for minutes, not the search. */
let waiting: AbortController | null = null;
export const skipMinutes = (): void => waiting?.abort();

export interface SearchedWithMinutes {
  /** Includes the minutes used by every set. */
  input: OptimizeInput;
  searched: Searched;
  minutes: MinutesOfSearch;
  /** Duration of the last run, without the wait for minutes. */
  tookMs: number;
}

/** A search that loads the minutes its sets need. @throws SearchFailure */
export async function searchWithMinutes(
  pool: EnginePool,
  { loaded, isFine, input }: { loaded: LoadedCandles; isFine: boolean; input: OptimizeInput },
  watch: Pick<SearchWatch, 'signal' | 'onDone'>,
): Promise<SearchedWithMinutes> {
  const { signal } = watch;
  let tookMs = 0;
  const searchOn = async (wanted: OptimizeInput): Promise<Searched> => {
    const startedAt = performance.now();
    const searched = await searchOnPool(pool, wanted, watch);
    tookMs = performance.now() - startedAt;
    return searched;
  };
  const why = withoutOn(loaded, isFine);
  if (why !== null) return { input, searched: await searchOn(input), minutes: { kind: 'without', why }, tookMs };
  const skip = (waiting = new AbortController());
  const report = (done: number, total: number) => {
    if (!signal.aborted) searchState.minutes = { done, total };
  };
  const load = minuteLoader(loaded, {
    signal,
    deadlineMs: SEARCH_MINUTES_WAIT_MS,
    skip: skip.signal,
    onProgress: report,
  });
  const { value, minutes } = await settleSearch<Searched>({
    ...loaded,
    draft: async () =>
      requestedBars(pool, input, await searchOn({ ...inputWithMinutes(input, undefined), refine: false })),
    run: async (fineCandles) => {
      const requesting = inputWithMinutes(input, fineCandles);
      const searched = await searchOn(requesting);
      return { value: searched, ...(await requestedBars(pool, requesting, searched)) };
    },
    load: async (opens) => {
      const result = await load(opens);
      if (!signal.aborted) searchState.minutes = null;
      return result;
    },
  });
  const { fineCandles, ...had } = minutes;
  const given = fineCandles === undefined ? input : { ...input, fineCandles };
  return { input: given, searched: value, minutes: { kind: 'with', ...had }, tookMs };
}

const withoutWords: Record<WithoutMinutes, string> = {
  off: '1-minute data is off in the setup.',
  file: 'A file has no 1-minute data.',
  finest: 'You already use 1-minute candles.',
  exchange: '1-minute data loads from Binance only.',
  before: 'Older server searches ran without 1-minute data.',
};

const takes = (count: number | null, { sameBar = 'stop' }: Pick<OptimizeInput['costs'], 'sameBar'>): string =>
  count === null
    ? `When a candle reaches both stop and target, the ${sameBar} counts.`
    : `${formatMany(count, 'unclear candle')} ${count === 1 ? 'takes' : 'take'} the ${sameBar} first`;

/** Before a search: how it will treat candles that hold stop and target. */
export function plannedWords(
  why: WithoutMinutes | null,
  costs: Pick<OptimizeInput['costs'], 'sameBar'>,
  lengthMs: number,
): string {
  if (why !== null) return `${withoutWords[why]} ${takes(null, costs)}`;
  const most = Math.floor((SEARCH_MINUTES_MAX * MINUTE_MS) / lengthMs);
  return `1-minute data settles candles that reach both stop and target: up to ${formatCount(most)}, largest first.`;
}

/** After a search: the minutes used by every set, and what stayed unsettled. */
export function minutesWords(minutes: MinutesOfSearch, costs: Pick<OptimizeInput['costs'], 'sameBar'>): string {
  if (minutes.kind === 'without') return `${withoutWords[minutes.why]} ${takes(null, costs)}`;
  const { opens, absentCount, beyondCount, problem } = minutes;
  const given =
    opens.length > 0
      ? `${formatMany(opens.length, 'unclear candle')} ${opens.length === 1 ? 'was' : 'were'} resolved with 1-minute data.`
      : '';
  const absent = absentCount === 0 ? '' : `${takes(absentCount, costs)}: the exchange lacks minutes of them.`;
  const parts = [given, absent, beyondWords(beyondCount, problem, costs)].filter((part) => part !== '');
  return parts.length === 0 ? 'Every candle was clear: no 1-minute data needed.' : parts.join(' ');
}

/**
 * Text beside a walk-forward whose windows lack minutes that the search itself did not need; null when they lack none. A server search
 * reports both together.
 */
export function walkMinutesWords(
  minutes: MinutesOfSearch,
  ofWalk: string | null,
  costs: Pick<OptimizeInput['costs'], 'sameBar'>,
): string | null {
  const ofSearch = minutes.kind === 'with' && minutes.beyondCount === 0 ? minutes.problem : null;
  const problem = ofWalk ?? ofSearch;
  if (problem === null || problem === SKIPPED) return null;
  return `1-minute data for walk-forward did not load. ${takes(null, costs)} ${problem}`;
}

function beyondWords(count: number, problem: string | null, costs: Pick<OptimizeInput['costs'], 'sameBar'>): string {
  if (count === 0) return '';
  const rest = takes(count, costs);
  if (problem === SKIPPED) return `${rest}: you skipped their 1-minute data.`;
  if (problem !== null) return `${rest}: their 1-minute data did not load. ${problem}`;
  return `${rest}: a search loads at most ${formatCount(SEARCH_MINUTES_MAX)} minutes, largest candles first.`;
}
