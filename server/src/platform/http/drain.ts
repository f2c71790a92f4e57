import { setImmediate as turn } from 'node:timers/promises';
import type { App } from './app.ts';

/** Requests still running after this time are cut. */
const drainMs = 8000;
const idleCheckMs = 50;
/** Node's backlog: the queue of connections that the system has accepted and we have not. */
const backlogLength = 511;

/** Stops listening and waits at most 8 s for running requests. Requests in flight at its start get a response. */
export async function drain(app: App): Promise<void> {
  // One connection leaves the backlog per turn; closing the port resets those still in it.
  for (let index = 0; index < backlogLength; index += 1) await turn();
  // A connection that was busy when closing started would stay open for another request.
  const idle = setInterval(() => app.server.closeIdleConnections(), idleCheckMs);
  const cut = setTimeout(() => app.server.closeAllConnections(), drainMs);
  try {
    await app.close();
  } finally {
    clearInterval(idle);
    clearTimeout(cut);
  }
}
