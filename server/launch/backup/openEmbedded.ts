import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readConfig } from '../../src/config.ts';
import { prepareDataDir } from '../../src/platform/dataDir.ts';
import { StartError } from '../startError.ts';

export interface EmbeddedCommand {
  dataDir: string;
  /** The folder that the command line names, absolute; undefined when it names none. */
  folder: string | undefined;
}

/** Reads what a command about the embedded database works on. @param verb what it does, for the error about another database */
export async function openEmbedded(verb: string): Promise<EmbeddedCommand> {
  const from = process.env['INIT_CWD'] ?? process.cwd();
  process.chdir(join(import.meta.dirname, '../../..'));
  if (existsSync('.env')) process.loadEnvFile('.env');
  const config = readConfig(process.env);
  if (config.databaseUrl !== undefined)
    throw new StartError(
      `DATABASE_URL: this ${verb} the embedded database; docs/operations.md has the way for another one`,
    );
  const [given] = process.argv.slice(2);
  return { dataDir: await prepareDataDir(config.dataDir), folder: given === undefined ? given : resolve(from, given) };
}
