import { ref } from 'valtio';
import { clearRecords, deleteRecord, readRecord, writeRecord } from '../../state/localDatabase.ts';
import { toast } from '../../state/toasts.ts';
import { onUserReset } from '../../state/userReset.ts';
import { draft, type Run, runState } from './backtestState.ts';
import type { FileCandles } from '@sextant/workers/src/candles/file/parseCandleFile.ts';
import { candlesOfFile } from './csv/candlesOfFile.ts';
import { cancelRun, rerun } from './runner.ts';

export interface SavedCsv {
  dataHash: string;
  fileName: string;
  parsed: FileCandles;
}

/** Hashes of the stored files, the newest last. */
const INDEX = 'csvFiles';
/** A saved run of a file opens as long as the file is among these. */
const FILES_MAX = 5;
const keyOf = (dataHash: string): string => `csv ${dataHash}`;

// The rows belong to the user who dropped them: the next user of this browser must not find them.
onUserReset(() => void clearRecords());

/** Loads the rows of a file as candles and runs on them. */
export async function openCsv(fileName: string, parsed: FileCandles): Promise<void> {
  // Candles of an exchange on their way would replace those of the file.
  cancelRun();
  draft.source = 'csv';
  runState.csv = ref({ fileName, parsed });
  runState.loaded = ref(candlesOfFile(fileName, parsed));
  await rerun();
}

/** Rows that did not fit into browser storage: not tried again at every slider. */
let rejected: FileCandles | null = null;
onUserReset(() => {
  rejected = null;
});

/** Stores the rows in this browser; the server stores no file. When storage is full, shows one toast. */
export async function keepCsv({ result }: Run): Promise<void> {
  if (runState.csv === null || runState.csv.parsed === rejected) return;
  const { fileName, parsed } = runState.csv;
  const dataHash = result.hashes.data;
  const before = await readIndex();
  if (before.at(-1) === dataHash) return;
  const all = [...before.filter((each) => each !== dataHash), dataHash];
  const isStored = await writeRecord(keyOf(dataHash), { dataHash, fileName, parsed } satisfies SavedCsv);
  if (isStored && (await writeRecord(INDEX, all.slice(-FILES_MAX)))) {
    for (const old of all.slice(0, -FILES_MAX)) await deleteRecord(keyOf(old));
    return;
  }
  rejected = parsed;
  toast(`Browser storage is full. Drop ${fileName} again after a reload.`);
}

async function readIndex(): Promise<string[]> {
  const saved = await readRecord(INDEX);
  return Array.isArray(saved) ? saved.filter((each) => typeof each === 'string') : [];
}

/** The rows with that hash: those on screen, or one of the stored files; undefined when neither has them. */
export async function readSavedCsv(dataHash: string): Promise<SavedCsv | undefined> {
  const { run, csv } = runState;
  const isOnScreen = csv !== null && run?.result.hashes.data === dataHash && run.loaded.candles === csv.parsed.candles;
  if (isOnScreen) return { dataHash, ...csv };
  const saved = (await readRecord(keyOf(dataHash))) as SavedCsv | undefined;
  return saved?.dataHash === dataHash ? saved : undefined;
}

/** @returns false when this browser does not hold the rows with that hash */
export async function openSavedCsv(dataHash: string): Promise<boolean> {
  const saved = await readSavedCsv(dataHash);
  if (saved === undefined) return false;
  await openCsv(saved.fileName, saved.parsed);
  return runState.run !== null;
}
