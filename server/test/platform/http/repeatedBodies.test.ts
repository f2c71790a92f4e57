import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readConfig } from '../../../src/config.ts';
import type { App } from '../../../src/platform/http/app.ts';
import { createServer } from '../../../src/platform/http/createServer.ts';
import { rememberBodies, validateOnce } from '../../../src/platform/http/repeatedBodies.ts';

const Body = z.strictObject({ symbol: z.string().max(20), limit: z.int().max(1000).default(500) });

let app: App;
let validations = 0;
const seen: unknown[] = [];
beforeEach(() => {
  validations = 0;
  seen.length = 0;
  app = createServer(readConfig({ LOG_LEVEL: 'silent' }));
  const counted = Body.refine(() => {
    validations += 1;
    return true;
  });
  app.register((scope, _options, done) => {
    const routes = scope as App;
    rememberBodies(routes);
    routes.post(
      '/api/requested',
      { validatorCompiler: validateOnce, schema: { body: counted } },
      ({ body }) => (seen.push(body), body),
    );
    done();
  });
});
afterEach(() => app.close());

const headers = { 'content-type': 'application/json', 'x-api-key': 'k' };
const post = async (payload: string) => {
  const { statusCode, body } = await app.inject({ method: 'POST', url: '/api/requested', headers, payload });
  return [statusCode, JSON.parse(body)] as const;
};

describe('a body that is sent again', () => {
  it('is parsed and validated once, and gets the same response', async () => {
    const requested = '{"symbol":"BTCUSDT"}';
    const first = await post(requested);
    expect(first).toEqual([200, { symbol: 'BTCUSDT', limit: 500 }]);
    expect(await post(requested)).toEqual(first);
    expect(validations).toBe(1);
    expect(seen[1]).toBe(seen[0]);
  });

  it('is a different one after any change of its text', async () => {
    await post('{"symbol":"BTCUSDT"}');
    expect(await post('{"symbol":"BTCUSDT","limit":7}')).toEqual([200, { symbol: 'BTCUSDT', limit: 7 }]);
    expect(await post('{"symbol": "BTCUSDT"}')).toEqual([200, { symbol: 'BTCUSDT', limit: 500 }]);
    expect(validations).toBe(3);
  });

  it.each([
    ['a wrong field', '{"symbol":"BTCUSDT","limit":5000}'],
    ['text that cannot be stored', '{"symbol":"\\u0000"}'],
    ['half a character', '{"symbol":"\\ud800"}'],
    ['a prototype', '{"symbol":"BTCUSDT","__proto__":{"limit":1}}'],
    ['half of JSON', '{"symbol":'],
    ['a list', '[]'],
    ['null', 'null'],
  ])('is rejected each time when it has %s', async (_name, payload) => {
    for (let at = 0; at < 3; at += 1)
      expect(await post(payload)).toEqual([400, expect.objectContaining({ code: 'validation_failed' })]);
    expect(seen).toEqual([]);
  });

  it('is not cached when it is long, nor beyond 2,000 others', async () => {
    const long = `{"symbol":"BTCUSDT"${' '.repeat(2048)}}`;
    await post(long);
    await post(long);
    expect(validations).toBe(2);
    for (let at = 0; at < 2001; at += 1) await post(`{"symbol":"S${at}"}`);
    validations = 0;
    await post('{"symbol":"S2000"}');
    expect(validations).toBe(0);
    await post('{"symbol":"S0"}');
    expect(validations).toBe(1);
  });

  it('stays cached before less recently used ones, and is never evicted by a rejected body', async () => {
    const requested = '{"symbol":"BTCUSDT"}';
    await post(requested);
    for (let at = 0; at < 2500; at += 1) {
      await post(`{"symbol":"S${at}"}`);
      if (at % 500 === 0) await post(requested);
    }
    for (let at = 0; at < 2500; at += 1) await post(`{"symbol":"S","limit":${1001 + at}}`);
    validations = 0;
    await post(requested);
    await post('{"symbol":"S2499"}');
    expect(validations).toBe(0);
  });

  it('is limited by total length: half a million characters are cached', async () => {
    // 400 texts of 2,000 characters are 800,000: the last 262 fit into 524,288.
    const wide = (at: number): string => `{"symbol":"S${at}"${' '.repeat(2000)}}`.slice(0, 1999) + '}';
    for (let at = 100; at < 500; at += 1) await post(wide(at));
    validations = 0;
    for (const at of [499, 238]) await post(wide(at));
    expect(validations).toBe(0);
    await post(wide(237));
    expect(validations).toBe(1);
  });
});
