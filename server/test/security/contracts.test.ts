import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../support/createTestApp.ts';
import { apiPaths } from './apiDocument.ts';
import type { Schema } from './schemaArbitrary.ts';

/** What a request may hold, of every call of the document: parameters of path and query, and the body. */
interface Leaf {
  at: string;
  name: string;
  schema: Schema;
}

interface Operation {
  parameters?: { name: string; in: string; schema: Schema }[];
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

/** Formats whose pattern has an end of its own. */
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

  it('takes only prices above zero and within what sums can hold', () => {
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
const withParameters = operations.filter(({ path }) => path.includes('{'));
const withBody = operations.filter(({ operation }) => operation.requestBody?.content['application/json'] !== undefined);
const methodOf = (method: string) => method.toUpperCase() as 'GET';

describe('text that PostgreSQL cannot keep', () => {
  it.each(withParameters)('is refused in the path of $method $path', async ({ method, path }) => {
    for (const value of ['%00', 'a%00b']) {
      const answer = await test.app.inject({
        method: methodOf(method),
        url: pathOf(path, value),
        headers: user.bearer,
      });
      expect(answer.json(), value).toMatchObject({ status: 400, code: 'validation_failed' });
    }
  });

  it.each(operations.filter(({ method }) => method === 'get'))('is refused in the query of $path', async ({ path }) => {
    if (path === '/api/events') return;
    const url = `${pathOf(path, '00000000-0000-4000-8000-000000000000')}?symbol=%00`;
    const answer = await test.app.inject({ url, headers: user.bearer });
    expect(answer.json()).toMatchObject({ status: 400, code: 'validation_failed' });
  });

  it.each(withBody)('is refused in the body of $method $path', async ({ method, path }) => {
    for (const payload of ['{"a":"\\u0000"}', '{"a":{"b":["\\ud800"]}}', '{"\\u0000":1}']) {
      const answer = await test.app.inject({
        method: methodOf(method),
        url: pathOf(path, '00000000-0000-4000-8000-000000000000'),
        headers: { ...user.bearer, 'content-type': 'application/json' },
        payload,
      });
      expect(answer.json(), payload).toMatchObject({ status: 400, code: 'validation_failed' });
    }
  });
});

describe('a path that is too long', () => {
  it.each(withParameters)('is refused by $method $path, with the headers of every answer', async ({ method, path }) => {
    for (const length of [101, 3000]) {
      const url = pathOf(path, 'a'.repeat(length));
      const answer = await test.app.inject({ method: methodOf(method), url, headers: user.bearer });
      expect(answer.json()).toMatchObject({ status: 400, code: 'validation_failed' });
      expect(answer.headers['x-content-type-options']).toBe('nosniff');
    }
  });

  it('that cannot be decoded is refused with the same headers', async () => {
    const answer = await test.app.inject({ url: '/api/profiles/%', headers: user.bearer });
    expect(answer.json()).toMatchObject({ status: 400, code: 'validation_failed' });
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
  });
});
