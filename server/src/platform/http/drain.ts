import type { App } from './app.ts';

/** Requests that are still running after this are cut. */
const drainMs = 8000;
const idleCheckMs = 50;

/** Stops listening and waits for the running requests, at most 8 s. */
export async function drain(app: App): Promise<void> {
  // A connection that was busy when we began to close stays open for the next request when it is done: there will be none.
  const idle = setInterval(() => app.server.closeIdleConnections(), idleCheckMs);
  const cut = setTimeout(() => app.server.closeAllConnections(), drainMs);
  try {
    await app.close();
  } finally {
    clearInterval(idle);
    clearTimeout(cut);
  }
}
