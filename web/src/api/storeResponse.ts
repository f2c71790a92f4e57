import type { QueryClient, QueryKey } from '@tanstack/react-query';

/**
 * Stores the response to a change as the data of a query. A fetch on its way may have been read before the change: it is cancelled, or it
 * would take the change back on screen. Where that fetch was the first one, and `data` needs what it would have brought, it starts again.
 */
export async function storeResponse<T>(
  client: QueryClient,
  queryKey: QueryKey,
  data: T | ((before: T | undefined) => T | undefined),
): Promise<void> {
  await client.cancelQueries({ queryKey, exact: true });
  client.setQueryData<T>(queryKey, data);
  if (client.getQueryData(queryKey) === undefined) void client.invalidateQueries({ queryKey, exact: true });
}
