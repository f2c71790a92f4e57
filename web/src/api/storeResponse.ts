import type { QueryClient, QueryKey } from '@tanstack/react-query';

/**
 * Stores the response to a change as the data of a query. A fetch on its way may have been read before the change, and would take it back
 * on screen, or after a later one by another page: it is cancelled, and starts again.
 */
export async function storeResponse<T>(
  client: QueryClient,
  queryKey: QueryKey,
  data: T | ((before: T | undefined) => T | undefined),
): Promise<void> {
  const filter = { queryKey, exact: true };
  const isFetching = client.isFetching(filter) > 0;
  await client.cancelQueries(filter);
  client.setQueryData<T>(queryKey, data);
  if (isFetching) void client.invalidateQueries(filter);
}
