import { createServer, type Server } from 'node:http';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { expect, test } from '@playwright/test';
import { loadModule } from '@sextant/workers/src/node/loadModule.ts';
import type { BacktestHashes } from '@sextant/workers/src/protocol/backtest.ts';
import type { SizeResult } from '@sextant/workers/src/protocol/positions.ts';
import { runTask, startEngine } from '@sextant/workers/src/tasks/index.ts';
import { build } from 'vite';
import { randomBacktest, randomWhatIf } from '../../workers/test/support/randomRuns.ts';
import { randomStrategyInput, STRATEGY_SEED } from '../../workers/test/support/randomStrategies.ts';

const SEED = 4711;
const CASES = 1000;
/** `npm run test:statistics` runs all of them. */
const STRATEGIES = Number(process.env.STRATEGY_RUNS ?? 16);
const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm' };

let folder: string;
let server: Server;

/** The harness is built into a separate folder: shipped code has no test hooks. */
test.beforeAll(async () => {
  test.setTimeout(180_000);
  folder = await mkdtemp(join(import.meta.dirname, '../../test-results-harness-'));
  await build({
    root: join(import.meta.dirname, 'harness'),
    configFile: false,
    logLevel: 'error',
    worker: { format: 'es' },
    build: { outDir: folder, emptyOutDir: true, target: 'es2024', assetsInlineLimit: 0 },
  });
  server = createServer((request, response) => {
    const path = normalize(join(folder, request.url === '/' ? 'index.html' : (request.url ?? '')));
    readFile(path).then(
      (content) => response.setHeader('content-type', types[extname(path)] ?? 'application/octet-stream').end(content),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

test.afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true, force: true });
});

test(`browser and Node give the same bits for ${CASES} random parameter sets (seed ${SEED})`, async ({ page }) => {
  test.setTimeout(240_000);
  const engine = startEngine(await loadModule());
  const inNode = Array.from({ length: CASES }, (_, index) => {
    const outcome = runTask(engine, { name: 'backtest', input: randomBacktest(SEED, index) });
    return outcome.ok ? (outcome.value as { hashes: BacktestHashes }).hashes : outcome.error.code;
  });
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  await page.waitForFunction(() => 'runCases' in window);
  const inBrowser = await page.evaluate(([seed, count]) => window.runCases(seed, count), [SEED, CASES] as const);

  const differing = inNode.flatMap((hashes, index) =>
    JSON.stringify(hashes) === JSON.stringify(inBrowser[index]) ? [] : [index],
  );
  expect(differing).toEqual([]);
  const finished = inNode.filter((hashes) => typeof hashes !== 'string');
  // Comparing only rejected runs would prove nothing.
  expect(finished.length).toBeGreaterThan(CASES * 0.8);
  expect(new Set(finished.map((hashes) => hashes.result)).size).toBeGreaterThan(CASES * 0.75);
});

test(`and where the browser has no SHA-256 of its own, as on http (seed ${SEED})`, async ({ page }) => {
  const count = 30;
  const engine = startEngine(await loadModule());
  const inNode = Array.from({ length: count }, (_, index) => {
    const outcome = runTask(engine, { name: 'backtest', input: randomBacktest(SEED, index) });
    return outcome.ok ? (outcome.value as { hashes: BacktestHashes }).hashes : outcome.error.code;
  });
  const { port } = server.address() as AddressInfo;
  await page.context().route('http://plain.test/**', async (route) => {
    const response = await route.fetch({ url: route.request().url().replace('plain.test', `127.0.0.1:${port}`) });
    await route.fulfill({ response });
  });
  await page.goto('http://plain.test/');
  await page.waitForFunction(() => 'runCases' in window);
  expect(await page.evaluate(() => [isSecureContext, 'subtle' in crypto])).toEqual([false, false]);
  expect(await page.evaluate(([seed, cases]) => window.runCases(seed, cases), [SEED, count] as const)).toEqual(inNode);
});

test(`X70 browser and Node size ${CASES} what-ifs by their risk and replay them to the same bits (seed ${SEED})`, async ({
  page,
}) => {
  const engine = startEngine(await loadModule());
  let sizedCount = 0;
  const inNode = Array.from({ length: CASES }, (_, index) => {
    const { sizing, replay } = randomWhatIf(SEED, index);
    const sized = runTask(engine, { name: 'size', input: sizing });
    if (!sized.ok) return sized.error.code;
    const value = sized.value as SizeResult;
    if (value.size.refusal === null) sizedCount++;
    return JSON.stringify([value, runTask(engine, { name: 'replay', input: { ...replay, position: value.position } })]);
  });
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  await page.waitForFunction(() => 'runWhatIfs' in window);
  const inBrowser = await page.evaluate(([seed, count]) => window.runWhatIfs(seed, count), [SEED, CASES] as const);
  expect(inNode.flatMap((text, index) => (text === inBrowser[index] ? [] : [index]))).toEqual([]);
  // Comparing only rejections or identical outcomes would prove nothing.
  expect(sizedCount).toBeGreaterThan(CASES * 0.6);
  expect(new Set(inNode).size).toBeGreaterThan(CASES * 0.9);
});

test(`browser and Node give the same bits for ${STRATEGIES} random strategies of rules (seed ${STRATEGY_SEED})`, async ({
  page,
}) => {
  const engine = startEngine(await loadModule());
  const inNode = Array.from({ length: STRATEGIES }, (_, index) => {
    const input = randomStrategyInput(STRATEGY_SEED, index);
    const outcome = runTask(engine, { name: 'backtestStrategy', input });
    return outcome.ok ? (outcome.value as { hashes: BacktestHashes }).hashes : outcome.error.code;
  });
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  await page.waitForFunction(() => 'runStrategies' in window);
  const inBrowser = await page.evaluate(([seed, count]) => window.runStrategies(seed, count), [
    STRATEGY_SEED,
    STRATEGIES,
  ] as const);
  const differing = inNode.flatMap((hashes, index) =>
    JSON.stringify(hashes) === JSON.stringify(inBrowser[index]) ? [] : [index],
  );
  expect(differing).toEqual([]);
  const finished = inNode.filter((hashes) => typeof hashes !== 'string');
  expect(finished.length).toBeGreaterThan(STRATEGIES * 0.8);
  expect(new Set(finished.map(({ result }) => result)).size).toBeGreaterThan(STRATEGIES * 0.75);
});
