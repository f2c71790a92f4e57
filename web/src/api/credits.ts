import { useQuery } from '@tanstack/react-query';
import { api, readOrEmpty } from './client.ts';
import { queryKeys } from './queryKeys.ts';

/** Asked again when the server says so; this is for when the event stream is silent. */
const CREDITS_POLL_MS = 30_000;

/** Several parts of a page show the credits: one that appears right after another asks nothing. */
const CREDITS_FRESH_MS = 2000;

/** Null without a session. */
export const fetchCredits = (signal?: AbortSignal) =>
  readOrEmpty(api.GET('/api/credits', { signal: signal ?? null }), null);

export function useCredits() {
  return useQuery({
    queryKey: queryKeys.credits,
    queryFn: ({ signal }) => fetchCredits(signal),
    select: (answer) => answer ?? undefined,
    refetchInterval: CREDITS_POLL_MS,
    staleTime: CREDITS_FRESH_MS,
    // Asked again in half a minute anyway: a failure is told now.
    retry: false,
  });
}
