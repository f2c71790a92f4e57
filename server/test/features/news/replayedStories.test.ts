// Long because all rules of a replay share its archive of reports and its market.
import { randomUUID } from 'node:crypto';
import { DAY_MS, HOUR_MS, intervalMs, MINUTE_MS } from '@sextant/engine-as/abi/intervals.ts';
import { failWith, ok } from '@sextant/workers/src/core/result.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Market } from '../../../src/features/market/port.ts';
import { measure } from '../../../src/features/news/measureReactions.ts';
import { createNewsVotes } from '../../../src/features/news/newsVotes.ts';
import { createReplayRound } from '../../../src/features/news/replayStories.ts';
import { keepFeed } from '../../../src/features/news/newsRepository.ts';
import { withSystem } from '../../../src/platform/db/scope.ts';
import { judgeTimes, readSourceChecks, timesAt, trustedDelays } from '../../../src/features/news/sourceTimes.ts';
import { createTestApp, type TestApp, type TestUser } from '../../support/createTestApp.ts';

let test: TestApp;
let user: TestUser;
let nowMs: number;
beforeAll(async () => {
  test = await createTestApp();
  user = await test.signUp();
  const [row] = await test.database.asOwner<{ at: Date }>("select date_trunc('minute', now()) as at");
  nowMs = row!.at.getTime();
});
afterAll(() => test.close());

/** The price of a symbol at the start of a minute, epoch ms. */
type PriceAt = (atMs: number) => number;

/** Differs from day to day at one hour, so that earlier moves have a spread. */
const usualPrice: PriceAt = (atMs) => 100 + (((Math.floor(atMs / HOUR_MS) * 7) % 13) - 6) / 20;

/** @param untilMs nothing after it exists, whatever end is requested; with it the whole data is sent, as a careless source would */
const marketOf = (priceAt: PriceAt, untilMs?: number): Pick<Market, 'candles'> => ({
  candles: ({ interval, limit, endTimeMs = 0 }) => {
    const stepMs = intervalMs[interval];
    const endMs = untilMs === undefined ? endTimeMs : Math.max(endTimeMs, untilMs);
    const lastMs = Math.floor(endMs / stepMs - 1) * stepMs;
    const count = limit + Math.ceil((endMs - endTimeMs) / stepMs);
    const time = Float64Array.from({ length: count }, (_, i) => lastMs - (count - 1 - i) * stepMs);
    const open = time.map(priceAt);
    const close = time.map((at) => priceAt(at + stepMs));
    const candles = { time, open, high: open, low: open, close, volume: time.map(() => 10) };
    const value = { candles, gaps: [], rejectedCount: 0 };
    return Promise.resolve(ok({ exchange: 'binance' as const, fetchedAtMs: endTimeMs, value }));
  },
});

interface Report {
  source: string;
  pubMs: number;
  seenMs: number;
  previousReadMs?: number;
  storyId?: string;
  symbol?: string;
  sentiment?: number;
  isDated?: boolean;
  isSimulated?: boolean;
}

async function addFeed(name: string, isSimulated = false): Promise<void> {
  await test.database.asOwner(
    `insert into news_feeds (market, name, url, url_since, is_simulated)
     values ('simulated', $1, 'https://a.example/feed', now() - interval '90 days', $2)
     on conflict do nothing`,
    [name, isSimulated],
  );
}

async function addReport(report: Report): Promise<string> {
  await addFeed(report.source, report.isSimulated);
  const id = randomUUID();
  const { source, pubMs, seenMs, previousReadMs, storyId = id, symbol = 'BTCUSDT', sentiment = 1 } = report;
  const { isDated = true, isSimulated = false } = report;
  await test.database.asOwner(
    `insert into news (id, market, kind, title, link, pub_date, source, first_seen_at, story_id, symbols, keyword_version,
       sentiment, is_high_impact, is_simulated, is_dated, previous_read_at)
     values ($1, 'simulated', 'article', $2, $3, $4, $5, $6, $7, $8, 1, $9, false, $10, $11, $12)`,
    [
      ...[id, `Story ${id}`, `https://a.example/${id}`, new Date(pubMs), source, new Date(seenMs), storyId, [symbol]],
      ...[sentiment, isSimulated, isDated, previousReadMs === undefined ? null : new Date(previousReadMs)],
    ],
  );
  return id;
}

