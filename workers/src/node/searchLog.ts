import { type FileHandle, open } from 'node:fs/promises';
import { failWith, ok, type Result } from '../core/result.ts';
import type { TrialColumns } from '../protocol/optimize.ts';
import { packTrials, storedColumns, TRIAL_BYTES, unpackTrials } from '../protocol/wire/trialColumns.ts';

/** Samples of a search that are done: from .. from + count - 1. */
export interface LoggedPart {
  from: number;
  count: number;
  trials: TrialColumns;
  sets: Float64Array;
}

/** The samples of a long search in a file, so that it continues after it was stopped. */
export interface SearchLog {
  parts: LoggedPart[];
  append: (part: LoggedPart) => Promise<void>;
  close: () => Promise<void>;
}

/** Values before the columns of a part: from, count. */
const HEAD_LENGTH = 2;

const headerOf = (key: string): string => `{"format":"sextant-search-2","key":"${key}"}\n`;

/**
 * Opens the file, or makes it. A part that was cut off, as by a kill, is removed.
 * @param key of request and engine: a file of another search is rejected
 * @param setLength values of one set
 */
export async function openSearchLog(path: string, key: string, setLength: number): Promise<Result<SearchLog, string>> {
  const opened = await openFile(path, 'a+');
  if (!opened.ok) return opened;
  const file = opened.value;
  const stored = await file.readFile();
  const header = headerOf(key);
  const isNew = stored.length === 0;
  if (!isNew && stored.subarray(0, header.length).toString('utf8') !== header) {
    await file.close();
    return failWith(`${path} belongs to another search, rules, candles or engine: name another file`);
  }
  const { parts, length } = isNew ? { parts: [], length: 0 } : readParts(stored, header.length, setLength);
  if (isNew) await file.write(header);
  else if (length < stored.length) await file.truncate(length);
  return ok(logOn(file, parts));
}

/** A file that the reader has named. */
export async function openFile(path: string, flags: 'a+' | 'w'): Promise<Result<FileHandle, string>> {
  try {
    return ok(await open(path, flags));
  } catch (cause) {
    return failWith(`${path} cannot be written (${(cause as NodeJS.ErrnoException).code ?? 'no reason'})`);
  }
}

const logOn = (file: FileHandle, parts: LoggedPart[]): SearchLog => {
  // One after the other: two parts written at once could interleave.
  let last: Promise<unknown> = Promise.resolve();
  return {
    parts,
    append(part) {
      const { from, count, trials, sets } = part;
      const columns = [Float64Array.of(from, count), packTrials([trials]), sets];
      const bytes = Buffer.concat(
        columns.map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength)),
      );
      parts.push(part);
      const written = last.then(async () => void (await file.write(bytes)));
      last = written;
      return written;
    },
    close: () => file.close(),
  };
};

function readParts(stored: Buffer, start: number, setLength: number): { parts: LoggedPart[]; length: number } {
  const parts: LoggedPart[] = [];
  const valuesAt = (at: number, count: number): Float64Array<ArrayBuffer> =>
    new Float64Array(Uint8Array.from(stored.subarray(at, at + 8 * count)).buffer);
  let at = start;
  while (at + 8 * HEAD_LENGTH <= stored.length) {
    const [from = 0, count = 0] = valuesAt(at, HEAD_LENGTH);
    const body = count * (storedColumns.length + setLength);
    if (count < 1 || at + 8 * (HEAD_LENGTH + body) > stored.length) break;
    const setsAt = at + 8 * HEAD_LENGTH + TRIAL_BYTES * count;
    const trials = unpackTrials(stored.subarray(at + 8 * HEAD_LENGTH, setsAt));
    parts.push({ from, count, trials, sets: valuesAt(setsAt, count * setLength) });
    at += 8 * (HEAD_LENGTH + body);
  }
  return { parts, length: at };
}
