import { setTimeout as delay } from 'node:timers/promises';
import { loadModule } from '@sextant/workers/src/node/loadModule.ts';
import { startEngine, type TaskEngine } from '@sextant/workers/src/tasks/index.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ExchangesFake, startExchanges } from '../../../../fakes/exchanges/server.ts';
import { createTestApp, type TestApp, type TestUser } from '../../../support/createTestApp.ts';
import { daysAgoMs } from '../../../support/hours.ts';
import { createKillableNode, type KillableNode } from '../../../support/killableNode.ts';
import {
  bodyOf,
  directly,
  expectSame,
  loadInput,
  params,
  post,
  rulesBody,
  rulesDirectly,
  type Search,
  searchWithAllMinutes,
  strategy,
} from './searchHarness.ts';

/** KILLS=30 for the long run. */
const killCount = Number(process.env['KILLS'] ?? 1);
/**
 * Takes some seconds of one thread: six chunks or more, refinement and walk-forward. Every second search is over rules; two of four are on
 * the candles of a symbol and have minutes.
 */
const isOfRules = (seed: number): boolean => seed % 2 === 1;
const hasMinutes = (seed: number): boolean => seed % 4 < 2;
/** Levels, in average true ranges and in percent, so near that many hours hold both. */
const near = {
  space: { slPct: { min: 0.003, max: 0.02 }, tpPct: { min: 0.003, max: 0.02 } },
  rulesSpace: { weight: { min: -1, max: 2 }, stop: { min: 0.5, max: 1.5 }, target: { min: 0.5, max: 2 } },
};
const optimizeOf = (seed: number) =>
  isOfRules(seed)
    ? { samples: 3000, seed, guide: true, rulesSpace: { weight: { min: -1, max: 2 } }, walkForward: { folds: 2 } }
    : { samples: 30_000, seed, walkForward: { folds: 2 } };
const endTime = daysAgoMs(30);
const namedBody = (seed: number) => ({
  symbol: 'ETHUSDT',
  interval: '1h',
  limit: 400,
  scored: 150,
  endTime,
  ...(isOfRules(seed)
    ? { strategy, optimize: { ...optimizeOf(seed), rulesSpace: near.rulesSpace } }
    : { params, optimize: { ...optimizeOf(seed), space: near.space } }),
});
const ownBody = (seed: number) => (isOfRules(seed) ? rulesBody : bodyOf)(optimizeOf(seed));
const orderOf = (user: TestUser, seed: number) => post(test, user, hasMinutes(seed) ? namedBody(seed) : ownBody(seed));
const inOnePiece = async (seed: number) =>
  hasMinutes(seed)
    ? searchWithAllMinutes(direct, await loadInput(test, namedBody(seed)))
    : (isOfRules(seed) ? rulesDirectly : directly)(direct, optimizeOf(seed));

let test: TestApp;
let worker: KillableNode;
let exchanges: ExchangesFake;
let direct: TaskEngine;
beforeAll(async () => {
  exchanges = await startExchanges();
  test = await createTestApp({ env: { EXCHANGES_URL: exchanges.url } });
  const env = { DATABASE_URL: test.database.serverUrl, EXCHANGES_URL: exchanges.url, ROLE: 'worker' };
  worker = await createKillableNode(env);
  direct = startEngine(await loadModule());
});
afterAll(async () => {
  await worker.close();
  await exchanges.close();
  await test.close();
});

/** Orders per user; the limit is thirty an hour. */
const ORDERS_EACH = 20;

interface Order {
  user: TestUser;
  id: string;
}

const open = (searches: readonly Search[]): Search[] =>
  searches.filter(({ status }) => status === 'queued' || status === 'running');
const count = async (text: string): Promise<number> =>
  (await test.database.asOwner<{ count: number }>(`select count(*)::int as count from ${text}`))[0]?.count ?? -1;

/** The searches of this test that still exist: of the ended ones the server stores only the newest. */
async function all(orders: readonly Order[]): Promise<Search[]> {
  const matches = await Promise.all(orders.map(readOrGone));
  return matches.filter((search) => search !== undefined);
}

/** Undefined only for 404: other errors of a busy machine are retried. */
async function readOrGone({ user, id }: Order): Promise<Search | undefined> {
  for (;;) {
    const response = await test.app.inject({ url: `/api/backtest/searches/${id}`, headers: user.bearer });
    if (response.statusCode === 404) return undefined;
    if (response.statusCode === 200) return response.json<{ search: Search }>().search;
    // 503, or 500 where a statement hit its timeout of ten seconds.
    expect(response.statusCode, response.body).toBeGreaterThanOrEqual(500);
    await delay(200);
  }
}

it(
  `a worker killed at any instant delays a search and changes no bit of it (${killCount} kills)`,
  async () => {
    const orders: Order[] = [];
    let user = await test.signUp();
    const rejections: string[] = [];
    const orderNext = async () => {
      if ((orders.length + rejections.length) % ORDERS_EACH === ORDERS_EACH - 1) user = await test.signUp();
      const response = await orderOf(user, orders.length);
      if (response.statusCode === 202) orders.push({ user, id: response.json<{ search: Search }>().search.search_id });
      // A busy machine may reject an order and leaves nothing behind: the order is sent again.
      else expect(response.statusCode, response.body).toBe(503);
      if (response.statusCode !== 503) return;
      rejections.push(response.json<{ code: string }>().code);
      await delay(1000);
    };
    await worker.start();
    for (let round = 0; round < killCount; round++) {
      // One search is running and one is queued, so that a kill always hits one.
      while (open(await all(orders)).length < 2) await orderNext();
      await delay(Math.random() * 2500);
      await worker.kill();
      // The test killed the process: without this, repeated deaths would set the job aside.
      await test.database.asOwner('delete from job_runs');
      await worker.start();
    }
    expect(await count('backtest_searches')).toBeLessThanOrEqual(orders.length);
    await expect.poll(async () => open(await all(orders)).length, { timeout: 120_000, interval: 500 }).toBe(0);
    const retained = await all(orders.slice(-5));
    for (const [i, search] of retained.entries()) {
      expect(search).toMatchObject({ status: 'done', done: search.samples, failure: null });
      const seed = orders.length - retained.length + i;
      expectSame(search.result!, await inOnePiece(seed));
      const { minutes } = search.result as { minutes?: { candles: number; beyond: number; problem: string | null } };
      expect(minutes === undefined).toBe(!hasMinutes(seed));
      if (minutes === undefined) continue;
      expect(minutes).toMatchObject({ beyond: 0, problem: null });
      expect(minutes.candles).toBeGreaterThan(10);
    }
    expect(await count(`backtest_searches where status <> 'done' or done_count <> sample_count`)).toBe(0);
    expect([await count('backtest_search_inputs'), await count('backtest_search_chunks')]).toEqual([0, 0]);
    await expect
      .poll(
        () =>
          count(
            `jobs.job where name in ('search', 'search_minutes') and state in ('created', 'retry', 'active', 'failed')`,
          ),
        {
          timeout: 60_000,
        },
      )
      .toBe(0);
    await worker.kill();
    process.stdout.write(
      `searches killed ${JSON.stringify({ kills: killCount, searches: orders.length, refusals: rejections })}\n`,
    );
  },
  420_000 + killCount * 30_000,
);
