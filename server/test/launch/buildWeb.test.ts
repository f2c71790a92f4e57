import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { putInPlace } from '../../launch/buildWeb.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sextant-pages-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function make(files: readonly string[]): Promise<string> {
  const made = join(folder, 'made');
  await mkdir(made);
  for (const file of files) await writeFile(join(made, file), file);
  return made;
}

it('built pages replace the previous ones as a whole, also when there were none', async () => {
  const place = join(folder, 'pages');
  await putInPlace(await make(['index.html', 'old.js']), place);
  expect((await readdir(place)).sort()).toEqual(['index.html', 'old.js']);
  // The leftover of a build that was killed between its two steps is no obstacle.
  await mkdir(join(folder, 'made.former'));
  await putInPlace(await make(['index.html', 'new.js']), place);
  expect((await readdir(place)).sort()).toEqual(['index.html', 'new.js']);
  expect(await readFile(join(place, 'new.js'), 'utf8')).toBe('new.js');
  expect(await readdir(folder)).toEqual(['pages']);
});
