import type pg from 'pg';
import { createPostgresBus, type PostgresBusOptions } from '../../src/platform/bus/postgresBus.ts';
import { createEventHub, type EventHub } from '../../src/platform/events/eventHub.ts';
import { eventNotices } from '../../src/platform/events/notify.ts';

/** A hub with its own listening connection, as each node has one. Closing it closes the connection. */
export function createOwnHub(
  newClient: () => pg.Client,
  more: Partial<PostgresBusOptions> = {},
): Omit<EventHub, 'close'> & { close: () => Promise<void> } {
  const bus = createPostgresBus({ newClient, notices: eventNotices, ...more });
  const hub = createEventHub({ buses: [bus] });
  return {
    ...hub,
    async close() {
      hub.close();
      await bus.close();
    },
  };
}
