import type pg from 'pg';
import type { Db } from '../db/scope.ts';
import { createNatsBus } from './natsBus.ts';
import type { Bus } from './port.ts';
import { createPostgresBus, type PostgresBusOptions } from './postgresBus.ts';
import { sendNoticesOver } from './publishIn.ts';

export interface BusesOptions {
  db: Db;
  newClient: () => pg.Client;
  /** NATS instead of NOTIFY for all but the notices of triggers. */
  natsUrl: string | undefined;
  notices: PostgresBusOptions['notices'];
  onError?: ((error: Error) => void) | undefined;
}

export interface Buses {
  /** Carries the messages of nodes. */
  main: Bus;
  /** Those over which events come. */
  all: readonly Bus[];
  close: () => Promise<void>;
}

/** The buses of this process. Nothing is connected before the first subscription. */
export function openBuses({ db, newClient, natsUrl, notices, onError }: BusesOptions): Buses {
  const postgres = createPostgresBus({ newClient, notices, onError });
  if (natsUrl === undefined) return { main: postgres, all: [postgres], close: () => postgres.close() };
  const nats = createNatsBus({ url: natsUrl, onError });
  sendNoticesOver(db, nats);
  return {
    main: nats,
    all: [nats, postgres],
    close: async () => {
      await Promise.all([nats.close(), postgres.close()]);
    },
  };
}
