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

it('HIST-029 reads 1,000,000 rows, and no more', async () => {
  const start = Date.UTC(2023, 0, 1);
  const row = (at: number): string => `${start + at * 60_000},100.25,${101 + (at % 7)}.5,99,100.75,${at % 97}.125\n`;
  const rows = Array.from({ length: 1_000_000 }, (_, at) => row(at)).join('');
  const header = 'open_time,open,high,low,close,volume\n';
  const outcome = await readCsvFile(fileOf(header, rows), NOW);
  if (!outcome.ok) throw new Error(outcome.error.problems[0]?.text);
  const { candles, interval, gapCount } = outcome.value;
  expect([candles.time.length, interval, gapCount]).toEqual([1_000_000, '1m', 0]);
  const last = candles.time.length - 1;
  expect([candles.time[last], candles.high[last], candles.volume[last]]).toEqual([
    start + last * 60_000,
    101 + (last % 7) + 0.5,
    (last % 97) + 0.125,
  ]);
  expect(await rejection(fileOf(header, rows, row(1_000_000)))).toContain('more than 1,000,000 candles');
});

it('says so when the file is gone', async () => {
  const gone = { size: 10, arrayBuffer: () => Promise.reject(new DOMException('gone', 'NotFoundError')) };
  expect(await rejection(gone as unknown as File)).toBe('the file did not open');
});
