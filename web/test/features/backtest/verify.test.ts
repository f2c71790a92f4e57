import { createServer } from 'node:http';
import { liveRules } from '@sextant/engine-as/abi/strategy.ts';
import { afterAll, expect, it, vi } from 'vitest';
import { runOf, summaryOf } from '../../support/runs.ts';
import { openPageOf } from '../../support/servedPage.ts';

const figures = { pnl: 1, winRate: null, trades: 0, maxDrawdown: 0, bestParams: {}, fineDataProblem: null };
const first = { open: 1, high: 2, low: 1, close: 1.5, volume: 9 };
const revision = {
  interval: '1h' as const,
  price: 'last' as const,
  at: '2026-01-01T00:00:00.000Z',
  noticed_at: '2026-01-02T00:00:00.000Z',
  first,
  revised: { ...first, high: 3, volume: 8 },
};
const others = { engine: 'e', data: 'd', params: 'p', result: 'r' };
const server = createServer((_, response) => {
  response
    .setHeader('content-type', 'application/json')
    .end(JSON.stringify({ ...figures, hashes: others, revisions: [revision] }));
});
await openPageOf(server);
afterAll(() => {
  vi.unstubAllGlobals();
  server.close();
});
const { runBodyOf, verifyOnServer } = await import('../../../src/features/backtest/verify.ts');
const { revisionText } = await import('../../../src/features/backtest/results/revisionText.ts');

const strategy = liveRules(['1h', '4h']);
const plain = runOf({});
const run = { ...plain, strategy, context: [plain.loaded.candles] };
const pathsOf = (value: object): string[] => Object.keys(value).sort();

it('a run of rules names its candles and holds its strategy; those of longer intervals are loaded by the server', () => {
  const body = runBodyOf(run);
  expect(body).toMatchObject({ symbol: 'BTCUSDT', limit: 1200, endTime: Date.UTC(2026, 0, 1), strategy, params: {} });
  expect(body).not.toHaveProperty('candles');
  expect(body).not.toHaveProperty('context');
  expect(runBodyOf(plain)).toMatchObject({ params: { entryThreshold: 0.08 } });
  expect(runBodyOf(plain)).not.toHaveProperty('strategy');
});

it('rules on more candles than the server loads send them, with those of the longer intervals', () => {
  const long = { ...plain.loaded.candles, time: Float64Array.from({ length: 10_001 }, (_, i) => i * 3_600_000) };
  const body = runBodyOf({ ...run, loaded: { ...run.loaded, candles: long } });
  expect(body.candles?.time).toHaveLength(10_001);
  const [longer] = body.context ?? [];
  expect(pathsOf(longer ?? {})).toEqual(['close', 'high', 'low', 'open', 'time', 'volume']);
  expect(longer?.time).toEqual([...plain.loaded.candles.time]);
  expect(body).not.toHaveProperty('symbol');
});

it('HIST-077 the candles that the exchange revised are named with what changed, first and later version', async () => {
  expect((await verifyOnServer(plain)).revisions).toEqual([revision]);
  expect(revisionText(revision)).toBe('high 2, later 3; volume 9, later 8');
  expect(revisionText({ ...revision, first: null })).toBe('close 1.5; the first version is lost');
});

it('a browser that had not all fundings says so instead of blaming the result', async () => {
  const without = runOf({ summary: summaryOf({ isFundingKnown: false }) });
  expect(await verifyOnServer(without)).toMatchObject({
    isEqual: false,
    problem: 'This browser lacked some funding data.',
  });
  expect((await verifyOnServer(plain)).problem).toBeNull();
});
