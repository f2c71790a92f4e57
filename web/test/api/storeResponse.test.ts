import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, expect, it } from 'vitest';
import { storeResponse } from '../../src/api/storeResponse.ts';

const queryKey = ['layouts'];
const clients: QueryClient[] = [];
afterEach(() => clients.splice(0).forEach((client) => client.clear()));

/** A watched query whose fetches resolve by hand, in the order of their start. */
function watched() {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  clients.push(client);
  const resolves: ((list: string[]) => void)[] = [];
  const queryFn = () => new Promise<string[]>((resolve) => resolves.push(resolve));
  const observer = new QueryObserver(client, { queryKey, queryFn, staleTime: Infinity });
  observer.subscribe(() => undefined);
  return { client, resolves, read: () => client.getQueryData<string[]>(queryKey) };
}

it('a fetch that started before a change does not take its response back', async () => {
  const { client, resolves, read } = watched();
  expect(resolves).toHaveLength(1);
  await storeResponse(client, queryKey, ['Pair']);
  resolves[0]?.([]);
  await Promise.resolve();
  expect(read()).toEqual(['Pair']);
});

it("a fetch that another page's later change had started is not lost: it starts again", async () => {
  const { client, resolves, read } = watched();
  resolves[0]?.(['One']);
  await expect.poll(read).toEqual(['One']);
  // Ours was first, its response is late, and the event of the other page came meanwhile.
  void client.invalidateQueries({ queryKey });
  await storeResponse(client, queryKey, ['One', 'Two']);
  await expect.poll(() => resolves.length).toBe(3);
  resolves[2]?.(['Two']);
  await expect.poll(read).toEqual(['Two']);
});

it('a refetch that started before a change does not either, and the data is never gone meanwhile', async () => {
  const { client, resolves, read } = watched();
  resolves[0]?.(['One']);
  await expect.poll(read).toEqual(['One']);
  void client.refetchQueries({ queryKey });
  expect(resolves).toHaveLength(2);
  const storing = storeResponse<string[]>(client, queryKey, (before) => [...(before ?? []), 'Two']);
  expect(read()).toEqual(['One']);
  await storing;
  resolves[1]?.(['One']);
  await Promise.resolve();
  expect(read()).toEqual(['One', 'Two']);
});

it('a change to data that is not loaded yet loads it', async () => {
  const { client, resolves, read } = watched();
  await storeResponse<string[]>(client, queryKey, (before) => before?.filter((each) => each !== 'One'));
  await expect.poll(() => resolves.length).toBe(2);
  resolves[0]?.(['One', 'Two']);
  resolves[1]?.(['Two']);
  await expect.poll(read).toEqual(['Two']);
});
