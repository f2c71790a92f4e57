import { ref } from 'valtio';
import { intervalToMs, type LoadedCandles } from '../../api/candles.ts';
import { clearRecords, readRecord, writeRecord } from '../../state/localDatabase.ts';
import { toast } from '../../state/toasts.ts';
import { onUserReset } from '../../state/userReset.ts';
import { draft, type Run, runState } from './backtestState.ts';
import type { CsvCandles } from './csv/parseCsv.ts';
import { rerun } from './runner.ts';

export interface SavedCsv {
  dataHash: string;
  fileName: string;
  parsed: CsvCandles;
}

const KEY = 'lastCsv';

// The rows belong to who dropped them: the next user of this browser must not find them.
onUserReset(() => void clearRecords());

/** Makes the rows of a file the loaded candles and runs on them. */
export async function openCsv(fileName: string, parsed: CsvCandles): Promise<void> {
  draft.source = 'csv';
  runState.csv = ref({ fileName, parsed });
  runState.loaded = ref(candlesOfFile(fileName, parsed));
  await rerun();
}

export function candlesOfFile(fileName: string, { candles, interval }: CsvCandles): LoadedCandles {
  const intervalMs = intervalToMs(interval);
  return { candles, label: fileName, interval, intervalMs, source: 'csv', exchange: null, funding: null };
}

/** The rows that this browser had no room for are not tried again at every slider. */
let refused: CsvCandles | null = null;
onUserReset(() => {
  refused = null;
});

/** Keeps the rows in this browser; the server stores no file. Without room for them the person is told once. */
export async function keepCsv({ result }: Run): Promise<void> {
  if (runState.csv === null || runState.csv.parsed === refused) return;
  const { fileName, parsed } = runState.csv;
  if (await writeRecord(KEY, { dataHash: result.hashes.data, fileName, parsed } satisfies SavedCsv)) return;
  refused = parsed;
  toast(`This browser has no room to keep ${fileName}: drop it again after a reload`);
}

/** The rows with that hash; undefined when this browser does not hold them. */
export async function readSavedCsv(dataHash: string): Promise<SavedCsv | undefined> {
  const saved = (await readRecord(KEY)) as SavedCsv | undefined;
  return saved?.dataHash === dataHash ? saved : undefined;
}

/** @returns false when this browser does not hold the rows with that hash */
export async function openSavedCsv(dataHash: string): Promise<boolean> {
  const saved = await readSavedCsv(dataHash);
  if (saved === undefined) return false;
  await openCsv(saved.fileName, saved.parsed);
  return runState.run !== null;
}
