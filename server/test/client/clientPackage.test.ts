import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { apiScopeNames } from '@sextant/workers/src/core/apiAccess.ts';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packClient } from '../../client/pack.ts';
import { createListeningApp, makeKey } from '../features/apiKeys/support.ts';
import type { MarketApp } from '../support/createMarketApp.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../../..');
const PACKED_BYTES_MAX = 50_000;

let test: MarketApp;
let baseUrl: string;
let testKey: string;
let liveKey: string;
/** An empty folder in which the packed file is the only package. */
let folder: string;
let packed: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sextant-client-'));
  packed = await packClient(folder);
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module', private: true }));
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', packed], { cwd: folder });
  ({ test, baseUrl } = await createListeningApp());
  const user = await test.signUp();
  testKey = (await makeKey(test, user, { mode: 'test', scopes: apiScopeNames })).key;
  liveKey = (await makeKey(test, user, { scopes: ['read:signals', 'read:market'] })).key;
});
afterAll(async () => {
  test.app.server.closeAllConnections();
  await test.close();
  await rm(folder, { recursive: true, force: true });
});

/** Type errors of a program in that folder, whose only types are those of the package and of a browser. */
async function typeErrors(name: string): Promise<string> {
  const compiler = join(root, 'node_modules/typescript7/bin/tsc');
  const strict = ['--strict', '--exactOptionalPropertyTypes', '--noEmit', '--module', 'nodenext', '--target', 'es2024'];
  const checked = await run(process.execPath, [compiler, ...strict, '--types', '', name], { cwd: folder }).catch(
    (failure: unknown) => failure as { stdout: string },
  );
  return checked.stdout;
}

const declared = 'declare const process: { env: Record<string, string | undefined> };\n';

describe('@sextant/client in an empty folder', () => {
  it('PKG-040 is one file below 50 KB, without other packages', async () => {
    expect((await stat(packed)).size).toBeLessThan(PACKED_BYTES_MAX);
    const manifest = await readFile(join(folder, 'node_modules/@sextant/client/package.json'), 'utf8');
    expect(JSON.parse(manifest)).not.toHaveProperty('dependencies');
    expect(await readFile(join(folder, 'package-lock.json'), 'utf8')).not.toContain('registry.npmjs.org');
  });

  it('PKG-041 runs every example of its README against the sandbox, and its types allow them', async () => {
    const text = await readFile(join(root, 'server/client/README.md'), 'utf8');
    const examples = [...text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code);
    expect(examples).toHaveLength(6);
    const program = examples.join('\n');
    await writeFile(join(folder, 'typed.ts'), declared + program);
    expect(await typeErrors('typed.ts')).toBe('');
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const body = JSON.stringify({ type: 'credits.low', sequence: 4, data: { credits: 2 } });
    const signature = new Webhook(secret).sign('msg_1', new Date(), body);
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
      'webhook-signature': signature,
    };
    const delivered = `const sent = new Request('http://localhost/', ${JSON.stringify({ method: 'POST', headers, body })});
      console.log('delivered', (await onWebhook(sent)).status);`;
    await writeFile(join(folder, 'readme.ts'), `${program}\n${delivered}`);
    const { stdout } = await run(process.execPath, ['readme.ts'], {
      cwd: folder,
      env: {
        SEXTANT_URL: baseUrl,
        SEXTANT_API_KEY: testKey,
        SEXTANT_LIVE_KEY: liveKey,
        WEBHOOK_SECRET: secret,
      },
    });
    const sandbox = await test.app.inject({ url: '/api/price?symbol=BTCUSDT', headers: { 'x-api-key': testKey } });
    const { price } = sandbox.json<{ price: number }>();
    const lines = stdout.trim().split('\n');
    expect(lines).toEqual([
      expect.stringMatching(new RegExp(`^price ${String(price)} (LONG|SHORT|NEUTRAL) `)) as string,
      expect.stringMatching(/^sandbox true \d+$/) as string,
      'error symbol_unknown 404 true',
      expect.stringMatching(/^calls left \d+$/) as string,
      'stream BTCUSDT',
      'webhook credits.low 4',
      'delivered 204',
    ]);
  }, 120_000);

  it('PKG-042 has types that reject unknown paths, wrong options and missing ones', async () => {
    await writeFile(
      join(folder, 'wrong.ts'),
      `${declared}import { createClient, type CallResult } from '@sextant/client';
const client = createClient({ baseUrl: 'http://localhost', key: process.env['KEY'] });
// @ts-expect-error no such path
await client.get('/api/prices');
// @ts-expect-error a query that is missing
await client.get('/api/price');
// @ts-expect-error a name that does not exist
await client.get('/api/klines', { query: { symbol: 'BTCUSDT', interval: '1h', limt: 5 } });
// @ts-expect-error an interval that does not exist
await client.get('/api/klines', { query: { symbol: 'BTCUSDT', interval: '7h' } });
// @ts-expect-error a call for sessions only
await client.post('/api/account/api-keys', { body: {} });
// @ts-expect-error a part of the path that is missing
await client.delete('/api/webhooks/{id}');
await client.delete('/api/webhooks/{id}', { path: { id: 'x' } });
const symbols: CallResult<'/api/futures-symbols', 'get'> = await client.get('/api/futures-symbols');
const first: string | undefined = symbols.symbols[0]?.symbol;
const bytes: Uint8Array = await client.get('/api/backtest/searches/{id}/trials', { path: { id: 'x' } });
const scan: { scan_id: string } = await client.post('/api/scan', { body: { symbols: ['BTCUSDT'], intervals: ['1h'] } });
console.log(first, bytes, scan);
`,
    );
    expect(await typeErrors('wrong.ts')).toBe('');
  }, 60_000);
});
