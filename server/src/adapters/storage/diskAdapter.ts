import { randomBytes } from 'node:crypto';
import { link, mkdir, open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { LocalStorageAdapter } from '@flystorage/local-fs';

async function writeWhole(temporary: string, contents: Readable): Promise<void> {
  const file = await open(temporary, 'wx', 0o600);
  try {
    for await (const chunk of contents) await file.writeFile(chunk as Buffer);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Makes a new name in a folder survive a power cut. Windows cannot open a folder, and needs not. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/**
 * The library's adapter with a write that leaves a whole file or none: a full disk would leave a part of it, and an existing file
 * would be overwritten. The temporary file is in the folder of its owner, so that it goes with it whatever happens.
 */
export class DiskAdapter extends LocalStorageAdapter {
  readonly #root: string;

  constructor(root: string) {
    super(root);
    this.#root = root;
  }

  override async write(path: string, contents: Readable): Promise<void> {
    const target = join(this.#root, path);
    const folder = dirname(target);
    const temporary = join(folder, `.${randomBytes(9).toString('hex')}.part`);
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeWhole(temporary, contents);
      // Not rename: that would overwrite.
      await link(temporary, target);
      await syncFolder(folder);
    } finally {
      await rm(temporary, { force: true });
    }
  }
}
