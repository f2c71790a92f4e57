import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import document from '../../../openapi.json' with { type: 'json' };
import { apiPaths } from '../../security/apiDocument.ts';

interface Schema {
  type?: string;
  default?: unknown;
  properties?: Record<string, Schema>;
  items?: Schema;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
}
interface Operation {
  parameters?: { name: string; in: string; description?: string }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema?: Schema }> }>;
}
const paths = apiPaths as Record<string, Record<string, Operation>>;

function operationOf(call: string): Operation {
  const [method = '', path = ''] = call.split(' ');
  const operation = paths[path]?.[method.toLowerCase()];
  if (operation === undefined) throw new Error(`${call} is not in the document`);
  return operation;
}

/** Fields of an object, including those of its alternatives and parts. */
function fieldsOf(schema: Schema | undefined): Record<string, Schema> {
  const parts = [schema?.allOf, schema?.anyOf, schema?.oneOf].flatMap((each) => each ?? []);
  return Object.fromEntries([
    ...Object.entries(schema?.properties ?? {}),
    ...parts.flatMap((part) => Object.entries(fieldsOf(part))),
  ]);
}
const bodyOf = (call: string): Record<string, Schema> =>
  Object.fromEntries(
    Object.values(operationOf(call).requestBody?.content ?? {}).flatMap(({ schema }) =>
      Object.entries(fieldsOf(schema)),
    ),
  );
const takenBy = (call: string): string[] => [
  ...(operationOf(call).parameters ?? []).filter((each) => each.in !== 'header').map(({ name }) => name),
  ...Object.keys(bodyOf(call)),
];
const responseOf = (call: string): Record<string, Schema> =>
  fieldsOf(operationOf(call).responses['200']?.content?.['application/json']?.schema);
/** The fields of each row of a list in the response. */
const rowOf = (call: string, list: string): string[] => Object.keys(fieldsOf(responseOf(call)[list]?.items));