/** Stories without a direction that a source added while it was read every two minutes. */
async function addChecks(source: string, delaysMinutes: readonly number[], seenMs = nowMs - HOUR_MS): Promise<void> {
  for (const delay of delaysMinutes) {
    const times = { pubMs: seenMs - delay * MINUTE_MS, seenMs, previousReadMs: seenMs - 2 * MINUTE_MS };
    await addReport({ source, ...times, sentiment: 0 });
  }
}

const roundOf = (market: Pick<Market, 'candles'>, clock?: () => number) =>
  createReplayRound(
    { db: test.deps.db, config: { market: 'simulated' }, market, assertLeader: () => Promise.resolve() },
    clock,
  );
const replay = (market: Pick<Market, 'candles'>) => roundOf(market).round();

async function addReplay(newsId: string, seenMs: number, { move = 0.01, measuredMs = seenMs + HOUR_MS } = {}) {
  await test.database.asOwner(
    `insert into news_replays (news_id, symbol, seen_at, known_at, measured_at, return_fraction, z, sample_count, p)
     values ($1, 'BTCUSDT', $2, $3, $4, $5, 1, 40, 0.2)`,
    [newsId, new Date(seenMs), new Date(seenMs + HOUR_MS), new Date(measuredMs), move],
  );
}

/** 40 stories of an archive that moved as judged, the newest `fromMs` ago. @returns ids, newest first */
async function addArchive(source: string, stepMs: number, fromMs = 2 * HOUR_MS): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < 40; i++) {
    const pubMs = nowMs - fromMs - i * stepMs;
    ids.push(await addReport({ source, pubMs, seenMs: nowMs - HOUR_MS / 2, isSimulated: true }));
    await addReplay(ids.at(-1)!, pubMs);
  }
  return ids;
}

const voteAt = async (symbol: string, closeMs: number) => {
  const votes = createNewsVotes({ db: test.deps.db, market: 'simulated' });
  await votes.refresh();
  return votes.read(symbol, closeMs);
};

interface Row extends Record<string, unknown> {
  news_id: string;
  seen_at: Date;
  known_at: Date;
  return_fraction: number;
}
const readRows = () =>
  test.database.asOwner<Row>('select news_id, seen_at, known_at, return_fraction from news_replays order by seen_at');

interface Source {
  name: string;
  count: number;
  weight: number;
  weight_origin: string;
  replayed: { count: number; hit_count: number; day_count: number; weight: number } | null;
  times: { basis: string; checked_count: number; in_time_count: number; delay_s: number | null };
}
async function readSources(): Promise<Map<string, Source>> {
  const response = await test.app.inject({ url: '/api/news/records', headers: user.bearer });
  expect(response.statusCode, response.body.slice(0, 300)).toBe(200);
  return new Map(response.json<{ sources: Source[] }>().sources.map((each) => [each.name, each]));
}

describe('whether the dates of a source can be trusted', () => {
  const minutes = (...delays: number[]) => delays.map((delay) => delay * MINUTE_MS);

  it('HIST-128 needs ten checked stories, nine of ten seen within ten minutes of their date', () => {
    expect(judgeTimes(minutes(1, 1, 1, 1, 1, 1, 1, 1, 1), false)).toMatchObject({ basis: 'unchecked', delayMs: null });
    const nine = minutes(6, 6, 2, 6, 10, 6, 6, 6, 6);
    expect(judgeTimes([...nine, 20 * MINUTE_MS], false)).toEqual({
      basis: 'checked',
      checkedCount: 10,
      inTimeCount: 9,
      // The ninth of ten delays.
      delayMs: 10 * MINUTE_MS,
    });
    expect(judgeTimes([...minutes(11, 1, 1, 1, 1, 1, 1, 1), ...minutes(20, 1)], false)).toMatchObject({
      basis: 'untrusted',
      inTimeCount: 8,
      delayMs: null,
    });
  });

  it('HIST-128 starts trusted for a simulated feed of this machine, until its stories say otherwise', () => {
    expect(judgeTimes([], true)).toMatchObject({ basis: 'same_machine', delayMs: 15_000 });
    expect(judgeTimes(minutes(...Array.from({ length: 10 }, () => 90)), true)).toMatchObject({ basis: 'untrusted' });
  });
});

