import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { apiScopeNames } from '@sextant/workers/src/core/apiAccess.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createListeningApp, makeKey } from '../features/apiKeys/support.ts';
import type { MarketApp } from '../support/createMarketApp.ts';

let test: MarketApp;
let baseUrl: string;
let key: string;
beforeAll(async () => {
  ({ test, baseUrl } = await createListeningApp());
  key = (await makeKey(test, await test.signUp(), { mode: 'test', scopes: apiScopeNames })).key;
});
afterAll(async () => {
  test.app.server.closeAllConnections();
  await test.close();
});

describe('/AGENTS.md', () => {
  it('PKG-059 names this installation, and each of its examples runs against the sandbox', async () => {
    const response = await fetch(`${baseUrl}/AGENTS.md`);
    expect(response.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    const text = await response.text();
    expect(text).toContain(`Base address: \`${baseUrl}\``);
    expect(text).not.toContain('sextant.example');
    const examples = [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code);
    const outputs: Record<string, unknown>[] = [];
    for (const example of examples) {
      const env = { ...process.env, SEXTANT_URL: baseUrl, SEXTANT_API_KEY: key };
      const { stdout } = await promisify(execFile)('sh', ['-c', example], { env, maxBuffer: 1 << 26 });
      outputs.push(JSON.parse(stdout) as Record<string, unknown>);
    }
    const level = expect.stringMatching(/^(luck|unclear|holds up|not enough data)$/) as string;
    expect(outputs).toEqual([
      expect.objectContaining({ mode: 'test' }),
      expect.objectContaining({ ok: true, setCount: 7 }),
      expect.objectContaining({
        honesty: expect.objectContaining({ level }) as object,
        hashes: expect.any(Object) as object,
      }),
      expect.objectContaining({ trialCount: 200, earlierTrials: 0, candles: 300 }),
      expect.objectContaining({
        best: expect.any(Object) as object,
        honesty: expect.objectContaining({ level }) as object,
      }),
      expect.objectContaining({ status: 400, field: 'limt', message: 'limt: is not known here; did you mean limit?' }),
    ]);
  }, 300_000);

  it('PKG-059 is named by the file that language models read, with every other address of it', async () => {
    // Built into /llms.txt, which the browser tests read from the pages.
    const pages = await readFile(new URL('../../../web/prerender/pages.ts', import.meta.url), 'utf8');
    expect(pages).toContain('${ORIGIN}/AGENTS.md');
    const agents = await (await fetch(`${baseUrl}/AGENTS.md`)).text();
    for (const path of ['/api/openapi.json', '/api/documentation', '/api/errors', '/api/support/articles?q=rsi'])
      expect((await fetch(`${baseUrl}${path}`)).status, path).toBe(200);
    for (const path of ['/api/openapi.json', '/api/documentation', '/api/errors', '/llms.txt', '/mcp'])
      expect(agents).toContain(path);
  }, 60_000);
});
