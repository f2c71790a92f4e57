import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { compileTwin } from '../../src/native/compile.ts';
import { startTwin } from '../../src/native/twin.ts';

const compiled = await compileTwin('indicators');
const folder = mkdtempSync(join(tmpdir(), 'twin-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Candles 1, 2, 4 as one series, in the layout of bench/native/indicators.c. */
const candles = (): Float64Array => {
  const prices = [1, 2, 4];
  return Float64Array.from([3, 0, 1, 2, ...prices, ...prices, ...prices, ...prices, 1, 1, 1]);
};

describe.skipIf(!compiled.isAvailable)('a native twin', () => {
  const path = compiled.isAvailable ? compiled.path : '';

  it('returns the values worked out by hand, and measures itself', async () => {
    const twin = startTwin(path);
    await twin.load('candles', candles());
    await twin.define('mean', 'sma', [2]);
    expect([...new Float64Array(await twin.read('mean', 0))]).toEqual([NaN, 1.5, 3]);
    expect(await twin.contestant('mean').block(1000)).toBeGreaterThan(0);
    await twin.close();
  });

  it('fails with a reason when an unknown kind is requested', async () => {
    const twin = startTwin(path);
    await twin.load('candles', candles());
    await expect(twin.define('x', 'nonsense', [])).rejects.toThrow('no kind "nonsense"');
    await twin.close();
  });
});

describe('a twin that is not there', () => {
  it('is skipped where there is no compiler', async () =>
    expect(await compileTwin('indicators', 'no-such-compiler')).toEqual({
      isAvailable: false,
      reason: 'no C compiler (no-such-compiler)',
    }));

  it('fails the request when the program exits without a response', async () => {
    const script = join(folder, 'quits.mjs');
    writeFileSync(script, `#!${process.execPath}\nprocess.stderr.write('out of order'); process.exit(3);\n`);
    execFileSync('chmod', ['+x', script]);
    const twin = startTwin(script);
    await expect(twin.read('x', 0)).rejects.toThrow('ended with code 3: out of order');
    await twin.close();
  });
});