describe('stories published before the first sight', () => {
  it('HIST-129 count as of the date of their first report, after the delay of its source, and only with trusted dates', async () => {
    await addChecks('Alpha', [6, 6, 6, 6, 6, 6, 6, 6, 6, 20]);
    await addChecks('Beta', [6, 6, 6, 6, 6, 6, 6, 6, 20, 20]);
    await addChecks('Gamma', [6]);
    const seenMs = nowMs - 5 * MINUTE_MS;
    const pubMs = nowMs - 6 * HOUR_MS;
    const own = await addReport({ source: 'Alpha', pubMs, seenMs });
    // A later, contrary report that was stored first.
    const storyId = await addReport({ source: 'Beta', pubMs: pubMs + 50 * MINUTE_MS, seenMs, sentiment: -1 });
    const first = await addReport({
      source: 'Alpha',
      pubMs: pubMs + 30 * MINUTE_MS,
      seenMs,
      storyId,
      symbol: 'ETHUSDT',
    });
    await addReport({ source: 'Alpha', pubMs, seenMs, isDated: false });
    await addReport({ source: 'Alpha', pubMs: nowMs - 40 * MINUTE_MS, seenMs });
    await addReport({ source: 'Alpha', pubMs: seenMs - 6 * MINUTE_MS, seenMs });
    await addReport({ source: 'Beta', pubMs, seenMs });
    await addReport({ source: 'Gamma', pubMs, seenMs });
    // 5 % before a reader could have seen the story, 1 % while the first is measured, 2 % after the second.
    const jumps = [
      [pubMs + 3 * MINUTE_MS, 1.05],
      [pubMs + 33 * MINUTE_MS, 1.01],
      [pubMs + 97 * MINUTE_MS, 1.02],
    ] as const;
    const spanMs = 12 * HOUR_MS;
    const price: PriceAt = (atMs) =>
      atMs < nowMs - spanMs
        ? usualPrice(atMs)
        : jumps.reduce((level, [jumpMs, factor]) => (atMs > jumpMs ? level * factor : level), 100);
    expect(await replay(marketOf(price))).toBe(2);
    expect(await replay(marketOf(price))).toBe(0);
    const rows = await readRows();
    const minuteOf = (at: Date) => (at.getTime() - pubMs) / MINUTE_MS;
    expect(rows.map(({ news_id, seen_at, known_at }) => [news_id, minuteOf(seen_at), minuteOf(known_at)])).toEqual([
      [own, 6, 66],
      [first, 36, 96],
    ]);
    expect(rows[0]!.return_fraction).toBeCloseTo(0.01, 12);
    expect(rows[1]!.return_fraction).toBeCloseTo(0, 12);
    const sources = await readSources();
    expect(sources.get('Alpha')).toMatchObject({
      count: 0,
      replayed: { count: 2, hit_count: 1 },
      weight: 0,
      weight_origin: 'replayed',
      times: { basis: 'checked', checked_count: 10, in_time_count: 9, delay_s: 360 },
    });
    expect(sources.get('Beta')).toMatchObject({
      replayed: null,
      times: { basis: 'untrusted', in_time_count: 8, delay_s: null },
    });
    expect(sources.get('Gamma')).toMatchObject({ replayed: null, times: { basis: 'unchecked', checked_count: 1 } });
  });

  it('HIST-129 follow from the candles closed by their end: 200 random cuts change nothing, a date read too early does', async () => {
    let state = 12_345;
    const uniform = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
    // A walk on the minute, repeatable at any moment.
    const price: PriceAt = (atMs) =>
      100 + 3 * Math.sin(atMs / 4e6) + 2 * Math.sin(atMs / 9e5) + Math.sin(atMs / DAY_MS);
    const of = { symbol: 'BTCUSDT', horizon: 60 } as const;
    let differing = 0;
    for (let k = 0; k < 200; k++) {
      const firstSeenMs = nowMs - DAY_MS - Math.floor(uniform() * 5 * DAY_MS);
      const whole = await measure(marketOf(price), { ...of, firstSeenMs });
      if (whole === null || whole === 'later') throw new Error('not measured');
      const cutMs = whole.knownAtMs + Math.floor(uniform() * DAY_MS);
      const changed: PriceAt = (atMs) => (atMs > whole.knownAtMs ? 500 : price(atMs));
      expect(await measure(marketOf(changed, cutMs), { ...of, firstSeenMs })).toEqual(whole);
      const leaked = await measure(marketOf(price), { ...of, firstSeenMs: firstSeenMs - 10 * MINUTE_MS });
      if (leaked !== null && leaked !== 'later' && leaked.returnFraction !== whole.returnFraction) differing++;
    }
    expect(differing).toBe(200);
  });
});

