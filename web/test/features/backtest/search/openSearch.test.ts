import { createServer, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { patiently } from '../../../support/patiently.ts';
import { openPageOf } from '../../../support/servedPage.ts';

/** Responses that the server holds back, by the last part of the path. */
const held = new Map<string, ServerResponse>();
const server = createServer(({ url = '' }, response) => void held.set(url.split('/').at(-1) ?? '', response));

/** A search without stored sets: a user who still waits for it reads why it does not open. */
async function release(id: string): Promise<void> {
  await vi.waitFor(() => expect(held.has(id)).toBe(true), patiently);
  const search = { search_id: id, request: null, result: null };
  held.get(id)?.setHeader('content-type', 'application/json').end(JSON.stringify({ search }));
}

beforeAll(() => openPageOf(server));
afterAll(() => {
  vi.unstubAllGlobals();
  server.close();
});

it('BT-052 an opened search is dropped when another is opened, and when the user changes', async () => {
  const { openServerSearch } = await import('../../../../src/features/backtest/search/serverSearch.ts');
  const { searchState } = await import('../../../../src/features/backtest/search/searchState.ts');
  const { runUserResets } = await import('../../../../src/state/userReset.ts');
  const why = (failure: Error) => failure.message;

  const first = openServerSearch('x').catch(why);
  const second = openServerSearch('y').catch(why);
  await release('y');
  await release('x');
  expect(await first).toBe(false);
  expect(await second).toBe('only the best set of this search is stored');

  const before = openServerSearch('z').catch(why);
  await vi.waitFor(() => expect(held.has('z')).toBe(true), patiently);
  runUserResets();
  await release('z');
  expect(await before).toBe(false);
  expect(searchState.run).toBeNull();
});
