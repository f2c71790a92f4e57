import { describe, expect, it } from 'vitest';
import { ANONYMOUS_PER_MINUTE, createPublicLimit, limitAnonymous } from '../../../src/platform/limits/publicLimit.ts';

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

describe('the hook of public routes', () => {
  it('rejects one request too many of a client in a minute, and leaves calls with a key to their own limit', async () => {
    let nowMs = 0;
    const limit = limitAnonymous(() => nowMs);
    const call = (ip: string, headers = {}) => limit({ ip, headers });
    for (let i = 0; i < ANONYMOUS_PER_MINUTE; i++) await call('192.0.2.1');
    expect(() => call('192.0.2.1')).toThrow(/At most 240 requests a minute/);
    await call('192.0.2.2');
    await call('192.0.2.1', { 'x-api-key': 'sx_live_1' });
    nowMs = 60_000;
    await call('192.0.2.1');
  });
});
