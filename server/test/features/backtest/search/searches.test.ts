import { gunzipSync } from 'node:zlib';
import { loadModule } from '@sextant/workers/src/node/loadModule.ts';
import { createEnginePool } from '@sextant/workers/src/node/pool.ts';
import type { EnginePool } from '@sextant/workers/src/protocol/tasks.ts';
import type { TrialColumns } from '@sextant/workers/src/protocol/optimize.ts';
import { startEngine, type TaskEngine } from '@sextant/workers/src/tasks/index.ts';
import { unpackTrials } from '@sextant/workers/src/protocol/wire/trialColumns.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runSearchJob } from '../../../../src/features/backtest/search/runSearchJob.ts';
import { chunksOf, expireSearches } from '../../../../src/features/backtest/search/startSearch.ts';
import { startWorkers } from '../../../../src/startWorkers.ts';
import { createTestApp, type TestApp, type TestUser } from '../../../support/createTestApp.ts';
import {
  bodyOf,
  directly as directlyOn,
  expectSame,
  order as orderOn,
  params,
  read as readOn,
  type Search,
  type SearchResult,
} from './searchHarness.ts';

let test: TestApp;
let direct: TaskEngine;
let stopWorkers = (): Promise<void> => Promise.resolve();
beforeAll(async () => {
  test = await createTestApp();
  direct = startEngine(await loadModule());
});
afterAll(async () => {
  await stopWorkers();
  await test.close();
});

const deep = { samples: 30_000, seed: 7, refine: false };

const order = (user: TestUser, optimize: object) => orderOn(test, user, optimize);
const read = (user: TestUser, id: string) => readOn(test, user, id);
const directly = (optimize: object) => directlyOn(direct, optimize);

async function readTrials(user: TestUser, id: string): Promise<{ trials: TrialColumns; refined: number }> {
  const response = await test.app.inject({ url: `/api/backtest/searches/${id}/trials`, headers: user.bearer });
  expect([response.statusCode, response.headers['content-encoding']]).toEqual([200, 'gzip']);
  const trials = unpackTrials(gunzipSync(response.rawPayload));
  return { trials, refined: trials.value.length - (await read(user, id)).samples };
}
const cancel = (user: TestUser, id: string) =>
  test.app.inject({ method: 'POST', url: `/api/backtest/searches/${id}/cancel`, headers: user.bearer, payload: {} });
const count = async (table: string) =>
  (await test.database.asOwner<{ count: number }>(`select count(*)::int as count from ${table}`))[0]?.count;

describe('POST /api/backtest with optimize', () => {
  it('BT-009 BT-026 returns the bits of a direct engine call, and the winner equals its row', async () => {
    const anna = await test.signUp();
    const optimize = { samples: 300, seed: 11, walkForward: { folds: 2 } };
    const response = await order(anna, optimize);
    expect(response.statusCode).toBe(200);
    const result = response.json<SearchResult & { id: string; walkForward: { folds: unknown[] } }>();
    const whole = directly(optimize);
    expectSame(result, whole);
    const { origin } = whole.best!;
    const columns = origin.kind === 'sample' ? whole.trials : whole.refined;
    expect(result.best.train.netPnl).toBe(columns.netPnl[origin.index]);
    expect(result.best.value).toBe(columns.value[origin.index]);
    const last = await test.app.inject({ url: '/api/backtest/last', headers: anna.bearer });
    expect(last.json()).toMatchObject({ backtest: { id: result.id, hashes: result.best.hashes } });
  });

  it.each([
    ['nine samples', { samples: 9 }, 'optimize.samples'],
    ['more than 100,000', { samples: 100_001 }, 'optimize.samples'],
    ['another target', { target: 'luck' }, 'optimize.target'],
    ['too few candles to train on', { samples: 50, walkForward: { folds: 21 } }, 'optimize.walkForward.folds'],
  ])('rejects %s and names the field', async (_what, optimize, field) => {
    const response = await order(await test.signUp(), optimize);
    expect([response.statusCode, response.json<{ field: string }>().field]).toEqual([400, field]);
  });

  it('rejects at once what the engine would reject, deep or not', async () => {
    const anna = await test.signUp();
    for (const samples of [50, 5000]) {
      const payload = { ...bodyOf({ samples }), scored: 400 };
      const rejected = await test.app.inject({ method: 'POST', url: '/api/backtest', headers: anna.bearer, payload });
      expect([samples, rejected.statusCode]).toEqual([samples, 422]);
    }
    expect(await count('backtest_searches')).toBe(0);
  });
});

