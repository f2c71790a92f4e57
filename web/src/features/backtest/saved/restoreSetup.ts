import { ref } from 'valtio';
import type { LoadedCandles } from '../../../api/candles.ts';
import type { SavedRun } from '../../../api/types.ts';
import { draft, historyCounts, LOADED_COUNT, runState, setupIntervals } from '../backtestState.ts';
import { startCosts } from '../costs.ts';
import { candlesOfFile, readSavedCsv, type SavedCsv } from '../csvStore.ts';
import { loadFromExchange } from '../loadExchange.ts';

type Setup = SavedRun['setup'];

export interface Restored {
  loaded: LoadedCandles;
  /** The file the candles came from. */
  csv: SavedCsv | null;
}

/** Own candles are sent under a name; a long history of an exchange under its symbol. */
const isSymbol = (label: string): boolean => /^[A-Z0-9]{5,30}$/.test(label);

/**
 * The candles that something was made of: those of the file when this browser still holds it, otherwise those the exchange had
 * at that time. Null when the file has to be dropped again.
 */
export async function restoreCandles(interval: string, setup: Setup, dataHash: string): Promise<Restored | null> {
  const file = setup.exchange === null ? await readSavedCsv(dataHash) : undefined;
  if (file !== undefined) return { loaded: candlesOfFile(file.fileName, file.parsed), csv: file };
  const known = setupIntervals.find((name) => name === interval);
  const { label } = setup;
  if (known === undefined || label === null || !isSymbol(label)) return null;
  const { signal } = new AbortController();
  const wish = { symbol: label, interval: known, count: setup.loaded, endTimeMs: setup.end_time, signal };
  return { loaded: await loadFromExchange(wish), csv: null };
}

/** Puts a kept setup into the form. */
export function restoreSetup(setup: Setup, { loaded, csv }: Restored): void {
  const costs = Object.keys(startCosts()).map((key) => [key, setup.costs[key as keyof typeof setup.costs]]);
  Object.assign(draft.costs, Object.fromEntries(costs));
  draft.source = loaded.source;
  if (csv !== null) {
    runState.csv = ref({ fileName: csv.fileName, parsed: csv.parsed });
    draft.csvScored = setup.scored === setup.loaded ? 'all' : 'window';
    return;
  }
  draft.symbol = loaded.label;
  draft.interval = setupIntervals.find((name) => name === loaded.interval) ?? draft.interval;
  draft.historyCount = historyCounts.find((count) => count >= setup.loaded) ?? LOADED_COUNT;
}
