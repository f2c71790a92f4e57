import { describe, expect, it } from 'vitest';
import { createPublicLimit } from '../../../src/platform/limits/publicLimit.ts';

describe('publicLimit', () => {
  it('allows each client its requests per window and says how long to wait after that', () => {
    let nowMs = 600_000;
    const { hit } = createPublicLimit({ hitMax: 3, windowMs: 60_000, now: () => nowMs });
    expect([hit('a'), hit('a'), hit('a')]).toEqual([undefined, undefined, undefined]);
    nowMs += 20_500;
    expect(hit('a')).toBe(40);
    expect(hit('b')).toBeUndefined();
    nowMs = 660_000;
    expect(hit('a')).toBeUndefined();
  });

  it('keeps a bounded number of clients', () => {
    const { hit } = createPublicLimit({ hitMax: 1, windowMs: 60_000, now: () => 0 });
    for (let i = 0; i < 50_000; i++) expect(hit(`client ${i}`)).toBeUndefined();
  });
});