describe('the calls that the specification names', () => {
  it('API-052 exist for each operation it relates to one', () => {
    const calls: [string, string[]][] = [
      ['POST /api/futures-signal', ['symbol', 'interval', 'limit', 'balance', 'riskTolerance', 'leverage']],
      ['GET /api/price/batch', ['symbols']],
      ['POST /api/billing/now/create-payment', ['tokens', 'pay_currency']],
      ['GET /api/billing/now/status', ['payment_id']],
      ['GET /api/arbitrage/last', []],
      ['POST /api/arbitrage-scan', ['symbols', 'minSpreadPct', 'exchanges', 'maxCount']],
      ['POST /api/backtest', ['symbol', 'interval', 'limit', 'params', 'optimize']],
    ];
    for (const [call, inputs] of calls) expect(takenBy(call), call).toEqual(expect.arrayContaining(inputs));
    expect(Object.keys(paths).filter((path) => path.startsWith('/api/support/')).length).toBeGreaterThanOrEqual(4);
  });

  it('API-035 a backtest takes symbol, interval, limit (800), params and optimize', () => {
    const body = bodyOf('POST /api/backtest');
    expect(Object.keys(body)).toEqual(expect.arrayContaining(['symbol', 'interval', 'limit', 'params', 'optimize']));
    expect(body['limit']?.default).toBe(800);
  });

  it('API-033 API-034 a username is read and changed at one path', () => {
    expect(Object.keys(responseOf('GET /api/account/username'))).toEqual(['username']);
    expect(takenBy('POST /api/account/username')).toEqual(['username']);
    expect(Object.keys(responseOf('POST /api/account/username'))).toEqual(['username']);
  });

  it('API-029 API-030 the log and the use of calls have the named fields', () => {
    const fields = ['created_at', 'method', 'path', 'status', 'success', 'ip'];
    expect(rowOf('GET /api/account/api-logs', 'items')).toEqual(expect.arrayContaining(fields));
    expect(rowOf('GET /api/account/api-usage', 'items')).toContain('ok');
  });

  it('API-051 are all in the document, with the inputs that the table of calls gives them', () => {
    const calls: [string, string[]][] = [
      ['GET /api/futures-symbols', []],
      ['POST /api/futures-signal', ['symbol', 'interval', 'limit', 'balance', 'riskTolerance', 'leverage']],
      ['GET /api/funding', ['symbol']],
      ['GET /api/price', ['symbol']],
      ['GET /api/price/batch', ['symbols']],
      ['GET /api/klines', ['symbol', 'interval', 'limit']],
      ['POST /api/technical-indicators', ['symbol', 'interval', 'limit']],
      ['GET /api/ensemble', ['symbol', 'intervals']],
      ['GET /api/historic-signals', []],
      ['GET /api/performance', []],
      ['GET /api/watchlist', []],
      ['POST /api/watchlist', ['symbol']],
      // The symbol may stand in the path beside the body of the table: some proxies drop bodies of DELETE.
      ['DELETE /api/watchlist', ['symbol']],
      ['DELETE /api/watchlist/{symbol}', ['symbol']],
      ['GET /api/credits', []],
      ['GET /api/health', []],
      ['POST /api/health/log', []],
      ['POST /api/webhook/test', []],
      ['GET /api/webhooks', []],
      ['POST /api/webhooks', ['url']],
      ['GET /api/collections', []],
      ['GET /api/errors', []],
      ['GET /api/account/api-keys', []],
      ['POST /api/account/api-keys', ['name', 'scopes', 'ip_allowlist']],
      ['DELETE /api/account/api-keys/{id}', ['id']],
      ['GET /api/account/api-logs', []],
      ['GET /api/account/api-usage', []],
      ['GET /api/account/api-subscription', []],
      ['POST /api/account/api-subscription', ['plan']],
      ['GET /api/account/username', []],
      ['POST /api/account/username', ['username']],
    ];
    for (const [call, inputs] of calls) expect(takenBy(call), call).toEqual(expect.arrayContaining(inputs));
    // Defaults of each parameter, from the table of the specification.
    const limitOfKlines = operationOf('GET /api/klines').parameters?.find(({ name }) => name === 'limit');
    expect(limitOfKlines?.description).toBe('Candles; 200 when absent.');
    expect(bodyOf('POST /api/technical-indicators')['limit']?.default).toBe(500);
    expect(Object.keys(responseOf('GET /api/errors'))).toEqual(['error_codes', 'rate_limits', 'best_practices']);
    expect(Object.keys(responseOf('GET /api/account/api-subscription'))).toEqual(['current', 'plans', 'paid']);
  });

  it('DATA-030 have no administrator: neither a path, nor a field, nor a column', async () => {
    const isOfAdmin = (name: string): boolean => /admin|superuser|is_staff/i.test(name);
    expect(Object.keys(paths).filter(isOfAdmin)).toEqual([]);
    const names = new Set<string>();
    JSON.stringify(document, (key, value: unknown) => {
      names.add(key);
      return value;
    });
    expect([...names].filter(isOfAdmin)).toEqual([]);
    expect(names.size).toBeGreaterThan(500);
    const schema = await readFile(new URL('../../../../db/src/schema.gen.ts', import.meta.url), 'utf8');
    expect(schema).toContain('interface');
    expect(schema.match(/^.*(?:admin|superuser|is_staff).*$/gim)).toBeNull();
  });

  it('API-049 operations without a named path have their own resource', () => {
    const resources = {
      // A scan is charged and saved by the call that runs it, so no client charges separately.
      scans: ['POST /api/scan', 'GET /api/scan/{id}', 'GET /api/scan/last'],
      credits: ['GET /api/credits'],
      positions: ['POST /api/positions', 'GET /api/positions', 'POST /api/positions/{id}/close'],
      tuning: ['GET /api/tuning', 'PUT /api/tuning'],
      news: ['GET /api/news', 'GET /api/news/settings', 'PUT /api/news/settings'],
      profile: ['GET /api/profile', 'PUT /api/profile', 'PUT /api/profile/avatar', 'DELETE /api/profile/cover'],
    };
    for (const call of Object.values(resources).flat())
      expect(
        Object.keys(operationOf(call).responses).filter((status) => status.startsWith('2')),
        call,
      ).toHaveLength(1);
  });

  it('API-050 every response has a schema in the document, and each schema a type', () => {
    const untyped = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { responses }]) =>
        Object.entries(responses).flatMap(([status, { content }]) => {
          // No content and "not modified" have no body.
          if (status === '204' || status === '304') return [];
          const schemas = Object.values(content ?? {});
          const isTyped =
            schemas.length > 0 && schemas.every(({ schema }) => schema !== undefined && isDescribed(schema));
          return isTyped ? [] : [`${method} ${path} ${status}`];
        }),
      ),
    );
    expect(untyped).toEqual([]);
    expect(document.openapi).toMatch(/^3\.1/);
  });
});

const isDescribed = (schema: Schema): boolean =>
  schema.type !== undefined ||
  [schema.allOf, schema.anyOf, schema.oneOf].some((each) => (each ?? []).some(isDescribed));
