import createClient from 'openapi-fetch';
import type { paths } from './schema.gen.ts';
import { ApiFailure, failureOf } from './failure.ts';
import { localOwner } from './ownerId.ts';
import { serverClock } from './serverClock.ts';

export const api = createClient<paths>({
  // No requests are sent during prerendering, where there is no window.
  baseUrl: typeof window === 'undefined' ? '' : window.location.origin,
  // Looked up per call: openapi-fetch would cache the fetch it saw at import. Only the caller's signal aborts it: the server limits its own
  // work, and its response is the one to show.
  fetch: async (request) => {
    const sentMs = performance.now();
    const { id: owner } = localOwner;
    nameOwner(request);
    const response = await globalThis.fetch(request);
    serverClock.note(response.headers.get('date'), { sentMs, receivedMs: performance.now() });
    // Of a user who has left: the caller would store it for the next one.
    if (localOwner.id !== owner && owner !== '' && !isOfSession(request)) throw new DOMException(LEFT, 'AbortError');
    return response;
  },
});

const LEFT = 'Another user has signed in.';

/** Whether a request acts on the session of the cookie. */
const isOfSession = ({ url }: Request): boolean => new URL(url).pathname.startsWith('/api/auth/');

/**
 * Names the user whose page sends a change. When another user has signed in meanwhile in this browser, the cookie is theirs: the server then
 * rejects the change.
 */
function nameOwner(request: Request): void {
  if (request.method === 'GET' || localOwner.id === '' || isOfSession(request)) return;
  request.headers.set('x-user-id', localOwner.id);
}

interface ResponseBody<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/**
 * Unwraps a response into its data.
 * @throws ApiFailure for every error response and for an unreachable server: react-query expects rejections.
 */
export async function dataOf<T>(pending: Promise<ResponseBody<T>>): Promise<T> {
  let response: ResponseBody<T>;
  try {
    response = await pending;
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause;
    throw new ApiFailure({
      code: 'unreachable',
      status: 0,
      message: 'No response from the server. Check your connection and retry.',
    });
  }
  if (!response.response.ok) throw failureOf(response.response, response.error);
  return response.data as T;
}

const signedOutListeners = new Set<() => void>();

/** Calls back when a read finds that the session has ended. */
export function onSignedOut(listener: () => void): () => void {
  signedOutListeners.add(listener);
  return () => void signedOutListeners.delete(listener);
}

/**
 * A read of the signed-in user's own data: without a session it returns `empty` and notifies the sign-out listeners.
 * @throws ApiFailure for every other failure
 */
export async function readOrEmpty<T, Empty>(pending: Promise<ResponseBody<T>>, empty: Empty): Promise<T | Empty> {
  try {
    return await dataOf(pending);
  } catch (failure) {
    if (!(failure instanceof ApiFailure) || failure.code !== 'not_authenticated') throw failure;
    for (const listener of signedOutListeners) listener();
    return empty;
  }
}