it('HIST-130 a source votes by its replayed record until it has 30 live stories, then by those alone', async () => {
  const closeMs = nowMs;
  const addStories = async (table: 'live' | 'replayed', count: number, move: number): Promise<void> => {
    for (let i = 0; i < count; i++) {
      const pubMs = nowMs - 20 * HOUR_MS - i * 3 * HOUR_MS;
      const id = await addReport({ source: 'Delta', pubMs, seenMs: pubMs, isSimulated: true, isDated: false });
      const knownAt = new Date(pubMs + HOUR_MS);
      if (table === 'live')
        await test.database.asOwner(
          `insert into news_reactions (news_id, symbol, horizon_minutes, known_at, return_fraction, z, sample_count, p, volume_ratio)
           values ($1, 'BTCUSDT', 60, $2, $3, 1, 40, 0.2, 1)`,
          [id, knownAt, move],
        );
      else await addReplay(id, pubMs, { move });
    }
  };
  const vote = () => voteAt('ADAUSDT', closeMs);
  const story = { source: 'Delta', symbol: 'ADAUSDT', isSimulated: true, isDated: false };
  await addReport({ ...story, pubMs: nowMs - 10 * MINUTE_MS, seenMs: nowMs - 10 * MINUTE_MS });
  expect(await vote()).toMatchObject({ vote: undefined, storyCount: 1, stories: [] });
  await addStories('replayed', 40, 0.01);
  expect(await vote()).toMatchObject({ vote: 1 });
  await addStories('live', 29, -0.01);
  expect(await vote()).toMatchObject({ vote: 1 });
  expect((await readSources()).get('Delta')).toMatchObject({ count: 29, weight_origin: 'replayed' });
  await addStories('live', 1, -0.01);
  expect(await vote()).toMatchObject({ vote: undefined, stories: [] });
  expect((await readSources()).get('Delta')).toMatchObject({
    count: 30,
    weight: 0,
    weight_origin: 'live',
    replayed: { count: 40, hit_count: 40 },
  });
});

it('HIST-140 stories of one hour count once and weigh only with those of five days', async () => {
  const hourMs = Math.floor((nowMs - 2 * HOUR_MS) / HOUR_MS) * HOUR_MS;
  const sinceHour = nowMs - hourMs;
  // 40 of one hour; 40 of 40 hours, at most three days; 40 of 120 hours, at least five.
  await addArchive('Hour', -MINUTE_MS, sinceHour);
  await addArchive('Days', HOUR_MS, sinceHour);
  await addArchive('Week', 3 * HOUR_MS, sinceHour);
  const sources = await readSources();
  expect(sources.get('Hour')).toMatchObject({ weight: 0, replayed: { count: 1, day_count: 1, weight: 0 } });
  expect(sources.get('Days')).toMatchObject({ weight: 0, replayed: { count: 40, hit_count: 40 } });
  expect(sources.get('Days')!.replayed!.day_count).toBeLessThan(5);
  // Wilson, 40 of 40: low 0.9124, weight 2 x low - 1.
  expect(sources.get('Week')!.weight).toBeCloseTo(0.8248, 3);
  for (const [source, symbol] of [
    ['Hour', 'XRPUSDT'],
    ['Days', 'SOLUSDT'],
    ['Week', 'DOTUSDT'],
  ] as const) {
    await addReport({ source, symbol, pubMs: nowMs - MINUTE_MS, seenMs: nowMs - MINUTE_MS, isSimulated: true });
    expect((await voteAt(symbol, nowMs)).vote).toBe(source === 'Week' ? 1 : undefined);
  }
});

