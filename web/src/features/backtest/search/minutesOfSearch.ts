import { MINUTE_MS } from '@sextant/engine-as/abi/intervals.ts';
import { SEARCH_MINUTES_MAX, SEARCH_MINUTES_WAIT_MS } from '@sextant/workers/src/candles/minutes.ts';
import type { EnginePool } from '@sextant/workers/src/protocol/tasks.ts';
import type { OptimizeInput } from '@sextant/workers/src/protocol/optimize.ts';
import { askedBy, askingWith, settleSearch } from '@sextant/workers/src/tasks/optimize/settleSearch.ts';
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
    draft: async () => askedBy(pool, input, await searchOn({ ...askingWith(input, undefined), refine: false })),
    run: async (fineCandles) => {
      const asking = askingWith(input, fineCandles);
      const searched = await searchOn(asking);
      return { value: searched, ...(await askedBy(pool, asking, searched)) };
    },
    load: async (opens) => {
      const found = await load(opens);
      if (!signal.aborted) searchState.minutes = null;
      return found;
    },
  });
  const { fineCandles, ...had } = minutes;
  const given = fineCandles === undefined ? input : { ...input, fineCandles };
  return { input: given, searched: value, minutes: { kind: 'with', ...had }, tookMs };
}

const withoutWords: Record<WithoutMinutes, string> = {
  off: 'Minutes and mark prices are off in the setup.',
  file: 'A file has no minute candles.',
  finest: 'Candles of one minute are the finest there are.',
  exchange: 'Minute candles are loaded of Binance only.',
  before: 'Searches on the server had no minute candles when this one was made.',
};

const takes = (count: number | null, { sameBar = 'stop' }: Pick<OptimizeInput['costs'], 'sameBar'>): string =>
  count === null
    ? `In a candle that reaches both stop and target, sets take the ${sameBar} first.`
    : `In ${formatMany(count, 'candle')} sets take the ${sameBar} first`;

/** Before a search: how it will treat candles that hold stop and target. */
export function plannedWords(
  why: WithoutMinutes | null,
  costs: Pick<OptimizeInput['costs'], 'sameBar'>,
  lengthMs: number,
): string {
  if (why !== null) return `${withoutWords[why]} ${takes(null, costs)}`;
  const most = Math.floor((SEARCH_MINUTES_MAX * MINUTE_MS) / lengthMs);
  return `Where a candle reaches both stop and target of a set, the search loads its minute candles to see which came first: ${formatCount(most)} candles at most, the largest first.`;
}

/** After a search: the minutes used by every set, and what stayed unsettled. */
export function minutesWords(minutes: MinutesOfSearch, costs: Pick<OptimizeInput['costs'], 'sameBar'>): string {
  if (minutes.kind === 'without') return `${withoutWords[minutes.why]} ${takes(null, costs)}`;
  const { opens, absentCount, beyondCount, problem } = minutes;
  const given =
    opens.length > 0 ? `All sets were run with the minute candles of ${formatMany(opens.length, 'candle')}.` : '';
  const absent =
    absentCount === 0 ? '' : `${takes(absentCount, costs)}: the exchange does not have all minutes of them.`;
  const parts = [given, absent, beyondWords(beyondCount, problem, costs)].filter((part) => part !== '');
  return parts.length === 0
    ? 'No candle reached both stop and target of a set, so no minute candles were needed.'
    : parts.join(' ');
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
  return `Minutes that the walk-forward asked for could not be loaded. ${takes(null, costs)} ${problem}`;
}

function beyondWords(count: number, problem: string | null, costs: Pick<OptimizeInput['costs'], 'sameBar'>): string {
  if (count === 0) return '';
  const rest = takes(count, costs);
  if (problem === SKIPPED) return `${rest}: you did not wait for their minutes.`;
  if (problem !== null) return `${rest}: their minutes could not be loaded. ${problem}`;
  return `${rest}: a search has ${formatCount(SEARCH_MINUTES_MAX)} minutes at most, those of the largest candles.`;
}
