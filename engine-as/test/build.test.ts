import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildEngine } from '../build.ts';

const sha256 = async (path: string): Promise<string> =>
  createHash('sha256')
    .update(await readFile(path))
    .digest('hex');

/** One module instead of the engine, which takes ten times as long: `npm run test:statistics` builds the engine itself. */
const smallSource = `
export function mean(address: usize, count: i32): f64 {
  let sum = 0.0;
  for (let i = 0; i < count; i++) sum += Math.exp(load<f64>(address + (<usize>i << 3)));
  return sum / count;
}`;

describe('the build', () => {
  let folder: string | undefined;
  beforeAll(async () => {
    if (process.env.STATISTICS === 'full') return;
    folder = await mkdtemp(join(tmpdir(), 'sextant-build-'));
    await mkdir(join(folder, 'assembly'));
    await writeFile(join(folder, 'assembly/index.ts'), smallSource);
  });
  afterAll(async () => {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });

  it('gives the same bytes again and survives a second build at the same time', async () => {
    const place = folder === undefined ? {} : { folder };
    const { path } = await buildEngine(place);
    const before = await sha256(path);
    // The second waits for its turn and then has nothing to build, or was first.
    const [, second] = await Promise.all([buildEngine({ force: true, ...place }), buildEngine(place)]);
    expect(second.isRebuilt).toBe(false);
    expect(await sha256(path)).toBe(before);
    expect((await buildEngine(place)).isRebuilt).toBe(false);
  }, 300_000);

  it('imports nothing, so that a browser and a server instantiate it alike', async () => {
    const { path } = await buildEngine();
    const module = await WebAssembly.compile(await readFile(path));
    expect(WebAssembly.Module.imports(module)).toEqual([]);
  }, 300_000);
});
