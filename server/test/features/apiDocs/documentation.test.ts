// Long because everything that is documented is called on one app with one test key.
import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import { runInNewContext } from 'node:vm';
import { apiScopeNames } from '@sextant/workers/src/core/apiAccess.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { documentedCaller } from '../../../documentedResponses.ts';
import { createKey } from '../../../src/features/apiKeys/keyFormat.ts';
import { apiErrors } from '../../../src/platform/errors.ts';
import type { MarketApp } from '../../support/createMarketApp.ts';
import type { TestUser } from '../../support/createTestApp.ts';
import { createListeningApp, giveCredits, makeKey, type MadeKey } from '../apiKeys/support.ts';

const run = promisify(execFile);

let test: MarketApp;
let user: TestUser;
let key: MadeKey;
let baseUrl: string;
/** The test key of the documented account. */
let testKey: string;

/** Stores the account and the key that the documentation shows, as the product stores them. */
async function makeDocumentedKey(): Promise<string> {
  const { userId, username, keyId, keyName, scopes } = documentedCaller;
  const { key: made, publicId, secretHash, last4 } = createKey('test');
  await test.database.asOwner(
    `with made as (insert into users (id, name, email, username) values ($1, 'Jane', 'jane@example.com', $2) returning id),
     k as (insert into api_keys (id, user_id, name, mode, scopes) select $3, id, $4, 'test', $5 from made returning id, user_id)
     insert into api_key_secrets (public_id, key_id, user_id, secret_hash, last4) select $6, id, user_id, $7, $8 from k`,
    [userId, username, keyId, keyName, scopes, publicId, secretHash, last4],
  );
  return made;
}

beforeAll(async () => {
  ({ test, baseUrl } = await createListeningApp());
  user = await test.signUp();
  key = await makeKey(test, user, {
    scopes: apiScopeNames,
  });
  testKey = await makeDocumentedKey();
  // The documented calls exceed the hourly limit of the free plan.
  await giveCredits(test, user.id, 1200);
  const bought = await test.app.inject({
    method: 'POST',
    url: '/api/account/api-subscription',
    headers: user.bearer,
    payload: { plan: 'BUSINESS' },
  });
  if (bought.statusCode !== 200) throw new Error(bought.body);
});
afterAll(() => test.close());

interface Field {
  name: string;
  type: string;
  is_required: boolean;
}
interface Call {
  page: string;
  method: string;
  path: string;
  access: string;
  costs: number;
  status: number;
  refusals: { status: number; code: string; title: string }[];
  parameters: Field[];
  answer: Field[];
  sandbox_answer: string | null;
  examples: { curl: string; typescript: string; python: string };
}

const get = async <T>(url: string): Promise<T> => {
  const response = await test.app.inject({ url });
  expect(response.statusCode, response.body).toBe(200);
  return response.json<T>();
};
const documented = async (): Promise<Call[]> => (await get<{ calls: Call[] }>('/api/documentation')).calls;
const callOf = async (path: string): Promise<Call> => {
  const call = (await documented()).find((each) => each.path === path);
  if (call === undefined) throw new Error(`${path} is not documented`);
  return call;
};
const namesOf = (fields: readonly Field[]): string[] => fields.map(({ name }) => name);
const moduleOf = (text: string): string => `data:text/javascript,${encodeURIComponent(text)}`;
/** Runs programs one after the other in a separate process. */
const runModules = (modules: readonly string[], apiKey: string) =>
  run(
    process.execPath,
    ['--input-type=module', '-e', `for (const each of ${JSON.stringify(modules)}) await import(each);`],
    {
      env: { ...environment, SEXTANT_API_KEY: apiKey },
    },
  );
const environment = { ...process.env, SEXTANT_API_KEY: '' };

