import { ref } from 'valtio';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { forgetRun, type Run, runState } from '../../../src/features/backtest/backtestState.ts';
import { parseCandleFile } from '@sextant/workers/src/candles/file/parseCandleFile.ts';
import { keepCsv, readSavedCsv } from '../../../src/features/backtest/csvStore.ts';
import { toastState } from '../../../src/state/toasts.ts';
import { createMemoryDatabase } from '../../support/memoryDatabase.ts';
import { runOf } from '../../support/runs.ts';
import { file, NOW, row } from './csv/badFiles.ts';

const memory = createMemoryDatabase();
beforeAll(() => {
  vi.stubGlobal('indexedDB', memory.factory);
});
afterAll(() => {
  vi.unstubAllGlobals();
});
beforeEach(() => {
  memory.records.clear();
  memory.isFull = false;
  toastState.list = [];
  forgetRun();
});

/** A run on its own file: its hash is the digit 64 times. */
function drop(digit: number): Run {
  const outcome = parseCandleFile(file(row(0), row(1), row(digit + 2)), NOW);
  if (!outcome.ok) throw new Error('the file was rejected');
  const run = runOf({ source: 'csv', label: `${digit}.csv` });
  runState.csv = ref({ fileName: `${digit}.csv`, parsed: outcome.value });
  return { ...run, result: { ...run.result, hashes: { ...run.result.hashes, data: String(digit).repeat(64) } } };
}
const nameOf = async (digit: number) => (await readSavedCsv(String(digit).repeat(64)))?.fileName;

it('keeps the last five files, each under the hash of its rows, and lets go of the oldest', async () => {
  for (const digit of [1, 2, 3, 4, 5, 6]) await keepCsv(drop(digit));
  forgetRun();
  expect(await Promise.all([1, 2, 6].map(nameOf))).toEqual([undefined, '2.csv', '6.csv']);
  // The one that is used again is the newest again.
  await keepCsv(drop(2));
  await keepCsv(drop(7));
  expect(await Promise.all([2, 3, 7].map(nameOf))).toEqual(['2.csv', undefined, '7.csv']);
  expect([...memory.records.keys()].filter((key) => key.startsWith('\ncsv '))).toHaveLength(5);
});

it('says once that there is no room for a file', async () => {
  memory.isFull = true;
  const run = drop(1);
  await keepCsv(run);
  toastState.list = toastState.list.filter(({ text }) => text.startsWith('Browser storage is full. Drop 1.csv again'));
  expect(toastState.list).toHaveLength(1);
  toastState.list = [];
  await keepCsv(run);
  expect(toastState.list).toEqual([]);
  await keepCsv(drop(2));
  expect(toastState.list).toHaveLength(1);
});

it('does not need the store for the file on screen', async () => {
  memory.isFull = true;
  const run = drop(1);
  const candles = runState.csv?.parsed.candles as Run['loaded']['candles'];
  runState.run = ref({ ...run, loaded: { ...run.loaded, candles } });
  expect(await nameOf(1)).toBe('1.csv');
  expect(await nameOf(2)).toBeUndefined();
});
