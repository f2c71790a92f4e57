import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { listFacts, migrateDatabase } from '@sextant/db/src/migrate.ts';
import { userlistLine } from '@sextant/db/src/roles.ts';
import { ConfigError, readConfig } from '../src/config.ts';
import { prepareDataDir } from '../src/platform/dataDir.ts';
import { readOrMakeSecrets } from '../src/platform/secrets.ts';
import { startMessage } from './startError.ts';

/**
 * `npm run migrate`: brings the database of DATABASE_OWNER_URL up to date. Nodes never do: they log in without the rights for it.
 * `-- --userlist` prints the line of PgBouncer's auth_file instead, `-- --facts` what a takeover compares.
 */
async function main(): Promise<void> {
  process.chdir(join(import.meta.dirname, '../..'));
  if (existsSync('.env')) process.loadEnvFile('.env');
  const { databaseOwnerUrl, dataDir, isAuthSecretNew, ...config } = readConfig(process.env);
  const authSecret = config.authSecret ?? (await readOrMakeSecrets(await prepareDataDir(dataDir))).authSecret;
  if (process.argv.includes('--userlist')) {
    console.log(userlistLine(authSecret));
    return;
  }
  if (databaseOwnerUrl === undefined)
    throw new ConfigError(
      'DATABASE_OWNER_URL: set it to a role that may create roles and tables; the embedded database needs no npm run migrate',
    );
  if (process.argv.includes('--facts')) {
    console.log((await listFacts(databaseOwnerUrl)).join('\n'));
    return;
  }
  const { applied, replacedCount } = await migrateDatabase(databaseOwnerUrl, authSecret, {
    isSecretNew: isAuthSecretNew,
  });
  for (const name of applied) console.log(name);
  if (replacedCount > 0) console.log(`Took over a database of an earlier version with ${replacedCount} migrations.`);
  console.log(applied.length === 0 ? 'The database is up to date.' : `Ran ${applied.length} migrations.`);
}

try {
  await main();
} catch (error) {
  console.error(startMessage(error).replace('Sextant cannot start', 'The database was not migrated'));
  process.exitCode = 1;
}
