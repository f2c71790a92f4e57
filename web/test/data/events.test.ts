import { QueryClient } from '@tanstack/react-query';
import { describe, expect, it } from 'vitest';
import { applyEvent } from '../../src/data/events.ts';
import { queryKeys } from '../../src/api/queryKeys.ts';

/** The scan of a page that is open: its newest results, and the last one the server made while its owner was away. */
const keys = { last: queryKeys.scan.last, away: queryKeys.scan.away };

function requestedAfter(name: string, data: Record<string, unknown>): string[] {
  const client = new QueryClient();
  for (const key of Object.values(keys)) client.setQueryData(key, null);
  applyEvent(client, name, data);
  return Object.entries(keys).flatMap(([each, key]) =>
    client.getQueryState(key)?.isInvalidated === true ? [each] : [],
  );
}

describe('scan state missed while no stream was open', () => {
  it.each([
    ['a first stream, or one that cannot be resumed', 'ready', { resumed: false }],
    ['a stream with a gap', 'resync', {}],
  ])('is fetched again after %s, away scans too', (_what, name, data) => {
    expect(requestedAfter(name, data)).toEqual(['last', 'away']);
  });

  it('comes with a stream that is resumed', () => {
    expect(requestedAfter('ready', { resumed: true })).toEqual([]);
    expect(requestedAfter('scan', { scan_id: 'x', status: 'done', done: 1, total: 1 })).toEqual(['last', 'away']);
  });
});
