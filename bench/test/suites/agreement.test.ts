import { buildEngine } from '@sextant/engine-as/build.ts';
import { indicatorIds } from '@sextant/engine-as/abi/registry.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import type { PreparedSuite } from '../../src/suite.ts';
import { suites } from '../../src/suites/catalogue.ts';

beforeAll(async () => {
  await buildEngine();
});

async function withSuite(name: string, work: (suite: PreparedSuite) => Promise<void>): Promise<void> {
  const match = suites.find((candidate) => candidate.name === name)!;
  if (!('prepare' in match)) throw new Error(`${name} compares no operations`);
  const suite = await match.prepare();
  try {
    await work(suite);
  } finally {
    await suite.close?.();
  }
}

describe('the results that a suite compares before it times anything', () => {
  it.each(['indicators', 'backtest', 'optimizer', 'scan', 'host-overhead', 'peers'])('agree: %s', async (name) => {
    await withSuite(name, async ({ cases }) => {
      // Every indicator of the registry is measured.
      if (name === 'indicators') expect(cases.map((each) => each.name)).toEqual([...indicatorIds, 'whole-set']);
      for (const benchCase of cases) expect(await benchCase.verify(), benchCase.name).toEqual([]);
    });
  });
});
