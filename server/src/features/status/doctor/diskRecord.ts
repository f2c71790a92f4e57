import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

const DiskRecord = z.object({ atMs: z.number(), database: z.string(), size: z.number() });

/** Size of the database at an earlier run. */
export type DiskRecord = z.output<typeof DiskRecord>;

const fileName = 'doctor.json';

/** The record of the last run; undefined without one for this database. */
export async function readDiskRecord(dataDir: string, database: string): Promise<DiskRecord | undefined> {
  try {
    const record = DiskRecord.parse(JSON.parse(await readFile(join(dataDir, fileName), 'utf8')));
    return record.database === database ? record : undefined;
  } catch {
    return undefined;
  }
}

/** Replaces the record. @returns false where the folder cannot be written */
export async function storeDiskRecord(dataDir: string, record: DiskRecord): Promise<boolean> {
  const partial = join(dataDir, `.${fileName}.${process.pid}`);
  try {
    await writeFile(partial, JSON.stringify(record), { mode: 0o600 });
    await rename(partial, join(dataDir, fileName));
    return true;
  } catch {
    return false;
  }
}
