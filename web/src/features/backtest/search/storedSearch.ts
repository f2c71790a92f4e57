import { withoutUndefined } from '@sextant/workers/src/core/withoutUndefined.ts';
import { joinColumns } from '@sextant/workers/src/candles/candleColumns.ts';
import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import { isSameData, type LoadedCandles } from '../../../api/candles.ts';
import { snapshot } from 'valtio';
import { deleteRecord, readRecord, writeRecord } from '../../../state/localDatabase.ts';
import { knownMinutes, openMinutes } from '../minutes.ts';
import { type Finished, finishedSearches, restoreFinished } from './searchCautions.ts';
import { keepSearch, type MinutesOfSearch, type OwnSet, type SearchRun, searchState } from './searchState.ts';
import { searchText } from './setText.ts';

/** The search behind the saved backtest, stored in this browser: its trials are too large for the server's saved state. */
const KEY = 'backtest search';

/** Without candles: the restored run loads them, and `dataHash` proves that they are the same. */
interface StoredSearch extends Omit<SearchRun, 'loaded' | 'input' | 'minutes'> {
  dataHash: string;
  input: Omit<SearchRun['input'], 'candles' | 'fineCandles'>;
  /** Absent in records of older versions. */
  minutes?: MinutesOfSearch;
  /** The searches finished until then. Absent in records of older versions. */
  finished?: readonly Finished[];
}

/** The set from before one of the search was applied. A record of its own: it changes with each set that is opened, and is small. */
const OWN_KEY = 'backtest search, own set';

interface StoredOwn {
  search: string;
  own: OwnSet | null;
}

let written: SearchRun | null = null;

/** Stores the set to which the search on screen leads back, so that a reload does not lose it. */
export async function writeOwnSet({ input }: SearchRun): Promise<void> {
  const own = structuredClone(snapshot(searchState).own);
  const stored: StoredOwn = { search: searchText(input), own };
  await writeRecord(OWN_KEY, stored);
}

async function readOwnSet({ input }: SearchRun): Promise<OwnSet | null> {
  const stored = (await readRecord(OWN_KEY)) as StoredOwn | undefined;
  return stored?.search === searchText(input) ? stored.own : null;
}

/** Stores the search on screen when it belongs to these candles and is not stored yet. */
export async function writeStoredSearch(loaded: LoadedCandles): Promise<void> {
  const search = searchState.run;
  if (search === null || !isSameData(search.loaded, loaded) || search === written) return;
  const { result, trials, before, minutes, ranOn, tookMs, input } = search;
  const rest: Partial<SearchRun['input']> = { ...input };
  delete rest.candles;
  delete rest.fineCandles;
  const dataHash = result.best.scored.hashes.data;
  const stored: StoredSearch = {
    dataHash,
    input: rest as StoredSearch['input'],
    result,
    trials,
    before,
    minutes,
    ranOn,
    tookMs,
    finished: finishedSearches(),
  };
  if (await writeRecord(KEY, stored)) written = search;
  await writeOwnSet(search);
}

export async function deleteStoredSearch(): Promise<void> {
  written = null;
  await Promise.all([deleteRecord(KEY), deleteRecord(OWN_KEY)]);
}

/** The minutes of the sets, which are stored separately; null when some are missing. */
async function readMinutes(loaded: LoadedCandles, minutes: MinutesOfSearch): Promise<Candles | undefined | null> {
  if (minutes.kind === 'without' || minutes.opens.length === 0) return undefined;
  await openMinutes(loaded);
  const known = knownMinutes(loaded);
  const parts = minutes.opens.flatMap((openMs) => known.get(openMs) ?? []);
  return parts.length === minutes.opens.length ? joinColumns(parts) : null;
}

/** Restores the stored search to the screen. @returns false when this browser has no search for these candles or lacks its minutes */
export async function restoreStoredSearch(loaded: LoadedCandles, dataHash: string): Promise<boolean> {
  const stored = (await readRecord(KEY)) as StoredSearch | undefined;
  if (stored?.minutes === undefined || stored.dataHash !== dataHash) return false;
  const { input, result, trials, before, minutes, ranOn, tookMs } = stored;
  const fine = await readMinutes(loaded, minutes);
  if (fine === null) return false;
  const run: SearchRun = {
    loaded,
    input: { ...input, candles: loaded.candles, ...withoutUndefined({ fineCandles: fine }) },
    result,
    trials,
    before,
    minutes,
    ranOn,
    tookMs,
  };
  written = run;
  const own = await readOwnSet(run);
  restoreFinished(stored.finished, run);
  keepSearch(run);
  searchState.own = own;
  return true;
}
