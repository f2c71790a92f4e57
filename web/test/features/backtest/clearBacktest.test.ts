import { createServer, type ServerResponse } from 'node:http';
import { ref } from 'valtio';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Run } from '../../../src/features/backtest/backtestState.ts';
import { runOf } from '../../support/runs.ts';
import { openPageOf } from '../../support/servedPage.ts';
import { patiently } from '../../support/patiently.ts';

/** The saved state as a server keeps it, and the calls in the order in which they came. */
let state: unknown = null;
const calls: string[] = [];
let isAway = false;
/** A save that has come and is not done yet. */
let finishSave: (() => void) | undefined;

const respond = (response: ServerResponse) =>
  response.setHeader('content-type', 'application/json').end(JSON.stringify({ state }));

const server = createServer((request, response) => {
  if (isAway) return void response.destroy();
  calls.push(request.method ?? '');
  let text = '';
  request.on('data', (part: Buffer) => (text += part.toString()));
  request.on('end', () => {
    if (request.method === 'PUT') {
      finishSave = () => {
        state = JSON.parse(text);
        respond(response);
      };
      return;
    }
    if (request.method === 'DELETE') state = null;
    respond(response);
  });
});

beforeAll(async () => {
  await openPageOf(server);
});
afterAll(() => {
  vi.unstubAllGlobals();
  server.close();
});

async function withRun(label = 'BTCUSDT'): Promise<Run> {
  const { runState } = await import('../../../src/features/backtest/backtestState.ts');
  const run = runOf({ label });
  runState.run = ref(run);
  return run;
}

it('a run that is cleared while it is being saved stays cleared', async () => {
  const { clearBacktest, saveState } = await import('../../../src/features/backtest/savedState.ts');
  const saving = saveState(await withRun());
  await vi.waitFor(() => expect(calls).toEqual(['PUT']), patiently);
  const clearing = clearBacktest();
  // The deletion waits for the save; a moment in which it could have overtaken it.
  await new Promise((done) => setTimeout(done, 50));
  expect(calls).toEqual(['PUT']);
  finishSave?.();
  await Promise.all([saving, clearing]);
  expect(calls).toEqual(['PUT', 'DELETE']);
  expect(state).toBeNull();
});

it('a save that waits for its turn is dropped when the run is cleared', async () => {
  const { clearBacktest, saveState } = await import('../../../src/features/backtest/savedState.ts');
  calls.length = 0;
  const run = await withRun();
  const both = [saveState(run), saveState(run)];
  await vi.waitFor(() => expect(calls).toEqual(['PUT']), patiently);
  const clearing = clearBacktest();
  finishSave?.();
  await Promise.all([...both, clearing]);
  expect(calls).toEqual(['PUT', 'DELETE']);
});

it('a reload before the server has forgotten does not bring a cleared run back', async () => {
  const { clearBacktest, restoreBacktest, stateOf } = await import('../../../src/features/backtest/savedState.ts');
  state = stateOf(await withRun());
  isAway = true;
  await clearBacktest();
  isAway = false;
  calls.length = 0;
  expect(await restoreBacktest()).toBe(false);
  await vi.waitFor(() => expect(state).toBeNull(), patiently);
  expect(calls).toEqual(['GET', 'DELETE']);
});

it('a reload while a save is on its way brings the newest run back; what was saved elsewhere since wins', async () => {
  const { clearBacktest, restoreBacktest, saveState, stateOf } =
    await import('../../../src/features/backtest/savedState.ts');
  const { draft, forgetRun } = await import('../../../src/features/backtest/backtestState.ts');
  const old = { ...stateOf(await withRun('OLDUSDT')), updated_at: new Date().toISOString() };
  const reload = async () => {
    forgetRun();
    draft.symbol = '';
    await restoreBacktest();
    return draft.symbol;
  };
  state = old;
  calls.length = 0;
  draft.symbol = '';
  const saving = saveState(await withRun('NEWUSDT'));
  await vi.waitFor(() => expect(calls).toEqual(['PUT']), patiently);
  expect(await reload()).toBe('NEWUSDT');
  state = { ...old, updated_at: new Date(Date.now() + 120_000).toISOString() };
  expect(await reload()).toBe('OLDUSDT');
  // Once the server has confirmed the clear, its state counts again.
  finishSave?.();
  await saving;
  state = old;
  expect(await reload()).toBe('OLDUSDT');
  await clearBacktest();
  // A run that is cleared while it waits does not come back.
  const cut = saveState(await withRun());
  await vi.waitFor(() => expect(calls.filter((call) => call === 'PUT')).toHaveLength(2), patiently);
  const clearing = clearBacktest();
  state = null;
  expect(await reload()).toBe('');
  finishSave?.();
  await Promise.all([cut, clearing]);
  // A run that is cleared before its save starts, while its file is being stored, is not saved either.
  const late = await withRun();
  forgetRun();
  await saveState(late);
  expect(await reload()).toBe('');
});

it('what is changed in the form of the search while the saved backtest is on its way is not taken back', async () => {
  const { restoreBacktest, stateOf } = await import('../../../src/features/backtest/savedState.ts');
  const { forgetRun } = await import('../../../src/features/backtest/backtestState.ts');
  const { searchDraft } = await import('../../../src/features/backtest/search/searchState.ts');
  state = stateOf(await withRun());
  forgetRun();
  const restoring = restoreBacktest();
  Object.assign(searchDraft, { isDeep: true, seed: 77 });
  await restoring;
  expect([searchDraft.isDeep, searchDraft.seed]).toEqual([true, 77]);
});

it('RULE-120 without a network the last run that the server has is restored; a cleared one is not', async () => {
  const { clearBacktest, restoreBacktest, saveState } = await import('../../../src/features/backtest/savedState.ts');
  const { draft, forgetRun } = await import('../../../src/features/backtest/backtestState.ts');
  const last = await withRun('LASTUSDT');
  draft.symbol = '';
  calls.length = 0;
  const saving = saveState(last);
  await vi.waitFor(() => expect(calls).toEqual(['PUT']), patiently);
  finishSave?.();
  await saving;
  isAway = true;
  forgetRun();
  // Its candles are not in this browser: the setup is there all the same.
  expect(await restoreBacktest()).toBe(false);
  expect(draft.symbol).toBe('LASTUSDT');
  forgetRun();
  await clearBacktest();
  await expect(restoreBacktest()).rejects.toThrow(/No response from the server/);
  isAway = false;
});
