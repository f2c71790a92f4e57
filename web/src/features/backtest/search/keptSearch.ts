import type { LoadedCandles } from '../../../api/candles.ts';
import { deleteRecord, readRecord, writeRecord } from '../../../state/localDatabase.ts';
import { openMinutes } from '../minutes.ts';
import { wholeMinutes } from '../windowMinutes.ts';
import { keepSearch, type SearchRun, searchState } from './searchState.ts';

/** The search behind the saved backtest, in this browser: its trials are too large for the server's saved state. */
const KEY = 'backtest search';

/** Without its candles: the restored run loads them, and `dataHash` says that they are the same. */
interface KeptSearch extends Omit<SearchRun, 'loaded' | 'input'> {
  dataHash: string;
  input: Omit<SearchRun['input'], 'candles' | 'fineCandles'>;
  /** The minutes it had are kept by themselves. */
  hasMinutes?: boolean;
}

let written: SearchRun | null = null;

/** Keeps the search on screen when it belongs to these candles; one that is kept already is not written again. */
export async function writeKeptSearch(loaded: LoadedCandles): Promise<void> {
  const search = searchState.run;
  if (search === null || search.loaded !== loaded || search === written) return;
  const { result, trials, before, ranOn, tookMs, input } = search;
  const rest: Partial<SearchRun['input']> = { ...input };
  delete rest.candles;
  delete rest.fineCandles;
  const dataHash = result.best.scored.hashes.data;
  const kept: KeptSearch = { dataHash, input: rest as KeptSearch['input'], result, trials, before, ranOn, tookMs };
  if (input.fineCandles !== undefined) kept.hasMinutes = true;
  if (await writeRecord(KEY, kept)) written = search;
}

export function deleteKeptSearch(): Promise<void> {
  written = null;
  return deleteRecord(KEY);
}

/** Puts the kept search back on screen. @returns false when this browser has none of these candles */
export async function restoreKeptSearch(loaded: LoadedCandles, dataHash: string): Promise<boolean> {
  const kept = (await readRecord(KEY)) as KeptSearch | undefined;
  if (kept?.dataHash !== dataHash) return false;
  const { input, result, trials, before, ranOn, tookMs, hasMinutes = false } = kept;
  if (hasMinutes) await openMinutes(loaded);
  const minutes = hasMinutes ? wholeMinutes(loaded) : undefined;
  const run: SearchRun = {
    loaded,
    input: { ...input, candles: loaded.candles, ...(minutes === undefined ? {} : { fineCandles: minutes }) },
    result,
    trials,
    before,
    ranOn,
    tookMs,
  };
  written = run;
  keepSearch(run);
  return true;
}
