import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { link, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

const Secrets = z.object({
  /** Password of the embedded database's owner. */
  databasePassword: z.string().min(32),
  /** Signs sessions and derives the database login of the server. */
  authSecret: z.string().min(32),
});
export type Secrets = z.infer<typeof Secrets>;

const random = (byteCount: number): string => randomBytes(byteCount).toString('base64url');

/**
 * The secrets of this installation, created at the first start and stored in DATA_DIR, readable by its owner only.
 * @param dataDir an existing folder
 */
export async function readOrMakeSecrets(dataDir: string): Promise<Secrets> {
  const path = join(dataDir, 'secrets.json');
  const made: Secrets = { databasePassword: random(32), authSecret: random(48) };
  await writeOnce(path, `${JSON.stringify(made, null, 2)}\n`);
  return readSecrets(dataDir);
}

/** The secrets of an existing installation. @throws Error when there are none, or they are damaged */
export async function readSecrets(dataDir: string): Promise<Secrets> {
  const path = join(dataDir, 'secrets.json');
  const parsed = Secrets.safeParse(parseJson(await readClosed(path)));
  if (!parsed.success) throw new Error(`${path} is damaged; restore it from a backup to open the data`);
  return parsed.data;
}

/** Reads our own file after restricting its mode. Does not follow links, which could lead to a file chosen by another user. */
async function readClosed(path: string): Promise<string> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    await file.chmod(0o600);
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Creates the file atomically: the text is on disk before the file gets its name. An existing file stays unchanged. */
async function writeOnce(path: string, text: string): Promise<void> {
  // An unpredictable name, and O_EXCL, so that the file was created here.
  const partial = `${path}.${random(9)}`;
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
  const file = await open(partial, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
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