describe('the documented calls', () => {
  it('DOC-020 DOC-021 describe the signal with its body and the fields of its response', async () => {
    const { method, access, parameters, answer } = await callOf('/api/futures-signal');
    expect([method, access]).toEqual(['POST', 'read:signals']);
    expect(namesOf(parameters)).toEqual(
      expect.arrayContaining(['symbol', 'interval', 'limit', 'balance', 'leverage', 'riskTolerance']),
    );
    expect(namesOf(answer)).toEqual(
      expect.arrayContaining([
        ...['symbol', 'interval', 'price', 'direction', 'confidence', 'riskLabel', 'stopLoss', 'takeProfit'],
        ...['position.sizeUsdt', 'position.sizeBase', 'position.leverage', 'meta.rsi', 'meta.macd', 'meta.atr'],
      ]),
    );
  });

  it('DOC-022 DOC-023 DOC-024 DOC-025 name the calls of the screen with their fields', async () => {
    const calls = await documented();
    const names = calls.map(({ method, path }) => `${method} ${path}`);
    for (const name of ['GET /api/historic-signals', 'GET /api/price', 'GET /api/funding', 'GET /api/ensemble'])
      expect(names).toContain(name);
    expect(names).toContain('POST /api/arbitrage-scan');
    const klines = await callOf('/api/klines');
    expect(klines.parameters.find(({ name }) => name === 'limit')?.type).toMatch(/^integer, 1 to 1000/);
    const interval = klines.parameters.find(({ name }) => name === 'interval');
    expect(interval).toMatchObject({ is_required: true });
    for (const each of ['1m', '5m', '1h', '4h', '1d']) expect(interval?.type.split(' | ')).toContain(each);
    const indicators = await callOf('/api/technical-indicators');
    expect(namesOf(indicators.parameters)).toEqual(expect.arrayContaining(['symbol', 'interval', 'limit']));
  });

  it('have examples of prices, backtests, scans and webhooks', async () => {
    const names = (await documented()).map(({ method, path }) => `${method} ${path}`);
    expect(names).toEqual(
      expect.arrayContaining([
        ...['GET /api/price', 'GET /api/price/batch', 'POST /api/backtest', 'POST /api/scan', 'GET /api/scan/last'],
        ...['GET /api/webhooks', 'POST /api/webhooks'],
      ]),
    );
  });

  it('show useful responses: no list is empty, except for credits, which the sandbox does not have', async () => {
    const responses = new Map(
      (await documented()).map(({ path, method, sandbox_answer: response }) => [`${method} ${path}`, response]),
    );
    const of = (name: string) => JSON.parse(responses.get(name) ?? '{}') as Record<string, unknown[]>;
    expect(of('GET /api/account/api-logs')['items']?.length).toBeGreaterThan(3);
    expect(of('GET /api/account/api-usage')['routes']?.length).toBeGreaterThan(2);
    expect(of('GET /api/historic-signals')['signals']).toHaveLength(3);
    expect(of('GET /api/webhooks')['webhooks']).toHaveLength(1);
    const { scan } = of('GET /api/scan/last') as unknown as { scan: { results: { all: { symbol: string }[] } } };
    expect(scan.results.all.map(({ symbol }) => symbol).sort()).toEqual(['BTCUSDT', 'ETHUSDT']);
  });

  it('name the codes of their errors with the messages of the catalogue', async () => {
    for (const { method, path, refusals } of await documented()) {
      const name = `${method} ${path}`;
      for (const { status, code, title } of refusals)
        expect(apiErrors[code as 'internal'], name).toEqual({ status, title });
      expect(new Set(refusals.map(({ code }) => code)).size, name).toBe(refusals.length);
      // Every call can fail for a wrong key, a missing permission or an exceeded hourly limit.
      expect(
        refusals.map(({ code }) => code),
        name,
      ).toEqual(expect.arrayContaining(['not_authenticated', 'forbidden', 'rate_limited']));
    }
    const codesOf = async (path: string) => (await callOf(path)).refusals.map(({ code }) => code);
    expect(await codesOf('/api/futures-signal')).toEqual(expect.arrayContaining(['symbol_unknown', 'too_few_candles']));
    expect(await codesOf('/api/scan')).toEqual(expect.arrayContaining(['insufficient_credits', 'key_cap_reached']));
  });

  it('DOC-027 use one market and account in every example', async () => {
    const { examples } = await callOf('/api/futures-signal');
    for (const text of Object.values(examples)) {
      expect(text).toContain('"symbol"');
      expect(text.replaceAll(/\s/g, '')).toMatch(/"BTCUSDT".*"1h".*"balance":1000.*"leverage":10/);
    }
  });
});

