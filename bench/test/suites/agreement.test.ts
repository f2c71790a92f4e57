import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildEngine, enginePath } from '@sextant/engine-as/build.ts';
import { indicatorIds } from '@sextant/engine-as/abi/registry.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import type { EngineFiles, PreparedSuite } from '../../src/suite.ts';
import { suites } from '../../src/suites/catalogue.ts';

beforeAll(async () => {
  await buildEngine();
});

async function withSuite(
  name: string,
  work: (suite: PreparedSuite) => Promise<void>,
  files: EngineFiles = {},
): Promise<void> {
  const match = suites.find((candidate) => candidate.name === name)!;
  if (!('prepare' in match)) throw new Error(`${name} compares no operations`);
  const suite = await match.prepare(files);
  try {
    await work(suite);
  } finally {
    await suite.close?.();
  }
}

describe('PKG-081 the results that a suite compares before it times anything', () => {
  it.each(['indicators', 'backtest', 'optimizer', 'scan', 'host-overhead', 'peers', 'rivals', 'sweep'])(
    'agree: %s',
    async (name) => {
      await withSuite(name, async ({ cases }) => {
        // Every indicator of the registry is measured.
        if (name === 'indicators') expect(cases.map((each) => each.name)).toEqual([...indicatorIds, 'whole-set']);
        for (const benchCase of cases) expect(await benchCase.verify(), benchCase.name).toEqual([]);
      });
    },
  );

  it('PKG-080 compare a changed engine with the present one on every kernel, and find one changed constant', async () => {
    await withSuite('engine', async ({ cases }) => {
      expect(cases.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['rsi', 'votes', 'search-dense', 'portfolio']),
      );
      for (const benchCase of cases) expect(await benchCase.verify(), benchCase.name).toEqual([]);
    });
    const folder = mkdtempSync(join(tmpdir(), 'engine-'));
    try {
      const candidate = join(folder, 'changed.wasm');
      writeFileSync(candidate, withOtherConstant(readFileSync(enginePath)));
      await withSuite(
        'engine',
        async ({ cases }) => {
          const found = await Promise.all(cases.map(async ({ name, verify }) => ({ name, lines: await verify() })));
          const wrong = found.filter(({ lines }) => lines.length > 0);
          expect(wrong.length).toBeGreaterThan(0);
          expect(wrong[0]?.lines[0]).toMatch(/^turn \d+, column \d+, place \d+: .* against .* in the present engine$/);
        },
        { candidate },
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

/** The engine with 100 replaced by 101 in every `f64.const`: RSI and MFI are then percentages of 101. */
function withOtherConstant(bytes: Buffer): Buffer {
  const written = (value: number): Buffer => {
    const constant = Buffer.alloc(9);
    constant[0] = 0x44;
    constant.writeDoubleLE(value, 1);
    return constant;
  };
  const changed = Buffer.from(bytes);
  const [from, to] = [written(100), written(101)];
  for (let at = changed.indexOf(from); at >= 0; at = changed.indexOf(from, at + 9)) to.copy(changed, at);
  return changed;
}
