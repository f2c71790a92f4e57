// Long because all cases about the minutes of a server search share the same searches.
import { gunzipSync } from 'node:zlib';
import { type IntervalName, intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import { liveRules } from '@sextant/engine-as/abi/strategy.ts';
import { loadModule } from '@sextant/workers/src/node/loadModule.ts';
import { fail } from '@sextant/workers/src/protocol/taskResult.ts';
import type { EnginePool } from '@sextant/workers/src/protocol/tasks.ts';
import type {
  OptimizeInput,
  OptimizeResult,
  TrialColumns,
  WalkForwardResult,
} from '@sextant/workers/src/protocol/optimize.ts';
import {
  requestedBars,
  joinKnown,
  type SearchMinutes,
  settleSearch,
} from '@sextant/workers/src/tasks/optimize/settleSearch.ts';
import { runTask, startEngine, type TaskEngine } from '@sextant/workers/src/tasks/index.ts';
import { searchOnPool } from '@sextant/workers/src/tasks/optimize/onPool.ts';
import { unpackTrials } from '@sextant/workers/src/protocol/wire/trialColumns.ts';
import { type Random, seededRandom } from '@sextant/workers/test/support/randomRuns.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  deleteRequesting,
  readChunks,
  readUnknownBars,
} from '../../../../src/features/backtest/search/chunkRepository.ts';
import {
  MinutesJob,
  runMinutesJob,
  runSearchJob,
  SearchJob,
  skipMinutes,
} from '../../../../src/features/backtest/search/runSearchJob.ts';
import { failSearch } from '../../../../src/features/backtest/search/startSearch.ts';
import { withSystem } from '../../../../src/platform/db/scope.ts';
import { reject } from '../../../../src/platform/errors.ts';
import { startWorkers } from '../../../../src/startWorkers.ts';
import { createMarketApp, type MarketApp } from '../../../support/createMarketApp.ts';
import type { TestUser } from '../../../support/createTestApp.ts';
import {
  expectSame,
  type LoadedInput,
  loadInput,
  post,
  read,
  type Search,
  searchWithAllMinutes,
  wholeSearch,
  withFine,
} from './searchHarness.ts';

/** After the market was listed, and long past. */
const endTime = Date.UTC(2026, 5, 1);

let test: MarketApp;
let direct: TaskEngine;
let stopWorkers = (): Promise<void> => Promise.resolve();
beforeAll(async () => {
  test = await createMarketApp();
  direct = startEngine(await loadModule());
  stopWorkers = await startWorkers(test.deps, test.app.log);
});
afterAll(async () => {
  await stopWorkers();
  await test.close();
});
afterEach(() => test.exchanges.faults.clear());

interface Minutes {
  candles: number;
  absent: number;
  beyond: number;
  problem: string | null;
  opens: number[];
}
type Followed = Search & {
  stage: string;
  minute_candles: number | null;
  result: Search['result'] & { minutes?: Minutes; walkForward?: WalkForwardResult };
};
type Body = Record<string, unknown> & { optimize: object; interval: IntervalName };

const range = (random: Random, least: number, most: number): number =>
  Math.round(1000 * (least + (most - least) * random())) / 1000;

/** A search on hours with levels near enough that many candles hold both, over parameters or over rules. */
function randomSearch(index: number): Body {
  const random = seededRandom(4_520_000 + index);
  const isOfRules = index % 2 === 1;
  const near = { min: range(random, 0.002, 0.004), max: range(random, 0.006, 0.02) };
  const ranges = isOfRules
    ? { rulesSpace: { weight: { min: -1, max: 2 }, stop: { min: 0.5, max: 1.5 }, target: { min: 0.5, max: 2 } } }
    : { space: { slPct: near, tpPct: near } };
  return {
    symbol: ['ETHUSDT', 'BTCUSDT', 'SOLUSDT'][index % 3],
    interval: '1h',
    limit: 400 + Math.floor(200 * random()),
    scored: 150,
    endTime: endTime - index * 86_400_000,
    ...(isOfRules
      ? { strategy: { ...liveRules(['1h', '4h']), entryThreshold: range(random, 0.03, 0.1) } }
      : { params: { entryThreshold: 0.1, slPct: near.min, tpPct: near.max } }),
    costs: { leverage: 1 + Math.floor(4 * random()), sameBar: random() < 0.5 ? 'stop' : 'target' },
    optimize: {
      samples: 1001 + Math.floor(400 * random()),
      seed: index,
      trainOn: index % 4 < 2 ? 'earlier' : 'scored',
      target: index % 3 === 0 ? 'sharpe' : 'pnl',
      guide: index % 4 === 0,
      ...ranges,
      ...(index % 4 === 1 ? {} : { walkForward: { folds: 2 } }),
    },
  };
}

