import { migrateDatabase } from '@sextant/db/src/migrate.ts';
import { startMessage } from './startError.ts';

/** A node of `npm run dev`: restarted when a migration changes, so it runs them first. */
const { DATABASE_OWNER_URL: ownerUrl = '', DEV_AUTH_SECRET: secret = '' } = process.env;
const isSecretNew = process.env['AUTH_SECRET_CHANGED'] === 'on';
try {
  if (ownerUrl !== '') await migrateDatabase(ownerUrl, secret, { isSecretNew });
  await import('../src/main.ts');
} catch (error) {
  console.error(startMessage(error));
  process.exitCode = 1;
}
