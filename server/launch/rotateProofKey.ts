import { existsSync } from 'node:fs';
import { DatabaseSetupError } from '@sextant/db/src/databaseSetupError.ts';
import { nodeUrl, serverUrl } from '@sextant/db/src/roles.ts';
import { checkDatabase } from '@sextant/db/src/schemaState.ts';
import { baseUrlOf, ConfigError, readConfig } from '../src/config.ts';
import { rotateProofKey } from '../src/features/backtest/proof/proofKeys.ts';
import { prepareDataDir } from '../src/platform/dataDir.ts';
import { openDatabase } from '../src/platform/db/database.ts';
import { createSeal } from '../src/platform/seal.ts';
import { readOrMakeSecrets } from '../src/platform/secrets.ts';
import { type EmbeddedPlace, optionsOf } from './backup/embeddedCluster.ts';
import { readClusterUrl } from './postgres/cluster.ts';

/**
 * `npm run rotate:proof-key`: a new key for proofs, with the variables of the server. On the database of DATABASE_URL, or on the embedded
 * one of a running `npm start`. Servers need no restart: they read the key at each signature.
 */
async function main(): Promise<void> {
  if (existsSync('.env')) process.loadEnvFile('.env');
  const config = readConfig(process.env);
  const dataDir = await prepareDataDir(config.dataDir);
  const secrets = await readOrMakeSecrets(dataDir);
  const authSecret = config.authSecret ?? secrets.authSecret;
  const url =
    config.databaseUrl === undefined
      ? serverUrl(await embeddedUrl({ dataDir, secrets }), authSecret)
      : nodeUrl('DATABASE_URL', config.databaseUrl, authSecret);
  await checkDatabase({ setting: 'DATABASE_URL', url }, { setting: 'DATABASE_URL', url });
  const database = openDatabase({ url, onError: (error) => console.error(error.message) });
  try {
    const { before, now } = await rotateProofKey({ db: database.db, seal: createSeal(authSecret, 'proof') });
    console.log(`New proofs are signed with key ${now.slice(0, 16)}.`);
    if (before !== null)
      console.log(`Key ${before.slice(0, 16)} stays published: proofs signed with it verify as before.`);
    console.log(
      `Published at ${baseUrlOf(config)}/.well-known/sextant-proof-key.json, which clients may store for five minutes.`,
    );
  } finally {
    await database.close();
  }
}

/** Address of the database that `npm start` runs. @throws ConfigError when none runs */
async function embeddedUrl(place: EmbeddedPlace): Promise<string> {
  const url = await readClusterUrl(optionsOf(place));
  if (url === undefined) throw new ConfigError('DATABASE_URL: is required, or a running npm start');
  return url;
}

try {
  await main();
} catch (error) {
  const isExpected = error instanceof ConfigError || error instanceof DatabaseSetupError;
  console.error(`The key was not changed: ${isExpected ? error.message : String(error)}`);
  process.exitCode = 1;
}
