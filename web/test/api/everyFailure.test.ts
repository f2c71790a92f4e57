import { globSync, readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

const source = join(import.meta.dirname, '../../src');
const files = globSync('**/*.{ts,tsx}', { cwd: source })
  .filter((path) => !path.endsWith('.gen.ts'))
  .map((path) => ({ path, text: readFileSync(join(source, path), 'utf8') }));

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
/** Every call of the API in the sources of the web. */
const calls = [
  ...new Set(
    files.flatMap(({ text }) =>
      [...text.matchAll(/\bapi\.(GET|POST|PUT|PATCH|DELETE)\(\s*'([^']+)'/g)].map(
        ([, method, path]) => `${method} ${path}`,
      ),
    ),
  ),
].sort();

/** What may come back from a server that is ill, or from something that stands before it. */
const responses: Record<string, RequestListener> = {
  '500 with nothing': (_request, response) => response.writeHead(500).end(),
  '500 as text': (_request, response) =>
    response.writeHead(500, { 'content-type': 'text/plain' }).end('Internal Server Error'),
  '502 as a page': (_request, response) =>
    response.writeHead(502, { 'content-type': 'text/html' }).end('<html><h1>502 Bad Gateway</h1><hr>nginx</html>'),
  '503 as JSON of a proxy': (_request, response) =>
    response
      .writeHead(503, { 'content-type': 'application/json' })
      .end('{"message":"no healthy upstream","code":"UH","detail":"Error: at Socket.connect"}'),
  '503 as broken JSON': (_request, response) =>
    response.writeHead(503, { 'content-type': 'application/problem+json' }).end('{"code":"internal","message":'),
  'a lost connection': (request) => request.socket.destroy(),
};

let current: RequestListener = responses['500 with nothing']!;
const server = createServer((request, response) => current(request, response));
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  vi.stubGlobal('window', { location: { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` } });
});
afterAll(() => {
  vi.unstubAllGlobals();
  server.close();
});

const OURS = ['These are the words of the screen', 'No response from the server. Check your connection and retry.'];

describe('X76 what a screen shows of a failure', () => {
  it('is checked for every call there is', () => {
    expect(calls.length).toBeGreaterThan(50);
    expect(calls).toContain('DELETE /api/watchlist/{symbol}');
  });

  it.each(Object.entries(responses))('is one of our texts, for %s', async (_name, respond) => {
    current = respond;
    const { api, dataOf } = await import('../../src/api/client.ts');
    const { messageOf } = await import('../../src/api/failure.ts');
    const call = api as unknown as Record<Method, (path: string, init: object) => Parameters<typeof dataOf>[0]>;
    const params = { path: { symbol: 'x', id: 'x', username: 'x' }, query: {} };
    for (const each of calls) {
      const [method, path] = each.split(' ') as [Method, string];
      const failure: unknown = await dataOf(call[method](path, { params, body: {} })).catch(
        (thrown: unknown) => thrown,
      );
      expect(OURS, each).toContain(messageOf(failure, OURS[0]!));
    }
  });

  it('is never the message of any thrown value: messageOf decides', () => {
    const raw = /String\((failure|fault|thrown|error)\)|\b(failure|error|thrown)\.message\b|\.statusText\b|HTTP \$\{/;
    // What the engine returns is written for the screen: WordedError carries it. failure.ts owns the rule; the boundary writes to the
    // console and checks the kind of fault.
    const owners = new Set(['api/failure.ts', 'ui/ErrorBoundary.tsx']);
    const matches = files
      .filter(({ path }) => !owners.has(path))
      .flatMap(({ path, text }) =>
        text
          .split('\n')
          .flatMap((line, at) =>
            raw.test(line) && !line.includes('new WordedError(') ? [`${path}:${at + 1} ${line.trim()}`] : [],
          ),
      );
    expect(matches).toEqual([]);
  });
});
