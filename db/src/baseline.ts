import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The first migrations, which took the place of the ones that development had written one by one. Never changes. */
interface Baseline {
  /** Names of the migrations that are replaced, in order: an earlier database has them all. */
  replaced: string[];
  /** Names of the migrations that replace them. */
  names: string[];
  /** Hash (`hashCatalogue`) of each table, function, type and schema that the new migrations create, by its name. */
  objects: Record<string, string>;
}

export const baseline = JSON.parse(await readFile(join(import.meta.dirname, 'baseline.json'), 'utf8')) as Baseline;
