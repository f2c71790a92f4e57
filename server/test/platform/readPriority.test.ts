import { describe, expect, it } from 'vitest';
import { createFetchShare } from '../../src/features/market/fetchShare.ts';
import { createFlights } from '../../src/features/market/shared.ts';
import { ok } from '@sextant/workers/src/core/result.ts';
import { inBackground, inBulk, type ReadPriority, readPriority } from '../../src/platform/readPriority.ts';

const kinds = {
  single: <T>(work: () => T): T => work(),
  // As a scan of a user reads.
  scan: <T>(work: () => T): T => inBulk(work),
  warming: inBackground,
};
type Kind = keyof typeof kinds;

function kindOf({ isBackground, isBulk }: ReadPriority): Kind {
  if (isBackground) return 'warming';
  return isBulk ? 'scan' : 'single';
}

describe('the priority of a read', () => {
  it('NODE-201 is that of a scan for what a scan reads, also on the way through the share of its user', async () => {
    const share = createFetchShare(Date.now);
    const read = async (purpose: 'direct' | 'scan') =>
      share('anna', purpose).inPlace(() => Promise.resolve(ok(kindOf(readPriority()))));
    expect([await read('direct'), await read('scan')]).toEqual([ok('single'), ok('scan')]);
  });

  it.each([
    ['single', 'scan', 'single'],
    ['single', 'warming', 'single'],
    ['scan', 'single', 'single'],
    ['scan', 'scan', 'scan'],
    ['scan', 'warming', 'scan'],
    ['warming', 'single', 'single'],
    ['warming', 'scan', 'scan'],
    ['warming', 'warming', 'warming'],
  ] as const)('NODE-201 of %s that %s joins is that of %s', async (first, second, joined) => {
    const flights = createFlights<Kind>();
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const read = (kind: Kind) =>
      kinds[kind](() =>
        flights('one', async () => {
          const own = readPriority();
          await promise;
          return kindOf(own);
        }),
      );
    const [before, after] = [read(first), read(second)];
    resolve(undefined);
    expect(await before).toBe(joined);
    expect(await after).toBe(joined);
  });
});
