import { setImmediate as turn } from 'node:timers/promises';
import type { App } from './app.ts';

/** Requests that are still running after this are cut. */
const drainMs = 8000;
const idleCheckMs = 50;
/** Node's length of the queue of connections that the system has taken and we have not. */
const backlogLength = 511;

/** Stops listening and waits for the running requests, at most 8 s. Requests in flight at its start are answered. */
export async function drain(app: App): Promise<void> {
  // One connection leaves the queue a turn; the system resets those that are left in it when its port is closed.
  for (let index = 0; index < backlogLength; index += 1) await turn();
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
