import { randomUUID } from 'node:crypto';
import {
  DRAWING_TEXT_MAX,
  DRAWINGS_MAX,
  DRAWINGS_OF_ACCOUNT_MAX,
  LAYOUTS_MAX,
} from '@sextant/workers/src/core/chartDrawings.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../support/createTestApp.ts';

let test: TestApp;
let anna: TestUser;
let bert: TestUser;
beforeAll(async () => {
  test = await createTestApp();
});
afterAll(() => test.close());
beforeEach(async () => {
  [anna, bert] = [await test.signUp(), await test.signUp()];
});

interface Drawing {
  id: string;
  kind: string;
  anchors: { time: number; price: number }[];
  text: string;
  is_locked: boolean;
  is_hidden: boolean;
}
interface ResponseBody {
  version: number;
  drawings: Drawing[] | null;
  overwritten: string[];
  layouts: { id: string; name: string; value: object }[];
  code?: string;
  field?: string;
  detail?: string;
}
type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

const send = async (method: Method, path: string, payload?: object, user = anna) => {
  const response = await test.app.inject({
    method,
    url: `/api/charts${path}`,
    headers: user.bearer,
    ...(payload && { payload }),
  });
  return { status: response.statusCode, ...response.json<ResponseBody>() };
};
const line = (price: number, more: Partial<Drawing> = {}): Drawing => ({
  id: randomUUID(),
  kind: 'horizontal',
  anchors: [{ time: 1_767_225_600_000, price }],
  text: '',
  is_locked: false,
  is_hidden: false,
  ...more,
});
const patch = (body: object, user = anna, symbol = 'BTCUSDT') => send('PATCH', `/drawings/${symbol}`, body, user);
const read = (user = anna, symbol = 'BTCUSDT') => send('GET', `/drawings/${symbol}`, undefined, user);

describe('drawings', () => {
  it('DESK-093 are stored per account and symbol, in the order of drawing', async () => {
    expect(await read()).toMatchObject({ version: 0, drawings: [] });
    const [first, second] = [line(100), line(200, { kind: 'text', text: 'range high' })];
    expect(await patch({ version: 0, put: [first, second] })).toMatchObject({
      status: 200,
      version: 1,
      drawings: null,
      overwritten: [],
    });
    const moved = { ...first, anchors: [{ time: 1_767_229_200_000, price: 110.5 }] };
    expect(await patch({ version: 1, put: [moved] })).toMatchObject({ version: 2, drawings: null });
    expect((await read()).drawings).toEqual([moved, second]);
    expect(await read(anna, 'ETHUSDT')).toMatchObject({ version: 0, drawings: [] });
    expect(await patch({ version: 2, remove: [second.id, randomUUID()] })).toMatchObject({ version: 3 });
    expect((await read()).drawings).toEqual([moved]);
  });

  it('DESK-093 DATA-029 belong to one account', async () => {
    const own = line(100);
    await patch({ version: 0, put: [own] });
    expect(await read(bert)).toMatchObject({ version: 0, drawings: [] });
    // The same id of another account is another drawing.
    await patch({ version: 0, put: [{ ...own, anchors: [{ time: 0, price: 1 }] }] }, bert);
    await patch({ version: 1, remove: [own.id] }, bert);
    expect((await read()).drawings).toEqual([own]);
    expect((await test.app.inject({ url: '/api/charts/drawings/BTCUSDT' })).statusCode).toBe(401);
  });

  it('DESK-094 the last write wins, and names what it overwrote', async () => {
    const [shared, other] = [line(100), line(200)];
    await patch({ version: 0, put: [shared, other] });
    const at = (price: number) => ({ ...shared, anchors: [{ time: 0, price }] });
    // Two pages saw version 1.
    expect(await patch({ version: 1, put: [at(101)] })).toMatchObject({ version: 2, overwritten: [] });
    const late = await patch({ version: 1, put: [at(102)] });
    expect(late).toMatchObject({ version: 3, overwritten: [shared.id] });
    expect(late.drawings).toEqual([at(102), other]);
    // Another drawing than the one that was changed meanwhile: nothing is overwritten, the rest is sent along.
    const beside = await patch({ version: 2, put: [{ ...other, is_locked: true }] });
    expect(beside).toMatchObject({ version: 4, overwritten: [] });
    expect(beside.drawings).toEqual([at(102), { ...other, is_locked: true }]);
    const removed = await patch({ version: 2, remove: [other.id] });
    expect(removed).toMatchObject({ version: 5, overwritten: [other.id] });
  });

  it('DESK-094 concurrent changes all hold', async () => {
    const lines = Array.from({ length: 12 }, (_, i) => line(100 + i));
    const versions = await Promise.all(lines.map(async (own) => (await patch({ version: 0, put: [own] })).version));
    expect(versions.sort((a, b) => a - b)).toEqual(lines.map((_, i) => i + 1));
    expect((await read()).drawings?.map(({ id }) => id).sort()).toEqual(lines.map(({ id }) => id).sort());
  });

  it('DESK-095 are bounded in number and size', async () => {
    const lines = Array.from({ length: DRAWINGS_MAX }, (_, i) =>
      line(1 + i, { text: '\u{1F4C8}'.repeat(DRAWING_TEXT_MAX / 2) }),
    );
    for (let from = 0; from < DRAWINGS_MAX; from += 100)
      expect((await patch({ version: from / 100, put: lines.slice(from, from + 100) })).status).toBe(200);
    expect(await patch({ version: 3, put: [line(5)] })).toMatchObject({ status: 409, code: 'conflict', field: 'put' });
    expect((await patch({ version: 3, put: [{ ...lines[0], is_hidden: true }] })).status).toBe(200);
    expect((await patch({ version: 4, put: [line(5)], remove: [lines[1]?.id] })).status).toBe(200);
    expect(await patch({ version: 5, put: lines.slice(0, 101) })).toMatchObject({ status: 400, field: 'put' });
  });

  it('DESK-095 are bounded for the account too, and removing some makes room', async () => {
    const full = JSON.stringify(Array.from({ length: DRAWINGS_MAX }, (_, i) => ({ ...line(1 + i), version: 1 })));
    const count = DRAWINGS_OF_ACCOUNT_MAX / DRAWINGS_MAX;
    await test.database.asOwner(
      `insert into chart_drawings (user_id, symbol, version, drawings)
        select $1, chr(64 + n) || 'USDT', 1, $2::jsonb from generate_series(1, ${count}) n`,
      [anna.id, full],
    );
    const one = { version: 0, put: [line(5)] };
    expect(await patch(one)).toMatchObject({ status: 409, code: 'conflict', field: 'put' });
    expect((await patch(one, bert)).status).toBe(200);
    const { drawings } = await read(anna, 'AUSDT');
    const gone = { version: 1, remove: [drawings?.[0]?.id] };
    expect((await patch(gone, anna, 'AUSDT')).status).toBe(200);
    expect((await patch(one)).status).toBe(200);
    expect(await patch({ version: 1, put: [line(6)] })).toMatchObject({ status: 409, field: 'put' });
  });

  it.each([
    ['put.0.anchors', { kind: 'trend' }, /must be 2 for trend/],
    ['put.0.anchors', { kind: 'long' }, /must be 3 for long/],
    ['put.0.kind', { kind: 'circle' }, /./],
    ['put.0.id', { id: 'mine' }, /./],
    ['put.0.text', { text: 'x'.repeat(DRAWING_TEXT_MAX + 1) }, /at most 120 characters/],
    ['put.0.anchors.0.price', { anchors: [{ time: 0, price: -1 }] }, /at least/],
    ['put.0.anchors.0.time', { anchors: [{ time: 1.5, price: 1 }] }, /./],
  ])('DESK-095 a wrong %s is rejected: %j', async (field, wrong, words) => {
    const response = await patch({ version: 0, put: [{ ...line(1), ...wrong }] });
    expect(response).toMatchObject({ status: 400, field });
    expect(response.detail).toMatch(words);
  });
});

