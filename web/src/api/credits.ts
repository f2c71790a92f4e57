import { useQuery } from '@tanstack/react-query';
import { api, readOrEmpty } from './client.ts';
import { queryKeys } from './queryKeys.ts';

/** Fallback poll; the event stream triggers refetches. */
const CREDITS_POLL_MS = 30_000;

/** Several parts of a page show the credits: one mounted right after another does not fetch. */
const CREDITS_FRESH_MS = 2000;

/** Null without a session. */
export const fetchCredits = (signal?: AbortSignal) =>
  readOrEmpty(api.GET('/api/credits', { signal: signal ?? null }), null);

export function useCredits() {
  return useQuery({
    queryKey: queryKeys.credits,
    queryFn: ({ signal }) => fetchCredits(signal),
    select: (response) => response ?? undefined,
    refetchInterval: CREDITS_POLL_MS,
    staleTime: CREDITS_FRESH_MS,
    // Refetched in 30 s anyway: reports a failure at once.
    retry: false,
  });
}
