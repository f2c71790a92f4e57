import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { buildEngine, enginePath } from '../build.ts';

const sha256 = async (): Promise<string> =>
  createHash('sha256')
    .update(await readFile(enginePath))
    .digest('hex');

describe('the build', () => {
  it('gives the same bytes again and survives a second build at the same time', async () => {
    await buildEngine();
    const before = await sha256();
    await Promise.all([buildEngine({ force: true }), buildEngine({ force: true })]);
    expect(await sha256()).toBe(before);
    expect((await buildEngine()).isRebuilt).toBe(false);
    // Two whole builds, one after the other, of some twenty seconds on a processor of their own.
  }, 300_000);

  it('imports nothing, so that a browser and a server instantiate it alike', async () => {
    await buildEngine();
    const module = await WebAssembly.compile(await readFile(enginePath));
    expect(WebAssembly.Module.imports(module)).toEqual([]);
  });
});