describe('layouts', () => {
  const value = {
    charts: [{ symbol: null, interval: '1h', scale: 'log', indicators: ['rsi', 'ema'] }],
    pane_size: 'medium',
  };
  const layouts = (method: Method, path: string, payload?: object, user = anna) =>
    send(method, `/layouts${path}`, payload, user);

  it('DESK-104 are saved by name, renamed, replaced and deleted', async () => {
    const saved = await layouts('POST', '', { name: ' Scalping ', value });
    expect(saved).toMatchObject({ status: 200, layouts: [{ name: 'Scalping', value }] });
    const id = saved.layouts[0]?.id ?? '';
    expect(await layouts('POST', '', { name: 'Scalping', value })).toMatchObject({ status: 409, field: 'name' });
    const other = await layouts('POST', '', { name: 'Daily', value });
    expect(other.layouts.map(({ name }) => name)).toEqual(['Daily', 'Scalping']);
    expect(await layouts('PATCH', `/${id}`, { name: 'Daily' })).toMatchObject({ status: 409, field: 'name' });
    const two = { ...value, charts: [...value.charts, { ...value.charts[0], symbol: 'ETHUSDT' }] };
    expect((await layouts('PATCH', `/${id}`, { name: 'Swing', value: two })).layouts).toMatchObject([
      { name: 'Daily', value },
      { name: 'Swing', value: two },
    ]);
    expect((await layouts('DELETE', `/${id}`)).layouts.map(({ name }) => name)).toEqual(['Daily']);
    expect((await layouts('DELETE', `/${id}`)).status).toBe(404);
  });

  it('DESK-104 DATA-029 belong to one account', async () => {
    const id = (await layouts('POST', '', { name: 'Mine', value })).layouts[0]?.id ?? '';
    expect((await layouts('GET', '', undefined, bert)).layouts).toEqual([]);
    expect((await layouts('PATCH', `/${id}`, { name: 'Theirs' }, bert)).status).toBe(404);
    expect((await layouts('DELETE', `/${id}`, undefined, bert)).status).toBe(404);
    expect((await layouts('GET', '')).layouts).toMatchObject([{ id, name: 'Mine' }]);
  });

  it('DESK-104 are bounded, and a wrong field is named', async () => {
    const chart = value.charts[0];
    for (const [field, wrong] of [
      ['value.charts', { ...value, charts: [chart, chart, chart] }],
      ['value.charts', { ...value, charts: [] }],
      ['value.charts.0.scale', { ...value, charts: [{ ...chart, scale: 'cubic' }] }],
      ['value.charts.0.indicators', { ...value, charts: [{ ...chart, indicators: Array<string>(13).fill('rsi') }] }],
      ['value.pane_size', { ...value, pane_size: 'huge' }],
    ] as const)
      expect(await layouts('POST', '', { name: 'x', value: wrong }), field).toMatchObject({ status: 400, field });
    for (let i = 0; i < LAYOUTS_MAX; i++)
      expect((await layouts('POST', '', { name: `n${i}`, value })).status).toBe(200);
    expect((await layouts('POST', '', { name: 'one more', value })).status).toBe(409);
  });
});
