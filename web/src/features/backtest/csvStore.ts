import { ref } from 'valtio';
import { intervalToMs, type LoadedCandles } from '../../api/candles.ts';
import { clearRecords, readRecord, writeRecord } from '../../state/localDatabase.ts';
import { onUserReset } from '../../state/userReset.ts';
import { draft, type Run, runState } from './backtestState.ts';
import type { CsvCandles } from './csv/parseCsv.ts';
import { rerun } from './runner.ts';

interface SavedCsv {
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
  const loaded: LoadedCandles = {
    candles: parsed.candles,
    label: fileName,
    interval: parsed.interval,
    intervalMs: intervalToMs(parsed.interval),
    source: 'csv',
    exchange: null,
    funding: null,
  };
  runState.csv = ref({ fileName, parsed });
  runState.loaded = ref(loaded);
  await rerun();
}

/** Keeps the rows in this browser; the server stores no file. */
export async function keepCsv({ result }: Run): Promise<void> {
  if (runState.csv === null) return;
  const { fileName, parsed } = runState.csv;
  await writeRecord(KEY, { dataHash: result.hashes.data, fileName, parsed } satisfies SavedCsv);
}

/** @returns false when this browser does not hold the rows with that hash */
export async function openSavedCsv(dataHash: string): Promise<boolean> {
  const saved = (await readRecord(KEY)) as SavedCsv | undefined;
  if (saved === undefined || saved.dataHash !== dataHash) return false;
  await openCsv(saved.fileName, saved.parsed);
  return runState.run !== null;
}