/** A search on 4h candles, more of which need minutes than one search can load. */
function wideSearch(options: Partial<Body['optimize']>): Body {
  const { optimize, ...hours } = randomSearch(0);
  return {
    ...hours,
    interval: '4h',
    limit: 1000,
    scored: 700,
    optimize: { ...optimize, trainOn: 'scored', ...options },
  };
}

async function start(body: Body): Promise<{ anna: TestUser; id: string }> {
  const anna = await test.signUp();
  const ordered = await post(test, anna, body);
  expect(ordered.statusCode, ordered.body).toBe(202);
  return { anna, id: ordered.json<{ search: Search }>().search.search_id };
}

async function ended({ anna, id }: Awaited<ReturnType<typeof start>>): Promise<Followed> {
  await expect.poll(async () => (await read(test, anna, id)).status, { timeout: 120_000 }).toBe('done');
  return (await read(test, anna, id)) as Followed;
}

async function trialsOf({ anna, id }: Awaited<ReturnType<typeof start>>): Promise<TrialColumns> {
  const response = await test.app.inject({ url: `/api/backtest/searches/${id}/trials`, headers: anna.bearer });
  return unpackTrials(gunzipSync(response.rawPayload));
}

const inputOf = (body: Body) => loadInput(test, body);
const inOnePiece = (input: OptimizeInput) => wholeSearch(direct, input);
const withAllMinutes = (loaded: LoadedInput) => searchWithAllMinutes(direct, loaded);

/** The minutes that a page loads for the same search. */
async function inPage({ input, load }: LoadedInput, interval: IntervalName): Promise<SearchMinutes> {
  const pool = {
    run: (name: string, task: object) => Promise.resolve(runTask(direct, { name, input: task } as never)),
    threads: 2,
  } as unknown as EnginePool;
  const requesting: OptimizeInput = { ...input, withUnknown: true };
  delete requesting.walkForward;
  const searchOn = (wanted: OptimizeInput) => searchOnPool(pool, wanted, { signal: new AbortController().signal });
  const { minutes } = await settleSearch({
    candles: input.candles,
    intervalMs: intervalMs[interval],
    load,
    draft: async () => requestedBars(pool, requesting, await searchOn({ ...requesting, refine: false })),
    run: async (fineCandles) => {
      const value = await searchOn(withFine(requesting, fineCandles));
      return { value, ...(await requestedBars(pool, withFine(requesting, fineCandles), value)) };
    },
  });
  return minutes;
}

function expectTrials(trials: TrialColumns, whole: OptimizeResult): void {
  for (const name of Object.keys(whole.trials) as (keyof TrialColumns)[])
    expect(trials[name], name).toEqual(Float64Array.from([...whole.trials[name], ...whole.refined[name]]));
}

const walkOf = ({ walkForward }: { walkForward?: WalkForwardResult | undefined }) =>
  walkForward?.folds.map(({ testNetPnl, trainPnlPerBar, testTradeCount }) => [
    testNetPnl,
    trainPnlPerBar,
    testTradeCount,
  ]);