it('HIST-141 the report with the earliest date counts, also when it is read last', async () => {
  await addChecks('Late', [6, 6, 6, 6, 6, 6, 6, 6, 6, 6]);
  await addChecks('Early', [6, 6, 6, 6, 6, 6, 6, 6, 6, 6]);
  const pubMs = nowMs - 8 * HOUR_MS;
  const seenMs = nowMs - 5 * MINUTE_MS;
  const storyId = await addReport({ source: 'Late', pubMs: pubMs + 40 * MINUTE_MS, seenMs });
  await replay(marketOf(usualPrice));
  expect((await readSources()).get('Late')).toMatchObject({ replayed: { count: 1 } });
  await addReport({ source: 'Early', pubMs, seenMs: seenMs + MINUTE_MS, storyId, sentiment: -1 });
  await replay(marketOf(usualPrice));
  const sources = await readSources();
  expect(sources.get('Late')).toMatchObject({ replayed: null });
  expect(sources.get('Early')).toMatchObject({ replayed: { count: 1 } });
});

it('HIST-141 a report whose date nothing confirms does not end the outcome of a trusted source', async () => {
  await addChecks('Checked', [6, 6, 6, 6, 6, 6, 6, 6, 6, 6]);
  await addChecks('Midnight', [600, 600, 600, 600, 600, 600, 600, 600, 600, 600]);
  const pubMs = nowMs - 9 * HOUR_MS;
  const seenMs = nowMs - 5 * MINUTE_MS;
  const storyId = await addReport({ source: 'Checked', pubMs, seenMs });
  await addReport({ source: 'Midnight', pubMs: pubMs - 3 * HOUR_MS, seenMs, storyId });
  await replay(marketOf(usualPrice));
  const sources = await readSources();
  expect(sources.get('Checked')).toMatchObject({ replayed: { count: 1 } });
  expect(sources.get('Midnight')).toMatchObject({ replayed: null, times: { basis: 'untrusted' } });
});

it('HIST-149 judges a feed as simulated by its source, not by its newest story', async () => {
  await addFeed('Real');
  await addReport({ source: 'Real', pubMs: nowMs - 2 * HOUR_MS, seenMs: nowMs - HOUR_MS, isSimulated: true });
  expect((await readSources()).get('Real')?.times).toMatchObject({ basis: 'unchecked' });
  const keep = (isSimulated: boolean) =>
    withSystem(test.deps.db, (tx) =>
      keepFeed(tx, 'simulated', { name: 'Real', url: 'https://a.example/feed', isSimulated }),
    );
  await keep(true);
  expect((await readSources()).get('Real')?.times).toMatchObject({ basis: 'same_machine', delay_s: 15 });
  await keep(false);
  expect((await readSources()).get('Real')?.times).toMatchObject({ basis: 'unchecked' });
});

it('HIST-149 reads at most 500 checks of a source, with those that judge it as of six hours ago', async () => {
  await addFeed('Busy');
  const add = (count: number, ageMs: number, delayMs: number) =>
    test.database.asOwner(
      `insert into news (id, market, kind, title, link, pub_date, source, first_seen_at, story_id, symbols, keyword_version,
         sentiment, is_high_impact, is_simulated, is_dated, previous_read_at)
       select id, 'simulated', 'article', id::text, 'https://a.example/' || id, $2::timestamptz - $3 * interval '1 ms', 'Busy', $2, id,
         '{}', 1, 0, false, false, true, $2::timestamptz - interval '2 minutes'
       from (select gen_random_uuid() as id from generate_series(1, $1)) made`,
      [count, new Date(nowMs - ageMs), delayMs],
    );
  await add(60, 7 * HOUR_MS, 90 * MINUTE_MS);
  await add(600, HOUR_MS, MINUTE_MS);
  const all = await withSystem(test.deps.db, (tx) => readSourceChecks(tx, 'simulated'));
  const busy = all.get('Busy')!;
  expect(busy.checks).toHaveLength(500);
  expect(timesAt(busy, nowMs)).toMatchObject({ basis: 'checked', delayMs: MINUTE_MS });
  expect(timesAt(busy, nowMs - 6 * HOUR_MS)).toMatchObject({ basis: 'untrusted', delayMs: null });
  expect(trustedDelays(new Map([['Busy', busy]]), nowMs)).toEqual(new Map([['Busy', MINUTE_MS]]));
  expect(trustedDelays(new Map([['Busy', busy]]), nowMs - 6 * HOUR_MS)).toEqual(new Map());
});