describe('a deep search', () => {
  it('runs at most twice at once per user, and cancelling one frees a slot', async () => {
    const anna = await test.signUp();
    const ben = await test.signUp();
    const orders = await Promise.all([deep, deep, deep].map((optimize) => order(anna, optimize)));
    expect(orders.map(({ statusCode }) => statusCode).sort()).toEqual([202, 202, 409]);
    const [first] = orders.filter(({ statusCode }) => statusCode === 202);
    const id = first!.json<{ search: Search }>().search.search_id;
    expect((await cancel(ben, id)).statusCode).toBe(404);
    expect((await cancel(anna, id)).json<{ search: Search }>().search.status).toBe('cancelled');
    expect((await order(anna, deep)).statusCode).toBe(202);
    const own = await test.app.inject({ url: '/api/backtest/searches', headers: anna.bearer });
    const { searches } = own.json<{ searches: Search[] }>();
    expect(searches.map(({ status }) => status).sort()).toEqual(['cancelled', 'queued', 'queued']);
    for (const { search_id } of searches) await cancel(anna, search_id);
    expect([await count('backtest_search_inputs'), await count('backtest_search_chunks')]).toEqual([0, 0]);
  });

  it('starts at most thirty times an hour per user, cancelled or not', async () => {
    const anna = await test.signUp();
    const statuses: number[] = [];
    for (let i = 0; i < 31; i++) {
      const ordered = await order(anna, { ...deep, samples: 1001 });
      statuses.push(ordered.statusCode);
      if (ordered.statusCode === 202) await cancel(anna, ordered.json<{ search: Search }>().search.search_id);
    }
    expect(statuses).toEqual([...Array.from({ length: 30 }, () => 202), 429]);
  });

  it('gives the bits of a single-piece run whatever the order of its chunks, repeated, half done or on another node', async () => {
    const anna = await test.signUp();
    const id = (await order(anna, deep)).json<{ search: Search }>().search.search_id;
    const chunks = chunksOf(deep.samples, 400);
    expect(chunks.length).toBeGreaterThan(3);
    const { signal } = new AbortController();
    // A node that dies in the middle of a chunk leaves nothing of it.
    const dying: EnginePool = createEnginePool({
      engine: await loadModule(),
      threads: 1,
      queueMax: 1,
      deadlineMs: 20_000,
    });
    const died = runSearchJob({ ...test.deps, engine: dying }, { searchId: id, step: 0, ...chunks[1]! }, signal);
    const rejection = expect(died).rejects.toThrow();
    await dying.close();
    await rejection;
    expect(await count('backtest_search_chunks')).toBe(0);
    // In any order, and one of them twice.
    for (const chunk of [...chunks].reverse().concat(chunks[0]!)) {
      await runSearchJob(test.deps, { searchId: id, step: 0, ...chunk }, signal);
    }
    expect(await read(anna, id)).toMatchObject({ status: 'running', done: deep.samples, samples: deep.samples });
    stopWorkers = await startWorkers(test.deps, test.app.log);
    await expect.poll(async () => (await read(anna, id)).status, { timeout: 60_000 }).toBe('done');
    expectSame((await read(anna, id)).result!, directly(deep));
    expect([await count('backtest_search_inputs'), await count('backtest_search_chunks')]).toEqual([0, 0]);
  }, 120_000);

  it('runs through the queue, with a refinement, to the same bits', async () => {
    const anna = await test.signUp();
    const optimize = { samples: 6000, seed: 3, target: 'expectancy' };
    const id = (await order(anna, optimize)).json<{ search: Search }>().search.search_id;
    await expect.poll(async () => (await read(anna, id)).status, { timeout: 60_000 }).toBe('done');
    const ended = await read(anna, id);
    const whole = directly(optimize);
    expectSame(ended.result!, whole);
    expect(ended).toMatchObject({
      kind: 'classic',
      request: { params, optimize, setup: { exchange: null, loaded: 400, scored: 200 } },
      elapsed_ms: expect.any(Number) as number,
    });
    // Every figure of every set, samples and refined, as the engine gives them in one piece.
    const { trials, refined } = await readTrials(anna, id);
    for (const name of Object.keys(whole.trials) as (keyof TrialColumns)[])
      expect(trials[name], name).toEqual(Float64Array.from([...whole.trials[name], ...whole.refined[name]]));
    expect(refined).toBe(whole.refined.value.length);
    expect((await cancel(anna, id)).statusCode).toBe(409);
  }, 120_000);

  it('counts for its account, once: a later set on the same candles is judged among all that it tried', async () => {
    const anna = await test.signUp();
    const verdictOf = async (slPct: number) => {
      const { optimize: _none, ...run } = { ...bodyOf({}), params: { ...params, slPct }, honesty: true };
      const response = await test.app.inject({
        method: 'POST',
        url: '/api/backtest',
        headers: anna.bearer,
        payload: run,
      });
      return response.json<{ honesty: { trialCount: number } }>().honesty.trialCount;
    };
    const search = async () => {
      const id = (await order(anna, { samples: 1100, seed: 5, refine: false })).json<{ search: Search }>().search
        .search_id;
      await expect.poll(async () => (await read(anna, id)).status, { timeout: 60_000 }).toBe('done');
    };
    expect(await verdictOf(0.031)).toBe(1);
    await search();
    expect(await verdictOf(0.032)).toBe(1 + 1100 + 1);
    await search();
    expect(await verdictOf(0.033)).toBe(1 + 1100 + 2);
    // The set that was run before the search is not judged by the trials of the search.
    expect(await verdictOf(0.031)).toBe(3);
  }, 120_000);

  it('finds no best where no set meets the conditions, and says so', async () => {
    const anna = await test.signUp();
    // Levels so far away that 30 trades do not fit into the candles.
    const space = { slPct: { min: 0.1, max: 0.1 }, tpPct: { min: 0.2, max: 0.2 }, trailing: 'off' };
    const optimize = { samples: 1100, target: 'winRate', refine: false, space };
    const id = (await order(anna, optimize)).json<{ search: Search }>().search.search_id;
    await expect.poll(async () => (await read(anna, id)).status, { timeout: 60_000 }).toBe('done');
    const { result } = await read(anna, id);
    expect(result?.best).toMatchObject({ value: null, origin: { kind: 'sample', index: 0 } });
  }, 120_000);

  describe('on a service whose workers start late', () => {
    let quiet: TestApp;
    let stopLate = (): Promise<void> => Promise.resolve();
    beforeAll(async () => {
      quiet = await createTestApp();
    });
    afterAll(async () => {
      await stopLate();
      await quiet.close();
    });
    const idOf = async (user: TestUser, samples: number) =>
      (await orderOn(quiet, user, { ...deep, samples })).json<{ search: Search }>().search.search_id;

    it('stays open however long it is queued, and ends when it has no job any more', async () => {
      const anna = await quiet.signUp();
      const id = await idOf(anna, 2000);
      const afterLong = async () => {
        const age = `update backtest_searches set updated_at = now() - interval '21 minutes' where id = $1`;
        await quiet.database.asOwner(age, [id]);
        await expireSearches(quiet.deps.db);
        return readOn(quiet, anna, id);
      };
      expect((await afterLong()).status).toBe('queued');
      await quiet.database.asOwner(`delete from jobs.job where data ->> 'searchId' = $1`, [id]);
      const failure = 'The search stalled. Start it again.';
      expect(await afterLong()).toMatchObject({ status: 'failed', failure });
    });

    it('does not wait for every chunk of an earlier search', async () => {
      const [anna, ben] = [await quiet.signUp(), await quiet.signUp()];
      const long = await idOf(anna, 100_000);
      const short = await idOf(ben, 5000);
      expect([chunksOf(100_000, 400).length, chunksOf(5000, 400).length]).toEqual([20, 1]);
      // A trigger counts the finished chunks of the long search when the short one ends.
      await quiet.database.asOwner(`
        create table seen (done int);
        create function see() returns trigger language plpgsql security definer as $$ begin
          insert into seen select count(*) from backtest_search_chunks where search_id = '${long}'; return new; end $$;
        create trigger see after update on backtest_searches for each row
          when (new.id = '${short}' and new.status = 'done') execute function see()`);
      stopLate = await startWorkers(quiet.deps, quiet.app.log);
      await expect.poll(async () => (await readOn(quiet, ben, short)).status, { timeout: 60_000 }).toBe('done');
      // The first chunk of each, and at most one that was started while the join was sent.
      const [seen] = await quiet.database.asOwner<{ done: number }>('select done from seen');
      expect(seen!.done).toBeLessThanOrEqual(2);
      await quiet.app.inject({
        method: 'POST',
        url: `/api/backtest/searches/${long}/cancel`,
        headers: anna.bearer,
        payload: {},
      });
    }, 120_000);
  });
});