describe('a search on the server has the minutes its sets need', () => {
  it('every trial, the best set and the walk-forward have the bits of the search with the minutes of the whole window', async () => {
    // Each kind of search once: two spaces, three symbols, four ways to train and to walk forward.
    const bodies = Array.from({ length: process.env['STATISTICS'] === 'full' ? 8 : 4 }, (_, index) =>
      randomSearch(index),
    );
    const started = await Promise.all(bodies.map(start));
    // Waits for all searches first, because what follows blocks this thread and the server on it.
    const searches = await Promise.all(started.map(ended));
    let [changed, candles] = [0, 0];
    for (const [index, body] of bodies.entries()) {
      const search = searches[index]!;
      expect(search.result.minutes).toMatchObject({ beyond: 0, problem: null });
      const loaded = await inputOf(body);
      const whole = await withAllMinutes(loaded);
      expectSame(search.result, whole);
      expectTrials(await trialsOf(started[index]!), whole);
      expect(walkOf(search.result)).toEqual(walkOf(whole));
      // The same minutes as on a page, and some for every candle in question.
      const { fineCandles: _had, ...minutes } = await inPage(loaded, body.interval);
      expect(search.result.minutes).toEqual({
        candles: minutes.opens.length,
        absent: minutes.absentCount,
        beyond: 0,
        problem: null,
        opens: minutes.opens,
      });
      expect(search).toMatchObject({ stage: 'searching', done: search.samples });
      candles += minutes.opens.length;
      const plain = inOnePiece(loaded.input);
      if (plain.trials.netPnl.some((net, i) => net !== whole.trials.netPnl[i])) changed += 1;
    }
    expect([changed, candles > bodies.length * 30]).toEqual([bodies.length, true]);
  }, 300_000);

  it('where 60,000 minutes are not enough it has those that a page takes, and every trial is the one of that page', async () => {
    const body = wideSearch({});
    const search = await start(body).then(ended);
    const loaded = await inputOf(body);
    const { fineCandles, ...minutes } = await inPage(loaded, '4h');
    expect(minutes.opens).toHaveLength(250);
    expect(search.result.minutes).toMatchObject({ opens: minutes.opens, beyond: minutes.beyondCount, problem: null });
    expect(minutes.beyondCount).toBeGreaterThan(0);
    const whole = inOnePiece(withFine(loaded.input, fineCandles));
    expectSame(search.result, whole);
    expect(walkOf(search.result)).toEqual(walkOf(whole));
  }, 180_000);

  it('and so does one with an immediate response, where 60,000 minutes are not enough', async () => {
    const body = wideSearch({ samples: 900, walkForward: undefined });
    const response = await post(test, await test.signUp(), body);
    expect(response.statusCode, response.body).toBe(200);
    const loaded = await inputOf(body);
    const { fineCandles, ...minutes } = await inPage(loaded, '4h');
    const result = response.json<NonNullable<Search['result']> & { minutes: Minutes }>();
    expect(result.minutes).toMatchObject({ candles: 250, beyond: minutes.beyondCount, problem: null });
    expectSame(result, inOnePiece(withFine(loaded.input, fineCandles)));
  }, 180_000);

  it('loads none where no candle holds stop and target of a set', async () => {
    const { optimize, ...hours } = randomSearch(0);
    const far = { slPct: { min: 0.09, max: 0.1 }, tpPct: { min: 0.18, max: 0.2 }, trailing: 'off' };
    const params = { entryThreshold: 0.1, slPct: 0.09, tpPct: 0.18 };
    const body = { ...hours, interval: '1h' as const, params, optimize: { ...optimize, space: far } };
    const search = await start(body).then(ended);
    expect(search).toMatchObject({ stage: 'looking', minute_candles: 0 });
    expect(search.result.minutes).toEqual({ candles: 0, absent: 0, beyond: 0, problem: null, opens: [] });
    expectSame(search.result, inOnePiece((await inputOf(body)).input));
  }, 180_000);

  it('on own candles too, when they are of a symbol', async () => {
    const named = await inputOf(randomSearch(2));
    const { symbol, limit: _limit, endTime: _end, ...rest } = randomSearch(2);
    const lists = (columns: object) =>
      Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, Array.from(column as Float64Array)]));
    const { candles, markPrices, costs } = named.input;
    const own = {
      ...rest,
      candles: lists(candles),
      markPrices: lists(markPrices!),
      costs: { ...costs, funding: lists(costs.funding!) },
      minutesOf: symbol,
    };
    const search = await start(own).then(ended);
    expectSame(search.result, await withAllMinutes(named));
    expect(search.result.minutes!.candles).toBeGreaterThan(10);
    // `minutesOf` is rejected beside a symbol or sent minutes.
    const rejected = await post(test, await test.signUp(), { ...randomSearch(2), minutesOf: symbol });
    expect([rejected.statusCode, rejected.json<{ field: string }>().field]).toEqual([400, 'minutesOf']);
  }, 180_000);

  it('but not when they are switched off, and not of own candles or those of one minute', async () => {
    const body = { ...randomSearch(2), fineData: false };
    const started = await start(body);
    const search = await ended(started);
    expect(search).toMatchObject({ stage: 'searching', minute_candles: null });
    expect(search.result.minutes).toBeUndefined();
    const { input } = await inputOf(body);
    const plain = { ...input };
    delete plain.markPrices;
    expectSame(search.result, inOnePiece(plain));
    const finest = await start({ ...body, fineData: true, interval: '1m' });
    expect(await ended(finest)).toMatchObject({ minute_candles: null });
  }, 180_000);
});

