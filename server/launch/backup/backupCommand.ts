import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readSecrets } from '../../src/platform/secrets.ts';
import { startMessage, StartError } from '../startError.ts';
import { readVersion } from '../../src/platform/readVersion.ts';
import { backUp } from './backUp.ts';
import { openEmbedded } from './openEmbedded.ts';

/** `npm run backup`, or `npm run backup -- folder`: a copy of the embedded database, the secrets and the pictures of DATA_DIR. */
async function main(): Promise<void> {
  const { dataDir, folder } = await openEmbedded('backs up');
  if (!existsSync(join(dataDir, 'secrets.json')))
    throw new StartError(`DATA_DIR ${dataDir} has no embedded database; npm start makes one`);
  const stamp = new Date().toISOString().replaceAll(/[:.]/g, '-');
  const target = folder ?? join(dataDir, 'backups', stamp);
  const manifest = await backUp({
    dataDir,
    secrets: await readSecrets(dataDir),
    target,
    version: await readVersion(),
  });
  const megabytes = manifest.files.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6;
  console.log(`Backed up ${manifest.files.length} files (${megabytes.toFixed(1)} MB before compression) to ${target}`);
  console.log('It has the secrets of this installation: keep it as safe as DATA_DIR.');
}

try {
  await main();
} catch (error) {
  console.error(startMessage(error).replace('Sextant cannot start', 'No backup was made'));
  process.exitCode = 1;
}
