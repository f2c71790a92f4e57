import { MINUTE_MS } from '@sextant/engine-as/abi/intervals.ts';
import { hasMinutes, joinColumns, type MinutesByBar, SEARCH_MINUTES_MAX, SETTLE_ROUNDS_MAX } from './minutes.ts';
import type { Candles } from './protocol.ts';
import type { SettleOptions } from './settle.ts';

/**
 * Minutes for a search: its sets say in which candles the order of exits is in question (`unknownBars`), the minutes of those are loaded,
 * and the search runs again. Minutes of other candles are read by no set, so once no set leaves a candle open every trial has the bits it
 * has with the minutes of the whole window (docs/optimiser.md).
 */

export interface SearchAnswer<T> {
  value: T;
  unknownBars: readonly number[];
  /** Of these, the candles of the sets that are shown: their minutes come first where there is no room for all. */
  firstBars?: readonly number[];
}

export interface SettleSearchOptions<T> extends Pick<SettleOptions, 'candles' | 'intervalMs' | 'load'> {
  run: (fineCandles: Candles | undefined) => Promise<SearchAnswer<T>>;
  /** Which candles the sets leave open, when that is known for less than a whole run without minutes. */
  draft?: () => Promise<Pick<SearchAnswer<T>, 'unknownBars' | 'firstBars'>>;
  /** Minutes to begin with; none when absent, so that a search has the same ones whatever was loaded before. */
  known?: MinutesByBar;
  minutesMax?: number;
}

/** What the last run was given. */
export interface SearchMinutes {
  fineCandles: Candles | undefined;
  /** Opens of the candles these minutes are inside, oldest first. */
  opens: number[];
  /** Candles that some set left open: the exchange has no whole minutes of them. */
  absentCount: number;
  /** The same of candles whose minutes were not asked for, or did not come. */
  beyondCount: number;
  /** Why minutes that were asked for are not there; null when they are. */
  problem: string | null;
}

/** Runs, loads the minutes that the sets ask for, and runs again until they ask for no new ones. @throws what `run` throws */
export async function settleSearch<T>(options: SettleSearchOptions<T>): Promise<{ value: T; minutes: SearchMinutes }> {
  const { candles, intervalMs, run, draft, load, minutesMax = SEARCH_MINUTES_MAX } = options;
  const known = new Map(options.known);
  const most = hasMinutes(intervalMs) ? Math.floor((minutesMax * MINUTE_MS) / intervalMs) : 0;
  let problem: string | null = null;
  let answer = draft === undefined || most === 0 ? await run(joinKnown(known)) : undefined;
  let asked = answer ?? (await draft?.()) ?? { unknownBars: [] };
  for (let round = 0; ; round++) {
    const isOver = problem !== null || round >= SETTLE_ROUNDS_MAX;
    const wanted = isOver ? [] : wantedOpens(candles, asked, known).slice(0, Math.max(0, most - known.size));
    if (wanted.length > 0) problem = await loadInto(known, wanted, load);
    const isNew = wanted.length > 0 && problem === null;
    if (answer !== undefined && !isNew)
      return { value: answer.value, minutes: givenMinutes(candles, answer, known, problem) };
    asked = answer = await run(joinKnown(known));
  }
}

async function loadInto(
  known: Map<number, Candles | null>,
  opens: readonly number[],
  load: SettleOptions['load'],
): Promise<string | null> {
  const loaded = await load([...opens].sort((a, b) => a - b));
  if ('problem' in loaded) return loaded.problem;
  for (const openMs of opens) known.set(openMs, loaded.found.get(openMs) ?? null);
  return null;
}

function givenMinutes(
  candles: Candles,
  answer: SearchAnswer<unknown>,
  known: ReadonlyMap<number, Candles | null>,
  problem: string | null,
): SearchMinutes {
  const opens = wholeOpens(known);
  const openOf = (bar: number): number => candles.time[bar] ?? NaN;
  const absentCount = answer.unknownBars.filter((bar) => known.has(openOf(bar))).length;
  const beyondCount = answer.unknownBars.length - absentCount;
  return { fineCandles: joinKnown(known), opens, absentCount, beyondCount, problem };
}

/** Opens of the candles whose minutes are there, oldest first. */
const wholeOpens = (known: ReadonlyMap<number, Candles | null>): number[] =>
  [...known.keys()].filter((openMs) => known.get(openMs) !== null).sort((a, b) => a - b);

function joinKnown(known: ReadonlyMap<number, Candles | null>): Candles | undefined {
  const parts = wholeOpens(known).flatMap((openMs) => known.get(openMs) ?? []);
  return parts.length === 0 ? undefined : joinColumns(parts);
}

/**
 * Opens of candles that are open and were not asked for: those of the set that is shown, then those with the largest range, because the
 * larger it is the more sets have both levels in it. The older one first where two are alike.
 */
function wantedOpens(
  { time, high, low }: Candles,
  { unknownBars, firstBars = [] }: Pick<SearchAnswer<unknown>, 'unknownBars' | 'firstBars'>,
  known: ReadonlyMap<number, unknown>,
): number[] {
  const first = new Set(firstBars);
  const place = (bar: number): number => (first.has(bar) ? 0 : 1);
  const range = (bar: number): number => (high[bar] ?? NaN) / (low[bar] ?? NaN);
  return [...new Set([...unknownBars, ...firstBars])]
    .sort((a, b) => place(a) - place(b) || range(b) - range(a) || a - b)
    .map((bar) => time[bar] ?? NaN)
    .filter((openMs) => !known.has(openMs));
}
