import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../support/createTestApp.ts';
import { apiPaths } from './apiDocument.ts';
import type { Schema } from './schemaArbitrary.ts';

/** The allowed contents of requests for every call of the document: path and query parameters, and the body. */
interface Leaf {
  at: string;
  name: string;
  schema: Schema;
}

interface Operation {
  parameters?: { name: string; in: string; required?: boolean; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
}
const operations = Object.entries(apiPaths as Record<string, Record<string, Operation>>).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
);

function leavesOf(schema: Schema, at: string, name: string): Leaf[] {
  const below = (each: Schema, part: string) => leavesOf(each, `${at}.${part}`, part);
  return [
    { at, name, schema },
    ...(schema.anyOf ?? schema.oneOf ?? schema.allOf ?? []).flatMap((each) => leavesOf(each, at, name)),
    ...Object.entries(schema.properties ?? {}).flatMap(([part, each]) => below(each, part)),
    ...(schema.items === undefined ? [] : leavesOf(schema.items, `${at}[]`, name)),
    ...(typeof schema.additionalProperties === 'object' ? below(schema.additionalProperties, '*') : []),
    ...(schema.propertyNames === undefined ? [] : leavesOf(schema.propertyNames, `${at} (name)`, name)),
  ];
}

const leaves: Leaf[] = operations.flatMap(({ method, path, operation }) => [
  ...(operation.parameters ?? [])
    .filter((each) => each.in !== 'header')
    .flatMap((each) => leavesOf(each.schema, `${method} ${path} ${each.in}.${each.name}`, each.name)),
  ...Object.entries(operation.requestBody?.content ?? {})
    .filter(([type]) => type === 'application/json')
    .flatMap(([, { schema }]) => leavesOf(schema, `${method} ${path} body`, '')),
]);

/** Formats whose pattern limits their length. */
const boundedFormats = new Set(['uuid', 'date-time']);

describe('every request of the document', () => {
  it('bounds the length of every text', () => {
    const unbounded = leaves.filter(
      ({ schema }) =>
        [schema.type].flat().includes('string') &&
        schema.enum === undefined &&
        schema.const === undefined &&
        schema.maxLength === undefined &&
        !boundedFormats.has(schema.format ?? '') &&
        !/^\^.*\}[^*+]*\$$/.test(schema.pattern ?? ''),
    );
    expect(unbounded.map(({ at }) => at)).toEqual([]);
  });

  it('accepts only prices above zero and within the range that sums can hold', () => {
    const prices = leaves.filter(
      ({ name, schema }) =>
        /^(stop_loss|take_profit|entry_price|liquidation_approx)$/.test(name) && schema.type === 'number',
    );
    expect(prices.length).toBeGreaterThanOrEqual(4);
    const loose = prices.filter(({ schema: { minimum = 0, maximum = Infinity } }) => !(minimum > 0 && maximum <= 1e12));
    expect(loose.map(({ at }) => at)).toEqual([]);
  });
});

let test: TestApp;
let user: TestUser;
beforeAll(async () => {
  test = await createTestApp();
  user = await test.signUp();
});
afterAll(() => test.close());

const pathOf = (path: string, value: string) => path.replace(/\{[^}]+\}/g, value);
const rightPath = (path: string) => pathOf(path.replaceAll('{symbol}', 'BTCUSDT'), someId);
const withParameters = operations.filter(({ path }) => path.includes('{'));
const withBody = operations.filter(({ operation }) => operation.requestBody?.content['application/json'] !== undefined);
const methodOf = (method: string) => method.toUpperCase() as 'GET';

describe('text that PostgreSQL cannot store', () => {
  it.each(withParameters)('is rejected in the path of $method $path', async ({ method, path }) => {
    for (const value of ['%00', 'a%00b']) {
      const response = await test.app.inject({
        method: methodOf(method),
        url: pathOf(path, value),
        headers: user.bearer,
      });
      expect(response.json(), value).toMatchObject({ status: 400, code: 'validation_failed' });
    }
  });

  it.each(operations.filter(({ method }) => method === 'get'))(
    'is rejected in the query of $path',
    async ({ path }) => {
      if (path === '/api/events') return;
      const url = `${pathOf(path, '00000000-0000-4000-8000-000000000000')}?symbol=%00`;
      const response = await test.app.inject({ url, headers: user.bearer });
      expect(response.json()).toMatchObject({ status: 400, code: 'validation_failed' });
    },
  );

  it.each(withBody)('is rejected in the body of $method $path', async ({ method, path }) => {
    for (const payload of ['{"a":"\\u0000"}', '{"a":{"b":["\\ud800"]}}', '{"\\u0000":1}']) {
      const response = await test.app.inject({
        method: methodOf(method),
        url: pathOf(path, '00000000-0000-4000-8000-000000000000'),
        headers: { ...user.bearer, 'content-type': 'application/json' },
        payload,
      });
      expect(response.json(), payload).toMatchObject({ status: 400, code: 'validation_failed' });
    }
  });
});