describe('the examples of the stream', { timeout: 180_000 }, () => {
  /** Runs a program until it has printed that the stream is open. */
  async function runUntilReady(command: string, args: readonly string[]): Promise<void> {
    const child = spawn(command, args, { env: { ...environment, SEXTANT_API_KEY: key.key } });
    try {
      let text = '';
      const ended = new Promise<never>((_resolve, reject) => {
        child.once('error', reject);
        child.once('exit', (code) => reject(new Error(`ended with ${String(code)}: ${text}`)));
        child.stderr.on('data', (part: Buffer) => (text += part.toString()));
      });
      const ready = new Promise<void>((resolve) => {
        child.stdout.on('data', (part: Buffer) => {
          text += part.toString();
          if (/ready[^]*resumed/.test(text)) resolve();
        });
      });
      await Promise.race([ready, ended]);
    } finally {
      child.removeAllListeners('exit');
      child.kill();
    }
  }

  it('DOC-010 work when run unchanged, in cURL and TypeScript', async () => {
    const { stream } = await get<{ stream: Call }>('/api/documentation');
    expect(stream).toMatchObject({ method: 'GET', path: '/api/stream', access: 'read:signals' });
    expect(namesOf(stream.parameters)).toEqual(['symbols', 'intervals', 'events', 'last_event_id']);
    await runUntilReady('bash', ['-c', `exec ${stream.examples.curl}`]);
    await runUntilReady(process.execPath, ['--input-type=module', '-e', stream.examples.typescript]);
  });

  it('work when run unchanged in Python, where Python is installed', async (context) => {
    const python = await run('python3', ['--version']).catch(() => undefined);
    if (python === undefined) return context.skip('python3 is not installed');
    const { stream } = await get<{ stream: Call }>('/api/documentation');
    await runUntilReady('python3', ['-u', '-c', stream.examples.python]);
  });
});

/** Makes a TypeScript program print each fetched body on its own line, as JSON text. */
const significant = `const plain = fetch;
globalThis.fetch = async (...given) => {
  const response = await plain(...given);
  process.stderr.write(JSON.stringify(await response.clone().text()) + '\\n');
  return response;
};`;
/** The same for Python. */
const printingPython = `import json, sys
plain = json.load
def load(response):
    text = response.read().decode()
    sys.stderr.write(json.dumps(text) + '\\n')
    return json.loads(text)
json.load = load
`;
const bodiesIn = (stderr: string): string[] =>
  stderr
    .split('\n')
    .filter((line) => line.startsWith('"'))
    .map((line) => JSON.parse(line) as string);

describe('every example', { timeout: 180_000 }, () => {
  it('DOC-010 API-043 DOC-026 in cURL returns the documented response, byte for byte, when run unchanged with a test key', async () => {
    for (const { path, examples, status, sandbox_answer: response } of await documented()) {
      const command = examples.curl.replace(/^curl /, 'curl -sS -w "\\n%{http_code}" ');
      const { stdout } = await run('bash', ['-c', command], { env: { ...environment, SEXTANT_API_KEY: testKey } });
      expect(stdout, path).toBe(`${String(response)}\n${status}`);
    }
    const token = await test.app.inject({ url: '/api/account/whoami', headers: user.bearer });
    expect(token.json()).toMatchObject({ user_id: user.id, key: null });
  });

  it('in TypeScript returns the documented response, byte for byte, when run unchanged', async () => {
    const calls = await documented();
    const files = calls.map(({ examples }) => moduleOf(examples.typescript));
    const { stderr } = await runModules([moduleOf(significant), ...files], testKey);
    expect(bodiesIn(stderr)).toEqual(calls.map(({ sandbox_answer: response }) => response));
  });

  it('in Python returns the documented response, byte for byte, where Python is installed', async (context) => {
    const python = await run('python3', ['--version']).catch(() => undefined);
    if (python === undefined) return context.skip('python3 is not installed');
    const calls = await documented();
    const texts = JSON.stringify(calls.map(({ examples }) => examples.python));
    const program = `${printingPython}for text in plain(open(0)): exec(text, {})`;
    const running = run('python3', ['-c', program], { env: { ...environment, SEXTANT_API_KEY: testKey } });
    running.child.stdin?.end(texts);
    const { stderr } = await running;
    expect(bodiesIn(stderr)).toEqual(calls.map(({ sandbox_answer: response }) => response));
  });

  it('fails loudly with a wrong key', async () => {
    const { examples } = await callOf('/api/account/whoami');
    const wrong = `${key.key.slice(0, -1)}!`;
    await expect(runModules([moduleOf(examples.typescript)], wrong)).rejects.toThrow(
      /not_authenticated: Invalid or missing API key/,
    );
  });
});

