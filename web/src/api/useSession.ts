import { queryOptions, useQuery } from '@tanstack/react-query';
import { fetchSession } from './auth.ts';
import { api, dataOf } from './client.ts';
import { queryKeys } from './queryKeys.ts';

/** The signed-in user, or null. Fetched from the server, because the cookie is not readable here. */
export function useSession() {
  return useQuery({ queryKey: queryKeys.session, queryFn: fetchSession, staleTime: 60_000 });
}

/** How this installation runs: demo or live, and which market it reads. Fixed while the server runs. */
export const appInfo = queryOptions({
  queryKey: queryKeys.app,
  queryFn: ({ signal }) => dataOf(api.GET('/api/app', { signal })),
  staleTime: Infinity,
});

export const useAppInfo = () => useQuery(appInfo);
