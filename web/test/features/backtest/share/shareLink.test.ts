import { withoutLiquidity } from '@sextant/workers/src/protocol/wire/defaults.ts';
import { liveRules } from '@sextant/engine-as/abi/strategy.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomParams, seededRandom } from '../../../../../workers/test/support/randomRuns.ts';
import { type ParamsJson, paramsFromJson, paramsToJson } from '../../../../src/features/backtest/params.ts';
import { sharedRows, verdictOf } from '../../../../src/features/backtest/share/SharedRunPage.tsx';
import { shareLinkOf, whyNotShared } from '../../../../src/features/backtest/results/ExportButtons.tsx';
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
      symbol: 'BTCUSDT',
      interval: '1h',
      limit: 1200,
      scored: 500,
      endTime: Date.UTC(2026, 0, 1),
      params: { entryThreshold: 0.08, slPct: 0.02, weights: { rsi: 1.5 } },
    });
  });

  it('of a run of rules carries the strategy and its window, and none of the sliders of Classic', () => {
    const strategy = { ...liveRules(['1h', '4h']), weights: { rsi: -1.25, adx: 0.5 } };
    const params = { ...runOf({}).params, entryThreshold: 0.77 };
    const run = { ...runOf({}), params, strategy };
    const shared = readShareLink(fragmentOf(shareLinkOf(run, 'https://sextant.example')));
    if (shared === null || shared === 'broken') throw new Error('the link was not read');
    expect(shared.body).toMatchObject({ limit: 1200, scored: 500, endTime: Date.UTC(2026, 0, 1), strategy });
    expect(shared.body.params).toEqual({});
    const broken = [{ ...strategy, weights: { rsi: 9 } }, { ...strategy, stop: { mode: 'atr' } }, {}, null];
    for (const bad of broken) {
      const link = linkWith((each) => ((each['body'] as Record<string, unknown>)['strategy'] = bad));
      expect(readShareLink(link)).toBe('broken');
    }
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

  it('is not made for candles that only this browser has, or for too many', () => {
    const run = runOf({});
    expect(whyNotShared(run)).toBeNull();
    expect(whyNotShared(runOf({ source: 'csv' }))).toContain('stay in this browser');
    const long = { ...run.loaded.candles, time: new Float64Array(5001) };
    expect(whyNotShared({ ...run, loaded: { ...run.loaded, candles: long } })).toBe(
      'Share at most 5,000 candles: choose a shorter history.',
    );
    expect(whyNotShared({ ...run, loaded: { ...run.loaded, candles: long, scoredFromMs: 0 } })).toBe(
      'Share at most 5,000 candles, lead-in included. Choose fewer days.',
    );
    expect(whyNotShared({ ...run, loaded: { ...run.loaded, exchange: 'okx' } })).toContain('Binance');
  });

  it('brings every parameter and cost back to the bit', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const random = seededRandom(seed);
        const base = runOf({});
        const params = { ...randomParams(random), trailing: { ...base.params.trailing, enabled: random() < 0.5 } };
        const costs = { ...base.costs, takerFeeFraction: random() / 10, notional: random() * 1e6 };
        const shared = readShareLink(fragmentOf(shareLinkOf({ ...base, params, costs }, 'https://sextant.example')));
        if (shared === null || shared === 'broken') throw new Error('the link was not read');
        expect(shared.body.costs).toEqual(costs);
        const back = paramsFromJson(shared.body.params as ParamsJson);
        expect(paramsToJson(back)).toEqual(paramsToJson(params));
        expect(shared.hashes).toEqual(base.result.hashes);
      }),
      { numRuns: 50 },
    );
  });

  /** Every path of a value in what a link holds: `body.costs.leverage`. */
  const pathsOf = (value: unknown, path: string[] = []): string[][] =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([key, each]) => [[...path, key], ...pathsOf(each, [...path, key])])
      : [];
  const text = fragmentOf(shareLinkOf(runOf({}), 'https://sextant.example')).slice('#share='.length);
  const whole = JSON.parse(Buffer.from(text, 'base64url').toString()) as Record<string, unknown>;
  const linkWith = (change: (shared: Record<string, unknown>) => void): string => {
    const shared = structuredClone(whole);
    change(shared);
    return `#share=${Buffer.from(JSON.stringify(shared)).toString('base64url')}`;
  };
  const parentOf = (shared: Record<string, unknown>, path: string[]) =>
    path.slice(0, -1).reduce((at, key) => at[key] as Record<string, unknown>, shared);

  it('from before the size of an order counted is read', () => {
    const old = linkWith((shared) => {
      const costs = parentOf(shared, ['body', 'costs', 'notional']);
      Reflect.deleteProperty(costs, 'impactCoefficient');
      Reflect.deleteProperty(costs, 'turnoverShareMax');
    });
    expect(readShareLink(old)).toMatchObject({ body: { costs: { notional: 1000 } } });
  });

  const needed = pathsOf(whole).filter((path) => !Object.hasOwn(withoutLiquidity, path.at(-1) ?? ''));
  it.each(needed.map((path) => [path.join('.'), path] as const))(
    'without %s, or with null for it, is broken',
    (_, path) => {
      const key = path.at(-1) ?? '';
      expect(readShareLink(linkWith((shared) => Reflect.deleteProperty(parentOf(shared, path), key)))).toBe('broken');
      expect(readShareLink(linkWith((shared) => (parentOf(shared, path)[key] = null)))).toBe('broken');
    },
  );

  it('that was cut off, or has one character more or less, is broken or another run, and never throws', () => {
    const at = fc.integer({ min: 0, max: text.length - 1 });
    fc.assert(
      fc.property(at, fc.constantFrom('', 'A', '!', '\u00e9'), (cut, put) => {
        const read = readShareLink(`#share=${text.slice(0, cut)}${put}${text.slice(cut + 1)}`);
        expect(read === 'broken' || (read !== null && typeof read.body === 'object')).toBe(true);
        expect(readShareLink(`#share=${text.slice(0, cut)}`)).toBe('broken');
      }),
    );
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

  it('gets the words of what was changed in it', () => {
    const { hashes } = runOf({}).result;
    const f = 'f'.repeat(64);
    const of = (...each: Parameters<typeof sharedRows>) => verdictOf(sharedRows(...each));
    expect(of(hashes, hashes, hashes)).toMatchObject({ kind: 'equal' });
    // The maker of the link wrote another hash into it, or another value beside the hash.
    expect(of({ ...hashes, data: f }, hashes, hashes).text).toBe(
      'Do not rely on this link: the candles, mark prices or fundings differ.',
    );
    expect(of({ ...hashes, params: f }, hashes, hashes).text).toBe(
      'Do not rely on this link: the parameters, costs or scored window differ.',
    );
    expect(of({ ...hashes, result: f }, hashes, hashes).text).toBe('Do not rely on this link: the result differs.');
    // An older engine: with the same result, and with another one.
    expect(of({ ...hashes, engine: f }, hashes, hashes)).toMatchObject({
      kind: 'reproduced',
      text: expect.stringContaining('another engine version') as string,
    });
    expect(of({ ...hashes, engine: f, result: f }, hashes, hashes)).toEqual({
      kind: 'broken',
      text: 'Do not rely on this link: the engine version differs; the result differs.',
    });
    // This page was loaded before the server was updated.
    expect(of(hashes, { ...hashes, engine: f }, hashes)).toEqual({
      kind: 'broken',
      text: 'Reload this page to check the run: the server is newer.',
    });
  });
});
