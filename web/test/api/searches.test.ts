import { QueryClient } from '@tanstack/react-query';
import { expect, it, vi } from 'vitest';
import { queryKeys } from '../../src/api/queryKeys.ts';
import { takeSearchEvent } from '../../src/api/searches.ts';
import type { SearchHead } from '../../src/api/types.ts';

const id = '00000000-0000-4000-8000-000000000001';
const head = {
  search_id: id,
  status: 'running',
  stage: 'searching',
  minute_candles: 12,
  done: 200,
  elapsed_ms: 900,
} as SearchHead;
const event = {
  search_id: id,
  status: 'running',
  stage: 'searching',
  minute_candles: 12,
  done: 500,
  total: 1000,
  elapsed_ms: 1500,
};

/** The search after an event, and whether the list is fetched again. */
function afterEvent(known: SearchHead, reported: Record<string, string | number | null>) {
  const client = new QueryClient();
  client.setQueryData(queryKeys.backtest.searches, { searches: [known] });
  const requestAll = vi.spyOn(client, 'invalidateQueries');
  takeSearchEvent(client, reported);
  const [search] = client.getQueryData<{ searches: SearchHead[] }>(queryKeys.backtest.searches)?.searches ?? [];
  return { done: search?.done, isRequested: requestAll.mock.calls.length > 0 };
}

it.each([
  ['takes progress as it comes', head, event, { done: 500, isRequested: false }],
  ['keeps what is newer', { ...head, done: 600 }, event, { done: 600, isRequested: false }],
  [
    'does not count samples of another stage',
    { ...head, stage: 'looking', minute_candles: 0, done: 0 },
    event,
    { done: 0, isRequested: true },
  ],
  [
    'nor those that ran with fewer minutes',
    { ...head, minute_candles: 40, done: 0 },
    event,
    { done: 0, isRequested: true },
  ],
  [
    'fetches at the start of a stage, whose event has no count',
    head,
    { search_id: id, status: 'running' },
    { done: 200, isRequested: true },
  ],
] as const)('an event of a search on the server: %s', (_name, known, reported, expected) => {
  expect(afterEvent(known as SearchHead, reported)).toEqual(expected);
});
