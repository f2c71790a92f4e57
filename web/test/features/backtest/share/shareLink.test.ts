import { describe, expect, it } from 'vitest';
import { sharedRows } from '../../../../src/features/backtest/share/checkShared.ts';
import { shareLinkOf, whyNotShared } from '../../../../src/features/backtest/share/makeShareLink.ts';
import { readShareLink } from '../../../../src/features/backtest/share/shareLink.ts';
import { runOf } from '../../../support/runs.ts';

const fragmentOf = (link: string): string => new URL(link).hash;

describe('a shared link', () => {
  it('is a fragment of the one path there is, and brings back parameters and hashes', () => {
    const run = runOf({});
    const link = shareLinkOf(run, 'https://sextant.example');
    expect(new URL(link).pathname + new URL(link).search).toBe('/');
    expect(link).toMatch(/#share=[\w-]+$/);
    const shared = readShareLink(fragmentOf(link));
    if (shared === null || shared === 'broken') throw new Error('the link was not read');
    expect(shared.hashes).toEqual(run.result.hashes);
    expect(shared.body).toMatchObject({
      ...{ symbol: 'BTCUSDT', interval: '1h', limit: 1200, scored: 500, endTime: Date.UTC(2026, 0, 1) },
      params: { entryThreshold: 0.08, slPct: 0.02, weights: { rsi: 1.5 } },
    });
  });

  it.each([
    ['nothing', '', null],
    ['another fragment', '#main', null],
    ['no run', '#share=', 'broken'],
    ['no base64', '#share=!!!!', 'broken'],
    ['no JSON', `#share=${btoa('not json')}`, 'broken'],
    ['no hashes', `#share=${btoa('{"v":1,"body":{}}')}`, 'broken'],
    ['another version', `#share=${btoa('{"v":2}')}`, 'broken'],
    ['far too much', `#share=${'a'.repeat(9000)}`, 'broken'],
  ])('with %s is said to be so', (_what, fragment, read) => expect(readShareLink(fragment)).toBe(read));

  it('is not made for candles that nobody else has, or for too many', () => {
    expect(whyNotShared(runOf({}))).toBeNull();
    expect(whyNotShared(runOf({ source: 'csv' }))).toContain('stay in this browser');
  });

  it('matches only when server and browser both got what it says', () => {
    const { hashes } = runOf({}).result;
    const other = { ...hashes, result: 'f'.repeat(64) };
    const equal = (...each: Parameters<typeof sharedRows>) => sharedRows(...each).map(({ isEqual }) => isEqual);
    expect(equal(hashes, hashes, hashes)).toEqual([true, true, true, true]);
    expect(equal(other, hashes, hashes)).toEqual([true, true, true, false]);
    expect(equal(hashes, other, hashes)).toEqual([true, true, true, false]);
    expect(equal(hashes, hashes, other)).toEqual([true, true, true, false]);
  });
});