describe('a path that is too long', () => {
  it.each(withParameters)(
    'is rejected by $method $path, with the headers of every response',
    async ({ method, path }) => {
      for (const length of [101, 3000]) {
        const url = pathOf(path, 'a'.repeat(length));
        const response = await test.app.inject({ method: methodOf(method), url, headers: user.bearer });
        expect(response.json()).toMatchObject({ status: 400, code: 'validation_failed' });
        expect(response.headers['x-content-type-options']).toBe('nosniff');
      }
    },
  );

  it('that cannot be decoded is rejected with the same headers', async () => {
    const response = await test.app.inject({ url: '/api/profiles/%', headers: user.bearer });
    expect(response.json()).toMatchObject({ status: 400, code: 'validation_failed' });
    expect(response.headers['x-content-type-options']).toBe('nosniff');
  });
});

/** A valid value for every required query field. */
const samples: Record<string, string> = {
  year: '2026',
  symbol: 'BTCUSDT',
  symbols: 'BTCUSDT',
  interval: '1h',
  payment_id: '1',
  amount: '20',
  currency: 'usdt',
  buy: 'binance',
  sell: 'okx',
  from: '0',
  to: '1',
};
const someId = '00000000-0000-4000-8000-000000000000';

/** Each path with a query, and its declared fields. */
const queries = operations
  .filter(({ method }) => method === 'get')
  .map(({ path, operation }) => ({
    path,
    fields: (operation.parameters ?? []).filter((each) => each.in === 'query'),
  }))
  .filter(({ fields }) => fields.length > 0);
const queryFields = queries.flatMap(({ path, fields }) =>
  fields.map((field) => ({ path, fields, name: field.name, field })),
);

/** Query strings with one field of a wrong type and valid required fields. */
function wrongQueries({ fields, field }: (typeof queryFields)[number]): string[] {
  const { name, schema } = field;
  const others = fields.filter((each) => each.required === true && each.name !== name);
  const rest = others.map((each) => `${each.name}=${samples[each.name] ?? ''}`);
  const isFree = schema.type === 'string' && schema.enum === undefined && schema.format === undefined;
  const wrong = [
    // Given twice it is a list, and with a bracketed name another field: no field accepts either.
    `${name}=${samples[name] ?? '1'}&${name}=${samples[name] ?? '2'}`,
    `${name}=${'9'.repeat(8001)}`,
    ...(isFree ? [] : [`${name}=not-one-of-these`, `${name}=`, `${name}=%7B%7D`, `${name}=-1.5`]),
  ];
  return wrong.map((each) => [...rest, each].join('&'));
}

describe('a query', () => {
  it('is declared by at least as many routes as when this test was written', () => {
    expect(queries.length).toBeGreaterThanOrEqual(11);
    expect(queryFields.length).toBeGreaterThanOrEqual(26);
    const unknown = queries.flatMap(({ fields }) => fields.filter((each) => each.required === true));
    expect(unknown.filter(({ name }) => samples[name] === undefined)).toEqual([]);
  });

  it.each(queryFields)('of $path with $name of another type is rejected, naming the field', async (each) => {
    for (const query of wrongQueries(each)) {
      const url = `${rightPath(each.path)}?${query}`;
      const response = await test.app.inject({ url, headers: user.bearer });
      expect(response.json(), query.slice(0, 100)).toMatchObject({
        status: 400,
        code: 'validation_failed',
        field: expect.stringMatching(new RegExp(`^${each.name}(\\.|$)`)) as unknown,
      });
    }
  });

  it.each(queries)('of $path with an undeclared field is rejected, naming the field', async ({ path, fields }) => {
    const right = fields.filter((each) => each.required === true).map(({ name }) => `${name}=${samples[name]!}`);
    for (const name of ['surprise', 'user_id', '__proto__', 'constructor']) {
      const url = `${rightPath(path)}?${[...right, `${name}=1`].join('&')}`;
      const response = await test.app.inject({ url, headers: user.bearer });
      expect(response.json(), name).toMatchObject({ status: 400, code: 'validation_failed', field: name });
    }
  });
});
