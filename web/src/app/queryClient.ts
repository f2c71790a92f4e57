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
    queries: { retry: shouldRetry, retryDelay: retryDelayMs, refetchOnWindowFocus: true },
    // A write is never repeated behind the user's back.
    mutations: { retry: false },
  },
});
