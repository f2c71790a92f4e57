import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { startMessage, StartError } from '../startError.ts';
import { openEmbedded } from './openEmbedded.ts';
import { describeBackups, restore } from './restore.ts';

/** `npm run restore -- folder`: puts a backup of `npm run backup` in place, with Sextant stopped. */
async function main(): Promise<void> {
  const { dataDir, folder } = await openEmbedded('restores');
  if (folder === undefined) {
    const usual = join(dataDir, 'backups');
    const backups = await describeBackups(usual, await readdir(usual).catch(() => []));
    const list = backups.length === 0 ? `there is none in ${usual}` : backups.join(', ');
    throw new StartError(`name a backup, npm run restore -- folder; ${list}`);
  }
  const { manifest, users, ledgerEntries, movedTo } = await restore(dataDir, folder);
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
