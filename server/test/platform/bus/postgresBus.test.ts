import { describe } from 'vitest';
import { createPostgresBus } from '../../../src/platform/bus/postgresBus.ts';
import { eventNotices } from '../../../src/platform/events/notify.ts';
import { createTestDatabase } from '../../support/createTestDatabase.ts';
import { describeBus } from './busContract.ts';

describe('the bus over PostgreSQL', () => {
  describeBus(async () => {
    const database = await createTestDatabase();
    let isCut = false;
    const newClient = () => {
      const client = database.newClient();
      if (isCut) client.port = 1;
      return client;
    };
    return {
      database,
      open: () => createPostgresBus({ newClient, notices: eventNotices, retryMs: { first: 20, most: 200 } }),
      async cut() {
        isCut = true;
        await database.asOwner(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and application_name = 'sextant events'`,
        );
      },
      restore: () => Promise.resolve(void (isCut = false)),
      close: database.drop,
    };
  });
});