interface Collection {
  name: string;
  download_url: string;
  import_url: string;
  collection_data: { examples: { name: string; curl: string }[] };
}
interface PostmanItem {
  name: string;
  event: { listen: string; script: { type: string; exec: string[] } }[];
  request: {
    method: string;
    header: { key: string; value: string }[];
    url: { raw: string; host: string[]; path: string[]; query?: { key: string; value: string }[] };
    body?: { mode: string; raw: string };
  };
}
interface PostmanFile {
  info: { name: string; schema: string };
  auth: { type: string; apikey: { key: string; value: string }[] };
  variable: { key: string; value: string }[];
  item: { name: string; item: PostmanItem[] }[];
}
/** What the importer of Insomnia reads of an export of format 4: its published types, field by field. */
const named = z.strictObject({ name: z.string().min(1), value: z.string() });
const identified = { _id: z.string().min(1), name: z.string().min(1) };
const insomniaFile = z.strictObject({
  _type: z.literal('export'),
  __export_format: z.literal(4),
  __export_source: z.string(),
  resources: z.array(
    z.discriminatedUnion('_type', [
      z.strictObject({
        ...identified,
        _type: z.literal('workspace'),
        parentId: z.null(),
        scope: z.literal('collection'),
      }),
      z.strictObject({
        ...identified,
        _type: z.literal('environment'),
        parentId: z.string(),
        data: z.record(z.string(), z.string()),
      }),
      z.strictObject({ ...identified, _type: z.literal('request_group'), parentId: z.string() }),
      z.strictObject({
        ...identified,
        _type: z.literal('request'),
        parentId: z.string(),
        description: z.string(),
        method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
        url: z.string().startsWith('{{ _.base_url }}/'),
        headers: z.array(named),
        parameters: z.array(named),
        body: z.union([
          z.strictObject({ mimeType: z.literal('application/json'), text: z.string().min(2) }),
          z.strictObject({}),
        ]),
        authentication: z.strictObject({}),
      }),
    ]),
  ),
});

interface InsomniaResource {
  _id: string;
  _type: string;
  parentId: string | null;
  data?: Record<string, string>;
  method?: string;
  url?: string;
  headers?: { name: string; value: string }[];
  parameters?: { name: string; value: string }[];
  body?: { text?: string };
}

const fill = (text: string, values: Record<string, string>): string =>
  text.replaceAll(/\{\{\s*(?:_\.)?(\w+)\s*\}\}/g, (_whole, name: string) => values[name] ?? `unknown ${name}`);

/** Sends a request of the collection as Postman does: url from its parts, variables filled in. */
function sendPostman({ request }: PostmanItem, values: Record<string, string>): Promise<Response> {
  const { method, url, header, body } = request;
  const query = new URLSearchParams((url.query ?? []).map((each) => [each.key, each.value]));
  const parts = `${fill(url.host.join('.'), values)}/${url.path.join('/')}${query.size === 0 ? '' : `?${query}`}`;
  expect(new URL(fill(url.raw, values)).href).toBe(new URL(parts.replaceAll('%2C', ',')).href);
  const headers = {
    'x-api-key': values['api_key'] ?? '',
    ...Object.fromEntries(header.map((each) => [each.key, each.value])),
  };
  return fetch(parts, { method, headers, ...(body === undefined ? {} : { body: body.raw }) });
}

