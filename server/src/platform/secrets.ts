import { randomBytes } from 'node:crypto';
import { chmod, link, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

const Secrets = z.object({
  /** Owner of the embedded database. */
  databasePassword: z.string().min(32),
  /** Signs sessions and derives the database login of the server. */
  authSecret: z.string().min(32),
});
export type Secrets = z.infer<typeof Secrets>;

const random = (byteCount: number): string => randomBytes(byteCount).toString('base64url');

/**
 * The secrets of this installation, made on the first start and kept in DATA_DIR, readable by its owner only.
 * @param dataDir an existing folder
 */
export async function readOrMakeSecrets(dataDir: string): Promise<Secrets> {
  const path = join(dataDir, 'secrets.json');
  const made: Secrets = { databasePassword: random(32), authSecret: random(48) };
  await writeOnce(path, `${JSON.stringify(made, null, 2)}\n`);
  await chmod(path, 0o600);
  const parsed = Secrets.safeParse(parseJson(await readFile(path, 'utf8')));
  if (!parsed.success)
    throw new Error(`${path} is damaged; restore it from a backup, the data cannot be opened without it`);
  return parsed.data;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Creates the file whole or not at all: the text is on disk before it gets its name, and an existing file stays. */
async function writeOnce(path: string, text: string): Promise<void> {
  const partial = `${path}.${process.pid}`;
  const file = await open(partial, 'w', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
    await link(partial, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await file.close();
    await rm(partial, { force: true });
  }
}
