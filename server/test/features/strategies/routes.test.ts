import { liveRules } from '@sextant/engine-as/abi/strategy.ts';
import { createHash } from 'node:crypto';
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
  strategies: { id: string; name: string; version: string; value: Record<string, unknown>; is_used: boolean }[];
  used: { name: string; version: string };
}
const send = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path = '', payload?: object, user = anna) => {
  const url = `/api/strategies${path}`;
  const response = await test.app.inject({ method, url, headers: user.bearer, ...(payload && { payload }) });
  return {
    status: response.statusCode,
    ...response.json<ResponseBody & { field?: string; detail?: string; code?: string }>(),
  };
};
const mine = () => ({ ...liveRules(['1h', '4h']), breakEvenR: 1, onOpposite: 'reverse' });

describe('saved strategies', () => {
  it('start empty, with Live rules in use', async () => {
    expect(await send('GET')).toMatchObject({ status: 200, strategies: [], used: { name: 'Live rules' } });
  });

  it('store a value under the SHA-256 of its canonical JSON, whatever the order of its keys', async () => {
    const value = mine();
    const saved = await send('POST', '', { name: ' Mine ', value });
    expect(saved.strategies).toMatchObject([{ name: 'Mine', value, is_used: false }]);
    // The canonical form by hand: ordered keys, no vote of weight zero.
    const text = JSON.stringify({
      atrPeriod: 14,
      breakEvenR: 1,
      direction: 'both',
      entryThreshold: 0.08,
      holdingBarsMax: 0,
      intervals: [
        { interval: '1h', weight: 1 },
        { interval: '4h', weight: 0.5 },
      ],
      onOpposite: 'reverse',
      sizing: { isCompounding: false, mode: 'risk', riskFraction: 0.01 },
      stop: { mode: 'atr', multiple: 2 },
      target: { mode: 'atr', multiple: 4 },
      trailing: {
        activationFraction: 0,
        atrMultiple: 2,
        callbackFraction: 0.005,
        mode: 'off',
        stepFraction: 0.0025,
      },
      weights: Object.fromEntries(
        Object.entries(value.weights)
          .filter(([, weight]) => weight !== 0)
          .sort(([a], [b]) => (a < b ? -1 : 1)),
      ),
    });
    const version = createHash('sha256').update(text).digest('hex');
    expect(saved.strategies[0]!.version).toBe(version);
    const turned = Object.fromEntries(Object.entries(value).reverse());
    const again = await send('POST', '', { name: 'Turned', value: turned });
    expect(again.strategies.map((each) => each.version)).toEqual([version, version]);
  });

  it('store parameters of votes, which make another version where they have an effect', async () => {
    const plain = (await send('POST', '', { name: 'A', value: mine() })).strategies[0]!;
    const stored = async (name: string, parameters: object) =>
      (await send('POST', '', { name, value: { ...mine(), parameters } })).strategies.find(
        (each) => each.name === name,
      )!;
    const same = await stored('B', { rsi: { period: 14 }, ichimoku: { span: 60 } });
    expect(same).toMatchObject({ version: plain.version, value: { parameters: { ichimoku: { span: 60 } } } });
    const retuned = await stored('C', { rsi: { period: 21 } });
    expect(retuned.value['parameters']).toEqual({ rsi: { period: 21 } });
    expect(retuned.version).not.toBe(plain.version);
  });

  it('are renamed, changed to another version, and deleted', async () => {
    const [first] = (await send('POST', '', { name: 'One', value: mine() })).strategies;
    const path = `/${first!.id}`;
    expect((await send('PUT', path, { name: 'Two' })).strategies).toMatchObject([
      { name: 'Two', version: first!.version },
    ]);
    const changed = (await send('PUT', path, { value: { ...mine(), breakEvenR: 2 } })).strategies[0]!;
    expect(changed).toMatchObject({ name: 'Two', value: { breakEvenR: 2 } });
    expect(changed.version).not.toBe(first!.version);
    expect(await send('PUT', path, {})).toMatchObject({ status: 400 });
    expect((await send('DELETE', path)).strategies).toEqual([]);
    expect(await send('DELETE', path)).toMatchObject({ status: 404, detail: 'Strategy not found.' });
  });

  it('are traded by name and version when chosen, and cannot be deleted then', async () => {
    const [first] = (await send('POST', '', { name: 'One', value: mine() })).strategies;
    const { id, version } = first!;
    const stale = await send('PUT', '/used', { id, version: '0'.repeat(64) });
    expect(stale).toMatchObject({ status: 409, field: 'version' });
    expect(await send('PUT', '/used', { id, version })).toMatchObject({ status: 200, used: { name: 'One', version } });
    expect(await send('DELETE', `/${id}`)).toMatchObject({ status: 409 });
    const other = (await send('POST', '', { name: 'Other', value: mine() })).strategies.find((each) => !each.is_used);
    expect(await send('PUT', '/used', { id: other!.id })).toMatchObject({ used: { name: 'Other' } });
    expect((await send('PUT', '/used', { id: null })).used.name).toBe('Live rules');
    expect((await send('DELETE', `/${id}`)).strategies).toMatchObject([{ name: 'Other', is_used: false }]);
  });

  it('with candles that scans do not read are stored and not traded', async () => {
    const value = { ...mine(), intervals: [{ interval: '5m', weight: 1 }] };
    const [saved] = (await send('POST', '', { name: 'Fast', value })).strategies;
    const rejection = await send('PUT', '/used', { id: saved!.id });
    expect(rejection).toMatchObject({ status: 409, detail: 'Scans read 15m, 1h, 4h candles; Fast uses 5m.' });
  });

  it.each([
    ['name', { name: 'live rules', value: mine() }],
    ['name', { name: ' ', value: mine() }],
    ['value.parameters.rsi.period', { name: 'x', value: { ...mine(), parameters: { rsi: { period: 201 } } } }],
    ['value.parameters.macd.fast', { name: 'x', value: { ...mine(), parameters: { macd: { fast: 26 } } } }],
    ['value.breakEvenR', { name: 'x', value: { ...mine(), breakEvenR: 101 } }],
    ['value.holdingBarsMax', { name: 'x', value: { ...mine(), holdingBarsMax: 1.5 } }],
    ['value.weights', { name: 'x', value: { ...mine(), weights: { rsi: 0 } } }],
    ['value.weights.rsi', { name: 'x', value: { ...mine(), weights: { rsi: 0.001 } } }],
    ['value.stop.multiple', { name: 'x', value: { ...mine(), stop: { mode: 'atr', multiple: 0 } } }],
    ['value.intervals', { name: 'x', value: { ...mine(), intervals: [...mine().intervals].reverse() } }],
    ['value.onOpposite', { name: 'x', value: { ...mine(), onOpposite: 'double' } }],
  ])('reject a wrong %s', async (field, body) => {
    expect(await send('POST', '', body)).toMatchObject({ status: 400, field });
  });

  it('have names that differ, and are at most fifty', async () => {
    for (let i = 0; i < 50; i++) expect((await send('POST', '', { name: `s${i}`, value: mine() })).status).toBe(200);
    const full = await send('POST', '', { name: 'one more', value: mine() });
    expect(full).toMatchObject({ status: 409, detail: 'Limit reached (50 strategies). Delete one first.' });
    expect(await send('POST', '', { name: 's7', value: mine() })).toMatchObject({ status: 409, field: 'name' });
  });

  it('belong to one user', async () => {
    const bert = await test.signUp();
    const [saved] = (await send('POST', '', { name: 'Mine', value: mine() })).strategies;
    expect((await send('GET', '', undefined, bert)).strategies).toEqual([]);
    expect(await send('PUT', `/${saved!.id}`, { name: 'His' }, bert)).toMatchObject({ status: 404 });
    expect(await send('DELETE', `/${saved!.id}`, undefined, bert)).toMatchObject({ status: 404 });
    expect(await send('PUT', '/used', { id: saved!.id }, bert)).toMatchObject({ status: 404 });
  });
});