describe('collections', { timeout: 180_000 }, () => {
  it('API-024 DOC-028 DOC-035 are listed with addresses that a client can import', async () => {
    const { collections } = await get<{ collections: Collection[] }>('/api/collections');
    expect(collections.map(({ name }) => name)).toEqual(['postman', 'insomnia', 'curl']);
    for (const { download_url: path, import_url: url, collection_data: data } of collections) {
      expect(url).toBe(`${baseUrl}${path}`);
      const file = await fetch(url);
      expect(file.status).toBe(200);
      expect(file.headers.get('content-disposition')).toMatch(/^attachment; filename="sextant-/);
      expect(data.examples).toHaveLength((await documented()).length);
    }
  });

  it('DOC-008 the one for Postman is format v2.1, and each of its requests succeeds', async () => {
    const file = await get<PostmanFile>('/api/collections/postman.json');
    expect(file.info.schema).toBe('https://schema.getpostman.com/json/collection/v2.1.0/collection.json');
    const values = Object.fromEntries(file.variable.map(({ key: name, value }) => [name, value]));
    expect(values).toEqual({ base_url: baseUrl, api_key: '' });
    values['api_key'] = key.key;
    const auth = Object.fromEntries(file.auth.apikey.map(({ key: name, value }) => [name, fill(value, values)]));
    expect(auth).toEqual({ key: 'x-api-key', value: key.key, in: 'header' });
    const items = file.item.flatMap((folder) => folder.item);
    const calls = await documented();
    expect(items).toHaveLength(calls.length);
    const statuses = new Map(calls.map(({ method, path, status }) => [`${method} ${path}`, status]));
    for (const item of items) {
      const response = await sendPostman(item, values);
      expect(response.status, `${item.name}: ${await response.text()}`).toBe(statuses.get(item.name));
    }
  });

  it('the one for Postman runs with a test key, and each of its assertions passes', async () => {
    const file = await get<PostmanFile>('/api/collections/postman.json');
    const values = { base_url: baseUrl, api_key: testKey };
    const failures: string[] = [];
    let assertionCount = 0;
    for (const item of file.item.flatMap((folder) => folder.item)) {
      const { status } = await sendPostman(item, values);
      // What Postman gives to the scripts of a request, as far as these use it.
      const pm = {
        response: { to: { have: { status: (expected: number) => expect(status).toBe(expected) } } },
        test: (title: string, check: () => void) => {
          assertionCount += 1;
          try {
            check();
          } catch (error) {
            failures.push(`${item.name}, ${title}: ${String(error)}`);
          }
        },
      };
      for (const { listen, script } of item.event) {
        expect([listen, script.type]).toEqual(['test', 'text/javascript']);
        runInNewContext(script.exec.join('\n'), { pm });
      }
    }
    expect(failures).toEqual([]);
    expect(assertionCount).toBe((await documented()).length);
  });

  it('DOC-009 the one for Insomnia is export format 4 without dangling references, and each of its requests succeeds', async () => {
    const file = await get<{ _type: string; __export_format: number; resources: InsomniaResource[] }>(
      '/api/collections/insomnia.json',
    );
    insomniaFile.parse(file);
    const ids = new Set(file.resources.map(({ _id }) => _id));
    expect(ids.size).toBe(file.resources.length);
    for (const { parentId, _type } of file.resources)
      expect(parentId === null ? _type === 'workspace' : ids.has(parentId)).toBe(true);
    const environmentOf = file.resources.find(({ _type }) => _type === 'environment')?.data ?? {};
    const values = { ...environmentOf, api_key: key.key };
    const requests = file.resources.filter(({ _type }) => _type === 'request');
    expect(requests).toHaveLength((await documented()).length);
    for (const { method = '', url = '', headers = [], parameters = [], body } of requests) {
      const query = new URLSearchParams(parameters.map(({ name, value }) => [name, value]));
      const response = await fetch(`${fill(url, values)}${query.size === 0 ? '' : `?${query}`}`, {
        method,
        headers: Object.fromEntries(headers.map(({ name, value }) => [name, fill(value, values)])),
        ...(body?.text === undefined ? {} : { body: body.text }),
      });
      expect([200, 202], `${method} ${url}: ${await response.text()}`).toContain(response.status);
    }
  });
});

it('API-025 DOC-033 error info has every code, the limits of the plans and good practice', async () => {
  const info = await get<{
    error_codes: { code: string; status: number; title: string }[];
    rate_limits: { plan: string; hourly_limit: number }[];
    best_practices: string[];
  }>('/api/errors');
  expect(info.error_codes.map(({ code }) => code)).toEqual(Object.keys(apiErrors));
  expect(info.rate_limits.map(({ plan, hourly_limit: limit }) => [plan, limit])).toEqual([
    ['FREE', 60],
    ['STARTER', 120],
    ['PRO', 600],
    ['BUSINESS', 2400],
  ]);
  expect(info.best_practices.length).toBeGreaterThan(3);
});

it('X65 health, errors, collections, symbols and prices need no key, and reject a wrong one', async () => {
  const paths = ['/api/health', '/api/errors', '/api/collections', '/api/futures-symbols', '/api/price?symbol=BTCUSDT'];
  for (const url of paths) {
    expect((await test.app.inject({ url })).statusCode, url).toBe(200);
    expect((await test.app.inject({ url, headers: { 'x-api-key': 'wrong' } })).statusCode, url).toBe(401);
  }
});
