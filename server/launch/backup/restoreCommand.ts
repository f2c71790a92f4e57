import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { readConfig } from '../../src/config.ts';
import { prepareDataDir } from '../../src/platform/dataDir.ts';
import { startMessage, StartError } from '../startError.ts';
import { describeBackups, restore } from './restore.ts';

/** `npm run restore -- folder`: puts a backup of `npm run backup` in place, with Sextant stopped. */
async function main(): Promise<void> {
  const from = process.env['INIT_CWD'] ?? process.cwd();
  process.chdir(join(import.meta.dirname, '../../..'));
  if (existsSync('.env')) process.loadEnvFile('.env');
  const config = readConfig(process.env);
  if (config.databaseUrl !== undefined)
    throw new StartError(
      'DATABASE_URL: this restores the embedded database; docs/operations.md has the way for another one',
    );
  const dataDir = await prepareDataDir(config.dataDir);
  const [given] = process.argv.slice(2);
  if (given === undefined) {
    const folder = join(dataDir, 'backups');
    const backups = await describeBackups(folder, await readdir(folder).catch(() => []));
    const list = backups.length === 0 ? `there is none in ${folder}` : backups.join(', ');
    throw new StartError(`name a backup, npm run restore -- folder; ${list}`);
  }
  const { manifest, users, ledgerEntries, movedTo } = await restore(dataDir, resolve(from, given));
  console.log(
    `Restored the state of ${manifest.madeAt}: ${users} accounts, ${ledgerEntries} ledger entries, which add up.`,
  );
  for (const path of movedTo) console.log(`Moved aside: ${path}`);
}

try {
  await main();
} catch (error) {
  console.error(startMessage(error).replace('Sextant cannot start', 'Nothing was restored'));
  process.exitCode = 1;
}
