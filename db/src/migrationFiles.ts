import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Where the migrations of this version are. */
export const migrationsFolder = join(import.meta.dirname, '../migrations');

/**
 * First line of a migration that the version before works with: it adds tables, columns and indexes, and takes nothing that older nodes
 * use (CONTRIBUTING.md).
 */
const compatibleMark = '-- expand\n';

/** Names in order, without `.sql`. */
export const listMigrations = async (folder: string = migrationsFolder): Promise<string[]> =>
  (await readdir(folder))
    .filter((file) => file.endsWith('.sql'))
    .map((file) => file.replace(/\.sql$/, ''))
    .sort();

export const readMigration = (name: string, folder: string = migrationsFolder): Promise<string> =>
  readFile(join(folder, `${name}.sql`), 'utf8');

/** Names of the migrations that older nodes work with. */
export async function listCompatible(folder: string = migrationsFolder): Promise<string[]> {
  const names = await listMigrations(folder);
  const texts = await Promise.all(names.map((name) => readMigration(name, folder)));
  return names.filter((_, index) => texts[index]?.startsWith(compatibleMark));
}
