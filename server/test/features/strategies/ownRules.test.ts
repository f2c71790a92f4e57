import type { Strategy } from '@sextant/engine-as/abi/strategy.ts';
import { ownRulesOf, strategyVersion } from '@sextant/workers/src/protocol/wire/strategy.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../support/createTestApp.ts';

let test: TestApp;
let anna: TestUser;
beforeAll(async () => {
  test = await createTestApp();
});
afterAll(() => test.close());
beforeEach(async () => {
  anna = await test.signUp();
});

interface ResponseBody {
  strategies: { id: string; name: string; version: string; value: Strategy; is_used: boolean }[];
  versions: { version: string; value: Strategy; replaced_at: string | null }[];
  field?: string;
  detail?: string;
}
const send = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path = '', payload?: object, user = anna) => {
  const url = `/api/strategies${path}`;
  const response = await test.app.inject({ method, url, headers: user.bearer, ...(payload && { payload }) });
  return { status: response.statusCode, ...response.json<ResponseBody>() };
};
const rules = 'long when rsi(14) < 30 and 4h(close > ema(close, 50))\nexit long when rsi(14) > 60\nstop 2 %';
const valueOf = (text: string, interval: '1h' | '5m' = '1h'): Strategy => {
  const own = ownRulesOf(text, interval);
  if (!own.ok) throw new Error(own.error[0]?.message);
  return own.value;
};
const period = (n: number) => rules.replace('rsi(14) < 30', `rsi(${n}) < 30`);

describe('saved own rules', () => {
  it('RULE-012 are saved as text with an interval, as the strategy that it makes', async () => {
    const saved = await send('POST', '', { name: 'Mine', rules, interval: '1h' });
    expect(saved.status, saved.detail).toBe(200);
    const value = valueOf(rules);
    expect(saved.strategies).toMatchObject([{ name: 'Mine', value, version: strategyVersion(value) }]);
    const same = await send('POST', '', { name: 'Same', value });
    expect(new Set(same.strategies.map(({ version }) => version)).size).toBe(1);
  });

  it.each([
    ['rules', { rules: 'long when rsj < 30', interval: '1h' }, /line 1, column 11: /],
    ['rules', { rules, interval: '1h', value: valueOf(rules) }, /send either `rules` or `value`/],
    ['interval', { rules }, /send the interval of the candles/],
    ['interval', { value: valueOf(rules), interval: '1h' }, /belongs to `rules`/],
    ['rules', { rules, interval: '4h' }, /4h/],
    ['value', {}, /send a value, or `rules` and `interval`/],
    ['value.rules', { value: { ...valueOf(rules), breakEvenR: 1 } }, /other fields/],
  ])('RULE-012 reject a wrong %s: %j', async (field, body, words) => {
    for (const response of [await send('POST', '', { name: 'x', ...body })]) {
      expect(response).toMatchObject({ status: 400, field });
      expect(response.detail).toMatch(words);
    }
  });

  it('RULE-012 become a new version with a new text, and earlier ones are listed newest first', async () => {
    const [{ id } = { id: '' }] = (await send('POST', '', { name: 'Mine', rules, interval: '1h' })).strategies;
    const versions = async () => (await send('GET', `/${id}/versions`)).versions;
    expect(await versions()).toEqual([
      { version: strategyVersion(valueOf(rules)), value: valueOf(rules), replaced_at: null },
    ]);
    // A new name and an equal value make none.
    await send('PUT', `/${id}`, { name: 'Renamed' });
    await send('PUT', `/${id}`, { rules, interval: '1h' });
    expect(await versions()).toHaveLength(1);
    expect((await send('PUT', `/${id}`, { rules: period(10), interval: '1h' })).status).toBe(200);
    expect((await send('PUT', `/${id}`, { value: valueOf(period(11)) })).status).toBe(200);
    const listed = await versions();
    expect(listed.map(({ value }) => value.rules)).toEqual([period(11), period(10), rules]);
    expect(listed.map(({ replaced_at: at }) => at === null)).toEqual([true, false, false]);
    // An earlier value can be taken back: it is the newest again.
    await send('PUT', `/${id}`, { value: listed[2]!.value });
    expect((await versions()).map(({ value }) => value.rules)).toEqual([rules, period(11), period(10), rules]);
  });

  it('RULE-012 have at most twenty earlier versions: the oldest is dropped', async () => {
    const [{ id } = { id: '' }] = (await send('POST', '', { name: 'Mine', rules: period(2), interval: '1h' }))
      .strategies;
    for (let n = 3; n <= 24; n++) await send('PUT', `/${id}`, { value: valueOf(period(n)) });
    const { versions } = await send('GET', `/${id}/versions`);
    expect(versions.map(({ value }) => value.rules)).toEqual(Array.from({ length: 21 }, (_, i) => period(24 - i)));
    expect((await send('DELETE', `/${id}`)).status).toBe(200);
    expect(await send('GET', `/${id}/versions`)).toMatchObject({ status: 404, detail: 'Strategy not found.' });
    const rows = await test.database.asOwner('select 1 from strategy_history where user_id = $1', [anna.id]);
    expect(rows).toEqual([]);
  });

  it('RULE-012 have versions that belong to one user', async () => {
    const [{ id } = { id: '' }] = (await send('POST', '', { name: 'Mine', rules, interval: '1h' })).strategies;
    await send('PUT', `/${id}`, { value: valueOf(period(9)) });
    const bert = await test.signUp();
    expect(await send('GET', `/${id}/versions`, undefined, bert)).toMatchObject({ status: 404 });
  });

  it('RULE-012 of the most characters are stored, whatever characters they are', async () => {
    const text = `${rules}\n#`.padEnd(4000, '\u4e2d');
    const saved = await send('POST', '', { name: 'Wide', rules: text, interval: '1h' });
    expect(saved.status, saved.detail).toBe(200);
    const [{ id, value } = { id: '', value: undefined }] = saved.strategies;
    expect(value?.rules).toBe(text);
    expect((await send('PUT', `/${id}`, { value: valueOf(`${text.slice(0, -1)}x`) })).status).toBe(200);
    expect((await send('GET', `/${id}/versions`)).versions.map((each) => each.value.rules)).toContain(text);
    for (const bad of ['\0', '\ud800'])
      expect(await send('POST', '', { name: 'Bad', rules: `${rules}#${bad}`, interval: '1h' })).toMatchObject({
        status: 400,
        field: 'rules',
      });
  });

  it('RULE-012 on candles that scans do not read are stored and not traded', async () => {
    const carry = 'long when funding < 0 and mark > 0';
    const [{ id } = { id: '' }] = (await send('POST', '', { name: 'Carry', rules: carry, interval: '1h' })).strategies;
    expect((await send('PUT', '/used', { id })).status).toBe(200);
    const fast = (await send('POST', '', { name: 'Fast', rules: 'long when rsi(14) < 30', interval: '5m' })).strategies;
    const used = await send('PUT', '/used', { id: fast.find(({ name }) => name === 'Fast')!.id });
    expect(used).toMatchObject({ status: 409, detail: 'Scans read 15m, 1h, 4h candles; Fast uses 5m.' });
    // The one in use cannot become one that scans cannot read.
    expect(await send('PUT', `/${id}`, { rules: carry, interval: '5m' })).toMatchObject({ status: 409 });
  });
});
