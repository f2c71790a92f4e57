import type { QueryClient } from '@tanstack/react-query';
import { readSession } from '../api/auth.ts';
import { queryKeys } from '../api/queryKeys.ts';
import type { User } from '../api/types.ts';

/** Longest wait for the response of a change that sets another session: its dialog may stay open. */
const CHANGE_MS_MAX = 10_000;
/** A server that does not respond within this is no proof of anything. */
const READ_MS_MAX = 15_000;
/** The first read without a session may have been sent before another tab had the new one. */
const SECOND_READ_MS = 1500;
/** Late rejections of one change are repaired by one round at the end of this. */
const ROUND_MS = 5000;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A new password ends this session, and its response sets another (`meta.changesSession`). */
const changeCount = (client: QueryClient): number =>
  client.isMutating({ predicate: ({ options }) => options.meta?.['changesSession'] === true });

async function changesSettled(client: QueryClient): Promise<void> {
  if (changeCount(client) === 0) return;
  let stop = (): void => undefined;
  const settled = new Promise<void>((resolve) => {
    stop = client.getMutationCache().subscribe(() => {
      if (changeCount(client) === 0) resolve();
    });
  });
  await Promise.race([settled, pause(CHANGE_MS_MAX)]);
  stop();
}

async function readWithDeadline(): Promise<User | null> {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), READ_MS_MAX);
  try {
    return await readSession(stop.signal);
  } finally {
    clearTimeout(timer);
  }
}

async function readTwice(client: QueryClient): Promise<User | null> {
  for (let round = 1; ; round++) {
    await changesSettled(client);
    const user = await readWithDeadline();
    if (user !== null || round === 2) return user;
    await pause(SECOND_READ_MS);
  }
}

interface Confirmation {
  running: Promise<void> | undefined;
  isRequestedAgain: boolean;
  lastRoundMs: number;
  isRoundPlanned: boolean;
}
const confirmations = new WeakMap<QueryClient, Confirmation>();

function confirmationOf(client: QueryClient): Confirmation {
  const known = confirmations.get(client);
  if (known !== undefined) return known;
  const fresh = { running: undefined, isRequestedAgain: false, lastRoundMs: -Infinity, isRoundPlanned: false };
  confirmations.set(client, fresh);
  return fresh;
}

/** The session that the page shows, and when it was set. */
function sessionOf(client: QueryClient) {
  const queryKey = queryKeys.session;
  const known = client.getQueryData<User | null>(queryKey);
  return { queryKey, known, updatedMs: client.getQueryState(queryKey)?.dataUpdatedAt };
}

/**
 * A response or an event says that the session has ended. It may be of the session before a change of the password, so the present one is
 * fetched: without it the sign-in screen is shown, with it what was rejected is read again. Never rejects: without a response the page
 * stays as it is.
 */
export function confirmSessionEnd(client: QueryClient): Promise<void> {
  const state = confirmationOf(client);
  state.isRequestedAgain = true;
  state.running ??= confirmWhileRequested(client, state).finally(() => (state.running = undefined));
  return state.running;
}

async function confirmWhileRequested(client: QueryClient, state: Confirmation): Promise<void> {
  while (state.isRequestedAgain) {
    state.isRequestedAgain = false;
    const { queryKey, known, updatedMs } = sessionOf(client);
    // Signed out already.
    if (known === null) return;
    try {
      const user = await readTwice(client);
      // A sign-in or a sign-out of this page is newer than the read.
      if (sessionOf(client).updatedMs === updatedMs) {
        await client.cancelQueries({ queryKey });
        client.setQueryData(queryKey, user);
      }
      // The page of another user loads by itself.
      if (known !== undefined && sessionOf(client).known?.id === known.id) readAgain(client, state);
    } catch {
      // The next rejection tries again.
    }
  }
}

/** Not awaited: one slow read must not hide the next end of the session. */
function readAgain(client: QueryClient, state: Confirmation): void {
  if (state.isRoundPlanned) return;
  const waitMs = state.lastRoundMs + ROUND_MS - performance.now();
  const round = (): void => {
    state.isRoundPlanned = false;
    state.lastRoundMs = performance.now();
    void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== queryKeys.session[0] });
  };
  if (waitMs <= 0) {
    round();
    return;
  }
  state.isRoundPlanned = true;
  setTimeout(round, waitMs);
}
