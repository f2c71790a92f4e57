import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { type Browser, chromium } from '@playwright/test';
import { build } from 'vite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { chromiumLaunch } from '../../../browser.ts';
import { packEngine } from '../../package/pack.ts';
import { verifierPage } from '../../package/verifier/build.ts';
import { candleFields } from '../../src/candles/candleColumns.ts';
import type { BacktestResult } from '../../src/protocol/backtest.ts';
import { backtestFromWire, BacktestRequestWire, rulesFromWire } from '../../src/protocol/wire/backtest.ts';
import { runTask, startEngine } from '../../src/tasks/index.ts';
import { engineTimeoutMs, testEngine } from '../support/engine.ts';
import { randomBacktest } from '../support/randomRuns.ts';

/** A project of Vite in an empty folder, with the packed file as its only package, opened in Chromium. */

const { candles } = randomBacktest(11, 3);
const request = {
  candles: Object.fromEntries(candleFields.map((name) => [name, Array.from(candles[name])])),
  rules: 'long when rsi(5) < 45\nexit long when rsi(5) > 55\nstop 3 %',
  interval: '1h',
};
const run = `
  import { createEngine } from '@sextant/engine';
  export async function run() {
    const engine = await createEngine({ threads: 2 });
    const request = ${JSON.stringify(request)};
    const { hashes } = await engine.backtest(request);
    const search = { candles: request.candles, optimize: { samples: 1200, seed: 5, trainOn: 'scored' } };
    const { trials } = await engine.optimize(search);
    await engine.close();
    return { hashes, sum: trials.value.length };
  }`;
const page = `
  import { run } from './run.js';
  const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
  const inWorker = new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = ({ message }) => reject(new Error(message));
  });
  window.outcome = Promise.all([run(), inWorker]);`;
const worker = `import { run } from './run.js'; run().then((value) => postMessage(value));`;

let folder: string;
let server: Server;
let browser: Browser;
beforeAll(async () => {
  await testEngine();
  folder = await mkdtemp(join(tmpdir(), 'sextant-vite-'));
  const packed = await packEngine(folder);
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module', private: true }));
  await promisify(execFile)('npm', ['install', '--offline', '--no-audit', '--no-fund', packed], { cwd: folder });
  await mkdir(join(folder, 'src'));
  await Promise.all([
    writeFile(join(folder, 'index.html'), '<!doctype html><script type="module" src="/src/page.js"></script>'),
    ...Object.entries({ run, page, worker }).map(([name, text]) => writeFile(join(folder, `src/${name}.js`), text)),
  ]);
  await build({ root: folder, configFile: false, logLevel: 'error', worker: { format: 'es' } });
  server = createServer((sent, response) => void respond(sent.url ?? '/', response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { executablePath, args, ignoreDefaultArgs } = await chromiumLaunch();
  browser = await chromium.launch({ executablePath, args, ignoreDefaultArgs });
}, 4 * engineTimeoutMs);
afterAll(async () => {
  await browser.close();
  server.close();
  await rm(folder, { recursive: true, force: true });
});

const types: Record<string, string> = { '.js': 'text/javascript', '.html': 'text/html', '.wasm': 'application/wasm' };

async function respond(url: string, response: ServerResponse): Promise<void> {
  const path = url === '/' ? '/index.html' : url;
  try {
    const bytes = await readFile(join(folder, 'dist', path));
    response.setHeader('content-type', types[extname(path)] ?? 'application/octet-stream').end(bytes);
  } catch {
    response.writeHead(404).end();
  }
}

it('PKG-021 runs in a page that Vite built, and in a worker of it, to the bits of Node', async () => {
  const engine = startEngine(await testEngine());
  const wire = BacktestRequestWire.parse(request);
  const { params: _params, ...market } = backtestFromWire(wire);
  const own = runTask(engine, { name: 'backtestStrategy', input: { ...market, ...rulesFromWire(wire)! } });
  if (!own.ok) throw new Error(own.error.message);
  const tab = await browser.newPage();
  const errors: string[] = [];
  tab.on('pageerror', ({ message }) => errors.push(message));
  await tab.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const outcome = await tab.evaluate('window.outcome');
  const expected = { hashes: (own.value as BacktestResult).hashes, sum: 1200 };
  expect(outcome).toEqual([expected, expected]);
  expect(errors).toEqual([]);
}, 120_000);

it('PKG-019 the verifier is one text below a megabyte that names no other file and loads nothing', async () => {
  const text = await verifierPage();
  expect(Buffer.byteLength(text)).toBeLessThan(1_000_000);
  expect(text).not.toMatch(/<(?:script|link|img)[^>]+(?:src|href)=/);
  expect(text).toContain(`default-src 'none'`);
  expect(text).not.toMatch(/\/\* (engine|script) \*\//);
  const tab = await browser.newPage();
  const requested: string[] = [];
  tab.on('request', (sent) => requested.push(sent.url()));
  const errors: string[] = [];
  tab.on('pageerror', ({ message }) => errors.push(message));
  await writeFile(join(folder, 'verifier.html'), text);
  await tab.goto(`file://${join(folder, 'verifier.html')}`);
  await tab.getByLabel('Drop a proof file here').setInputFiles({
    name: 'no.json',
    mimeType: 'application/json',
    buffer: Buffer.from('{}'),
  });
  await expect.poll(() => tab.getByRole('status').textContent()).toBe('Not verified. Differs: file.');
  expect(requested.filter((url) => !url.startsWith('file:'))).toEqual([]);
  expect(errors).toEqual([]);
}, 120_000);