it('HIST-142 only stories read from the present address of a feed confirm its dates, and a silent source keeps its verdict', async () => {
  await addChecks('Moved', [6, 6, 6, 6, 6, 6, 6, 6, 6, 6], nowMs - 40 * DAY_MS);
  expect((await readSources()).get('Moved')?.times).toMatchObject({ basis: 'checked', checked_count: 10 });
  const keep = (url: string) =>
    withSystem(test.deps.db, (tx) => keepFeed(tx, 'simulated', { name: 'Moved', url, isSimulated: false }));
  await keep('https://a.example/feed');
  expect((await readSources()).get('Moved')?.times).toMatchObject({ basis: 'checked' });
  await keep('https://b.example/feed');
  expect((await readSources()).get('Moved')?.times).toMatchObject({ basis: 'unchecked', checked_count: 0 });
});

it('HIST-143 later measurements, earlier or contrary reports and lost trust leave the votes at closed candles', async () => {
  const ids = await addArchive('Omega', 3 * HOUR_MS, 4 * HOUR_MS);
  const cutMs = nowMs - 20 * MINUTE_MS;
  const symbol = 'LTCUSDT';
  const voteMs = cutMs - 30 * MINUTE_MS;
  await addReport({ source: 'Omega', symbol, pubMs: voteMs, seenMs: voteMs, isSimulated: true });
  const closes = [cutMs - 20 * MINUTE_MS, cutMs - 10 * MINUTE_MS, cutMs];
  const read = () => Promise.all(closes.map((close) => voteAt(symbol, close)));
  const before = await read();
  expect(before.map(({ vote }) => vote)).toEqual([1, 1, 1]);
  const seenMs = cutMs + MINUTE_MS;
  // Contrary stories of the archive that are measured after the cut.
  for (let i = 0; i < 20; i++) {
    const pubMs = nowMs - 5 * HOUR_MS - i * 3 * HOUR_MS;
    const id = await addReport({ source: 'Omega', pubMs, seenMs, sentiment: -1, isSimulated: true });
    await addReplay(id, pubMs, { measuredMs: seenMs });
  }
  expect(await read()).toEqual(before);
  expect((await voteAt(symbol, seenMs)).strength).toBeLessThan(before[2]!.strength);
  // Reports with earlier dates, of another source and direction, for half of the stories.
  for (const storyId of ids.slice(0, 20)) {
    const pubMs = nowMs - 30 * DAY_MS;
    await addReport({ source: 'Other', pubMs, seenMs, storyId, sentiment: -1 });
  }
  expect(await read()).toEqual(before);
  // Dates that turn out to be late.
  await addChecks('Omega', [90, 90, 90, 90, 90, 90, 90, 90, 90, 90], seenMs);
  expect(await read()).toEqual(before);
  expect((await voteAt(symbol, seenMs)).vote).toBeUndefined();
});

it('HIST-144 reports whose candles fail wait ever longer, so that older ones are measured', async () => {
  let clockMs = 0;
  let callCount = 0;
  const failing = {
    candles: (request: Parameters<Market['candles']>[0]) => {
      if (request.symbol !== 'FAILUSDT') return marketOf(usualPrice).candles(request);
      callCount++;
      return Promise.resolve(failWith({ code: 'exchange_unavailable' as const, message: 'no response' }));
    },
  };
  const { round } = roundOf(failing as never, () => clockMs);
  while ((await round()) > 0);
  clockMs += MINUTE_MS;
  await addChecks('Queue', [6, 6, 6, 6, 6, 6, 6, 6, 6, 6]);
  const seenMs = nowMs - MINUTE_MS;
  for (let i = 0; i < 60; i++)
    await addReport({ source: 'Queue', symbol: 'FAILUSDT', pubMs: nowMs - 3 * HOUR_MS - i * 1000, seenMs });
  await addReport({ source: 'Queue', pubMs: nowMs - 4 * HOUR_MS, seenMs });
  expect(await round()).toBe(0);
  expect(callCount).toBe(60);
  expect(await round()).toBe(1);
  expect(callCount).toBe(60);
  // Nothing is due until the next minute, then each is tried again, at least every 64 minutes: an outage costs no story.
  expect(await round()).toBe(0);
  for (let tries = 2; tries <= 12; tries++) {
    clockMs += 64 * MINUTE_MS;
    await round();
    expect(callCount).toBe(60 * tries);
  }
}, 60_000);
