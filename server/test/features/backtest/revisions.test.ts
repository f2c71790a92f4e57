import { HOUR_MS } from '@sextant/engine-as/abi/intervals.ts';
import { candlesOf } from '@sextant/workers/src/candles/candleColumns.ts';
import { loadModule } from '@sextant/workers/src/node/loadModule.ts';
import type { Proof } from '@sextant/workers/src/proof/contract.ts';
import { verifyProof } from '@sextant/workers/src/proof/verifyProof.ts';
import { startEngine } from '@sextant/workers/src/tasks/index.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createMarketApp, type MarketApp } from '../../support/createMarketApp.ts';
import type { TestUser } from '../../support/createTestApp.ts';

/** A run on candles of which the exchange sent one with another close later. */
let test: MarketApp;
let anna: TestUser;
const endTime = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 24 * HOUR_MS;
const atMs = endTime - 50 * HOUR_MS;
const body = { symbol: 'SOLUSDT', interval: '1h', limit: 600, endTime };

beforeAll(async () => {
  test = await createMarketApp();
  anna = await test.signUp();
});
afterAll(() => test.close());

const send = (url: string, payload: object) => test.app.inject({ method: 'POST', url, headers: anna.bearer, payload });
const runRevisions = async (more: object = {}) =>
  (await send('/api/backtest', { ...body, ...more })).json<{ revisions: object[] }>().revisions;
async function proofOf(): Promise<{ proof: Proof; bytes: Buffer }> {
  const response = await send('/api/backtest/proof', body);
  expect(response.statusCode, response.body).toBe(200);
  return { proof: response.json<Proof>(), bytes: response.rawPayload };
}

it('HIST-077 names a candle that the exchange revised later, in both versions, in a run and in its proof', async () => {
  expect(await runRevisions()).toEqual([]);
  expect((await proofOf()).proof.market).not.toHaveProperty('revisions');
  await test.deps.candleStore.flush();
  const series = { exchange: 'binance', symbol: 'SOLUSDT', interval: '1h' } as const;
  const stored = await test.deps.candleStore.readRange(series, { fromMs: atMs, toMs: atMs });
  if (!stored.ok) throw new Error(stored.error.message);
  const { candles } = stored.value;
  const later = candlesOf((name) => (name === 'high' ? candles.high.map((high) => high * 1.01) : candles[name]));
  await test.deps.candleStore.write(series, { fromMs: atMs, toMs: atMs, candles: later });

  const versionOf = (columns: typeof candles) => ({
    open: columns.open[0],
    high: columns.high[0],
    low: columns.low[0],
    close: columns.close[0],
    volume: columns.volume[0],
  });
  const revision = {
    interval: '1h',
    price: 'last',
    at: new Date(atMs).toISOString(),
    first: versionOf(candles),
    revised: versionOf(later),
  };
  expect(await runRevisions()).toMatchObject([revision]);
  // Of a window that ends before it, none.
  expect(await runRevisions({ endTime: atMs - HOUR_MS })).toEqual([]);
  const { proof, bytes } = await proofOf();
  expect(proof.market.revisions).toMatchObject([revision]);
  const report = await verifyProof(new Uint8Array(bytes), { engine: startEngine(await loadModule()) });
  expect(report.isValid, report.line).toBe(true);
  expect(report.checks.find(({ name }) => name === 'candles')?.words).toContain(
    `Revised by the exchange: ${revision.at}.`,
  );
});
