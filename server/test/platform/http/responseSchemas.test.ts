import fastify from 'fastify';
import { expect, it } from 'vitest';
import { z } from 'zod';
import type { App } from '../../../src/platform/http/app.ts';
import { checkResponses, findTransform } from '../../../src/platform/http/responseSchemas.ts';

const upper = z.string().transform((text) => text.toUpperCase());

it.each([
  ['a text', z.string(), null],
  ['a default and a refinement', z.object({ a: z.string().min(1).default('x') }), null],
  ['a transform', upper, '.out'],
  ['one in a list of objects', z.object({ rows: z.array(z.object({ symbol: upper })) }), '.rows.[].symbol.out'],
  [
    'one in an optional part of a union',
    z.union([z.number(), z.record(z.string(), upper.optional())]),
    '.option 2.*.out',
  ],
])('finds the one-way transform in %s', (_what, schema, path) => {
  expect(findTransform(schema)).toBe(path);
});

it('rejects a route whose response holds one, and accepts it in a request', async () => {
  const app = fastify() as unknown as App;
  checkResponses(app);
  app.post('/takes', { schema: { body: z.object({ symbol: upper }), response: { 200: z.string() } } }, () => 'x');
  expect(() => {
    app.get('/symbols', { schema: { response: { 200: z.object({ symbol: upper }) } } }, () => ({ symbol: 'x' }));
  }).toThrow('GET /symbols 200.symbol.out: a response may not have a one-way transform');
  await app.close();
});
