import { expect, it } from 'vitest';
import { FILE_BYTES_MAX } from '@sextant/workers/src/core/limits.ts';
import { readCsvFile } from '../../../../src/features/backtest/setup/CsvDrop.tsx';
import { badBytes } from './badFiles.ts';

const NOW = Date.UTC(2026, 0, 1);
const fileOf = (...parts: BlobPart[]) => new File(parts, 'candles.csv');

async function rejection(file: File): Promise<string | undefined> {
  const outcome = await readCsvFile(file, NOW);
  return outcome.ok ? undefined : outcome.error.problems[0]?.text;
}

it('reads the candles of a file', async () => {
  const text = 'time,open,high,low,close,volume\n1641218400000,1,1,1,1,1\n1641222000000,1,1,1,1,1\n';
  const outcome = await readCsvFile(fileOf(text), NOW);
  expect(outcome.ok && outcome.value.candles.time.length).toBe(2);
});

it.each(badBytes)('rejects %s', async (_, bytes, message) => expect(await rejection(fileOf(bytes))).toBe(message));

it('rejects a file above 160 MiB without reading it', async () => {
  const unread = {
    size: FILE_BYTES_MAX + 1,
    arrayBuffer: () => Promise.reject(new Error('was read')),
  } as unknown as File;
  expect(await rejection(unread)).toBe('the file has 160.0 MiB; the limit is 160.0 MiB');
});

it('says so when the file is gone', async () => {
  const gone = { size: 10, arrayBuffer: () => Promise.reject(new DOMException('gone', 'NotFoundError')) };
  expect(await rejection(gone as unknown as File)).toBe('the file did not open');
});