describe('a search whose minutes cannot be loaded', () => {
  it('goes on without them and says why', async () => {
    const body = { ...randomSearch(4), symbol: 'XRPUSDT' };
    // Cached, so that its candles are available when the exchange fails.
    await inputOf(body);
    for (const endpoint of ['mark', 'klines'] as const)
      test.exchanges.faults.add({ fault: 'serverError', endpoint, retryAfterS: 30, delayMs: 0 });
    const search = await start(body).then(ended);
    expect(search.result.minutes).toMatchObject({ candles: 0, absent: 0, opens: [] });
    expect(search.result.minutes!.beyond).toBeGreaterThan(30);
    expect(search.result.minutes!.problem).toMatch(/Binance|exchange/i);
    expectSame(search.result, inOnePiece((await inputOf(body)).input));
  }, 180_000);
});

describe('a search whose jobs the test runs', () => {
  let quiet: MarketApp;
  beforeAll(async () => {
    quiet = await createMarketApp();
  });
  afterAll(() => quiet.close());
  const { signal } = new AbortController();

  const orderOne = async (body: Body): Promise<{ anna: TestUser; id: string }> => {
    const anna = await quiet.signUp();
    const ordered = await post(quiet, anna, body);
    expect(ordered.statusCode, ordered.body).toBe(202);
    return { anna, id: ordered.json<{ search: Search }>().search.search_id };
  };
  const readOne = async ({ anna, id }: { anna: TestUser; id: string }) => (await read(quiet, anna, id)) as Followed;

  interface Taken {
    name: string;
    data: { searchId: string; step: number };
  }
  const take = (id: string) =>
    quiet.database.asOwner<Taken>(`delete from jobs.job where data ->> 'searchId' = $1 returning name, data`, [id]);
  const run = ({ name, data }: Taken): Promise<void> =>
    name === 'search_minutes'
      ? runMinutesJob(quiet.deps, MinutesJob.parse(data), signal)
      : runSearchJob(quiet.deps, SearchJob.parse(data), signal);

  /** Runs a search whose exchange serves at most `responsesMax` minute loads, and counts the loads. */
  async function runWithLoads(
    body: Body,
    responsesMax: number,
  ): Promise<{ result: Followed['result']; loads: number }> {
    const started = await orderOne(body);
    let loads = 0;
    const minutes: typeof quiet.deps.market.minutes = (options) => {
      if (loads === responsesMax) return Promise.resolve(reject('upstream_unavailable', 'Binance is away.'));
      loads += 1;
      return quiet.deps.market.minutes(options);
    };
    const sparing = { ...quiet.deps, market: { ...quiet.deps.market, minutes } };
    for (let jobs = await take(started.id); jobs.length > 0; jobs = await take(started.id))
      for (const job of jobs)
        await (job.name === 'search_minutes' ? runMinutesJob(sparing, MinutesJob.parse(job.data), signal) : run(job));
    return { result: (await readOne(started)).result, loads };
  }

  it('goes on with the minutes that came before the exchange failed, and says why the rest is not there', async () => {
    const body = wideSearch({ walkForward: undefined });
    const { result } = await runWithLoads(body, 2);
    // Two loads of 30 candles, the maximum per load.
    expect(result.minutes).toMatchObject({ absent: 0, problem: 'Binance is away.' });
    expect(result.minutes!.opens).toHaveLength(60);
    expect(result.minutes!.beyond).toBeGreaterThan(0);
    const { input, load } = await loadInput(quiet, body);
    const { found } = await load(result.minutes!.opens);
    expectSame(result, inOnePiece(withFine(input, joinKnown(found))));
  }, 180_000);

  it('runs the chunks again in which some set left a candle open whose minutes came, and no other', async () => {
    const { id } = await orderOne({ ...randomSearch(0), optimize: { ...randomSearch(0).optimize, samples: 30_000 } });
    const bars: [number, number[]][] = [
      [0, [5, 120]],
      [200, []],
      [400, [7]],
      [600, [5, 7, 9]],
    ];
    for (const [from, unknown] of bars)
      await quiet.database.asOwner(
        `insert into backtest_search_chunks (search_id, first_index, sample_count, leaders, figures, unknown_bars)
        values ($1, $2, 1, '[]', $3, $4)`,
        [id, from, Buffer.alloc(80), unknown],
      );
    const unknown = withSystem(quiet.deps.db, (tx) => readUnknownBars(tx, id));
    expect(await unknown).toEqual([5, 7, 9, 120]);
    const chunksFor = (come: number[]) => withSystem(quiet.deps.db, (tx) => deleteRequesting(tx, id, come));
    expect(await chunksFor([6, 8])).toEqual([]);
    expect(await chunksFor([9, 120])).toEqual([
      { from: 0, count: 1 },
      { from: 600, count: 1 },
    ]);
    expect((await withSystem(quiet.deps.db, (tx) => readChunks(tx, id))).map(({ from }) => from)).toEqual([200, 400]);
  });

  it('changes no bit when each job runs twice, with jobs of earlier steps between', async () => {
    const body = randomSearch(6);
    const started = await orderOne({ ...body, optimize: { ...body.optimize, samples: 30_000 } });
    const before: Taken[] = [];
    const stages: string[] = [];
    for (let jobs = await take(started.id); jobs.length > 0; jobs = await take(started.id)) {
      stages.push(`${(await readOne(started)).stage} ${jobs[0]!.name} ${jobs.length}`);
      for (const job of [...jobs].reverse()) {
        for (const each of [job, job, ...before.slice(-2)]) await run(each);
      }
      before.push(...jobs);
    }
    const search = await readOne(started);
    expect(search).toMatchObject({ status: 'done', done: 30_000, failure: null });
    const samples = stages.filter((stage) => / search \d\d?$/.test(stage));
    expect(samples[0]).toBe('looking search 6');
    expect(stages).toContain('loading search_minutes 1');
    const loaded = await loadInput(quiet, { ...body, optimize: { ...body.optimize, samples: 30_000 } });
    expectSame(search.result, await withAllMinutes(loaded));
    expect(search.result.minutes).toMatchObject({ beyond: 0, problem: null });
    for (const table of ['backtest_search_inputs', 'backtest_search_chunks'])
      expect(await quiet.database.asOwner(`select from ${table} where search_id = $1`, [started.id])).toEqual([]);
  }, 180_000);

  it('waits no longer than the deadline for a slow exchange, nor for one whose loading is ended by the server', async () => {
    const body = { ...randomSearch(2), optimize: { ...randomSearch(2).optimize, walkForward: undefined } };
    const late = await orderOne(body);
    const died = await orderOne(body);
    for (const { id } of [late, died]) for (const job of [...(await take(id)), ...(await take(id))]) await run(job);
    for (const { id } of [late, died]) for (const job of await take(id)) await run(job);
    quiet.exchanges.faults.add({ fault: 'hang', endpoint: 'klines', retryAfterS: 0, delayMs: 60_000 });
    const [[wait], [set]] = [await take(late.id), await take(died.id)];
    expect([wait!.name, set!.name, (await readOne(late)).stage]).toEqual([
      'search_minutes',
      'search_minutes',
      'loading',
    ]);
    await runMinutesJob(quiet.deps, MinutesJob.parse(wait!.data), signal, 50);
    await skipMinutes(quiet.deps, MinutesJob.parse(set!.data));
    quiet.exchanges.faults.clear();
    const plain = inOnePiece((await loadInput(quiet, body)).input);
    for (const [started, problem] of [
      [late, 'The exchange timed out.'],
      [died, 'The server stopped twice while loading them.'],
    ] as const) {
      for (let jobs = await take(started.id); jobs.length > 0; jobs = await take(started.id))
        for (const job of jobs) await run(job);
      const search = await readOne(started);
      expect(search).toMatchObject({ status: 'done', result: { minutes: { opens: [], problem } } });
      expectSame(search.result, plain);
    }
  }, 180_000);

  it('says why it has no mark prices, where the exchange gave none when it was started', async () => {
    quiet.exchanges.faults.add({ fault: 'serverError', endpoint: 'mark', retryAfterS: 30, delayMs: 0 });
    const without = await orderOne({ ...randomSearch(0), symbol: 'BNBUSDT' });
    quiet.exchanges.faults.clear();
    const whole = await orderOne(randomSearch(0));
    const problemIn = async (each: typeof whole) => {
      const { request } = (await readOne(each)) as unknown as { request: { markPricesProblem?: string } };
      return request.markPricesProblem;
    };
    expect(await problemIn(without)).toMatch(/^Mark prices: ./);
    expect(await problemIn(whole)).toBeUndefined();
  }, 180_000);

  it('says that the share of its owner was used up, where that is why its minutes are missing', async () => {
    const started = await orderOne({
      ...randomSearch(0),
      optimize: { ...randomSearch(0).optimize, walkForward: undefined },
    });
    const words = 'You have sent the exchanges too many requests in this minute.';
    const rejectWith = () => Promise.resolve(reject('rate_limited', words, { retryAfterS: 30 }));
    const poor = { ...quiet.deps, market: { ...quiet.deps.market, minutes: rejectWith } };
    for (let jobs = await take(started.id); jobs.length > 0; jobs = await take(started.id))
      for (const job of jobs)
        await (job.name === 'search_minutes' ? runMinutesJob(poor, MinutesJob.parse(job.data), signal, 50) : run(job));
    expect((await readOne(started)).result.minutes).toMatchObject({ opens: [], problem: words });
  }, 180_000);

  it('waits for room on the engine without using up an attempt of its jobs', async () => {
    const started = await orderOne({ ...randomSearch(0), fineData: false });
    let rejections = 0;
    const crowded: EnginePool = {
      ...quiet.deps.engine,
      run: (name, input, options) =>
        rejections++ % 2 === 0
          ? Promise.resolve(fail('overloaded', 'Too many runs are waiting.'))
          : quiet.deps.engine.run(name, input, options),
    };
    for (let jobs = await take(started.id); jobs.length > 0; jobs = await take(started.id))
      for (const { data } of jobs)
        await runSearchJob({ ...quiet.deps, engine: crowded }, SearchJob.parse(data), signal);
    const search = await readOne(started);
    expect([search.status, rejections > 2]).toEqual(['done', true]);
    const { input } = await loadInput(quiet, { ...randomSearch(0) });
    const plain = { ...input };
    delete plain.markPrices;
    expectSame(search.result, inOnePiece(plain));
  }, 180_000);

  it('says why the walk-forward lacks minutes when the search has all it needs', async () => {
    // The walk-forward loads last: with one load less than usual only the walk-forward lacks minutes, unless it needed none.
    const lacks: Minutes[] = [];
    for (let index = 0; index < 4 && lacks.length === 0; index++) {
      const usual = await runWithLoads(randomSearch(index), Infinity);
      const { minutes } = (await runWithLoads(randomSearch(index), usual.loads - 1)).result;
      if (minutes!.beyond === 0) lacks.push(minutes!);
    }
    expect(lacks).toEqual([expect.objectContaining({ beyond: 0, problem: 'Binance is away.' })]);
  }, 180_000);

  it('goes on when a second run of an earlier job fails, or is set aside, after the search went on', async () => {
    const started = await orderOne(randomSearch(0));
    const { id } = started;
    for (const job of await take(id)) await run(job);
    const [join] = await take(id);
    const late = async () => {
      await run(join!);
      return fail('deadline_exceeded', 'this node was too slow');
    };
    const slow = { ...quiet.deps, engine: { ...quiet.deps.engine, run: late } };
    await runSearchJob(slow, SearchJob.parse(join!.data), signal);
    await failSearch(quiet.deps.db, { id, step: join!.data.step });
    expect(await readOne(started)).toMatchObject({ status: 'running', stage: 'loading', failure: null });
    await failSearch(quiet.deps.db, { id, step: 1 });
    expect(await readOne(started)).toMatchObject({ status: 'failed', stage: 'loading' });
  }, 180_000);

  it('is cancelled while it waits for minutes', async () => {
    const started = await orderOne(randomSearch(0));
    for (let jobs = await take(started.id); jobs[0]?.name === 'search'; jobs = await take(started.id))
      for (const job of jobs) await run(job);
    const { anna, id } = started;
    const url = `/api/backtest/searches/${id}/cancel`;
    await quiet.app.inject({ method: 'POST', url, headers: anna.bearer, payload: {} });
    await run({ name: 'search_minutes', data: { searchId: id, step: 1 } });
    expect(await readOne(started)).toMatchObject({ status: 'cancelled', stage: 'loading', result: null });
    expect(await take(id)).toEqual([]);
  }, 180_000);
});
