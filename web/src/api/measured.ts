import { useQuery } from '@tanstack/react-query';
import { api, dataOf } from './client.ts';
import { queryKeys } from './queryKeys.ts';

/** What the server has measured of itself; asked once per visit of a page, because the figures move slowly. */
export function useMeasured() {
  return useQuery({
    queryKey: queryKeys.measured,
    queryFn: ({ signal }) => dataOf(api.GET('/api/measured', { signal })),
    staleTime: 60_000,
  });
}
