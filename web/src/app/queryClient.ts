import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiFailure } from '../api/failure.ts';
import { queryKeys } from '../api/queryKeys.ts';
import { retryDelayMs, shouldRetry } from '../api/retry.ts';

/** A session that ended elsewhere shows as a 401 on any call: the shell then gives way to the sign-in screen. */
function onFailure(failure: unknown): void {
  const isSignedOut = failure instanceof ApiFailure && failure.code === 'not_authenticated';
  if (isSignedOut) queryClient.setQueryData(queryKeys.session, null);
}

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: onFailure }),
  mutationCache: new MutationCache({ onError: onFailure }),
  defaultOptions: {
    // `always`: without a network a call fails and says so. Left to itself the library would hold it back, and show it as under way.
    queries: {
      retry: shouldRetry,
      retryDelay: retryDelayMs,
      networkMode: 'always',
      refetchOnWindowFocus: true,
      refetchOnReconnect: true,
    },
    // A write is never repeated behind the user's back, nor made when the network comes back.
    mutations: { retry: false, networkMode: 'always' },
  },
});
