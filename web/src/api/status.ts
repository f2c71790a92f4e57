import { useQuery } from '@tanstack/react-query';
import { api, dataOf } from './client.ts';
import { queryKeys } from './queryKeys.ts';

/** Probes come once a minute. */
const STATUS_POLL_MS = 60_000;

/** State, uptime and incidents from the probes the server makes of itself. */
export function useStatus() {
  return useQuery({
    queryKey: queryKeys.status,
    queryFn: ({ signal }) => dataOf(api.GET('/api/status', { signal })),
    refetchInterval: STATUS_POLL_MS,
  });
}
