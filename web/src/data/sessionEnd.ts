import type { QueryClient } from '@tanstack/react-query';
import { fetchSession } from '../api/auth.ts';
import { queryKeys } from '../api/queryKeys.ts';

/** Another response of before a change of the password must not start the next round of reads. */
const PAUSE_MS = 5000;

/** Resolves when no change is on its way: a new password ends this session, and its response sets another. */
function settled(client: QueryClient): Promise<void> {
  if (client.isMutating() === 0) return Promise.resolve();
  return new Promise((resolve) => {
    const stop = client.getMutationCache().subscribe(() => {
      if (client.isMutating() > 0) return;
      stop();
      resolve();
    });
  });
}

const confirming = new WeakMap<QueryClient, Promise<void>>();
const lastReadMs = new WeakMap<QueryClient, number>();

/**
 * A response or an event says that the session has ended. It may be of the session before a change of the password, so the present one is
 * fetched: without it the sign-in screen is shown, with it what was rejected is read again. Never rejects: without a response
 * the page stays as it is.
 */
export function confirmSessionEnd(client: QueryClient): Promise<void> {
  const running = confirming.get(client) ?? confirm(client).finally(() => confirming.delete(client));
  confirming.set(client, running);
  return running;
}

async function confirm(client: QueryClient): Promise<void> {
  await settled(client);
  const queryKey = queryKeys.session;
  // A read that is on its way may have been sent with the old cookie.
  await client.cancelQueries({ queryKey });
  try {
    const user = await client.query({ queryKey, queryFn: fetchSession, staleTime: 0, retry: false });
    const isRecent = performance.now() - (lastReadMs.get(client) ?? -Infinity) < PAUSE_MS;
    if (user === null || isRecent) return;
    lastReadMs.set(client, performance.now());
    await client.invalidateQueries({ predicate: (query) => query.queryKey[0] !== queryKey[0] });
  } catch {
    // The next rejection tries again.
  }
}
