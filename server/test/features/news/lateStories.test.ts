import { randomUUID } from 'node:crypto';
import { intervalMs, MINUTE_MS } from '@sextant/engine-as/abi/intervals.ts';
import { ok } from '@sextant/workers/src/core/result.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Market } from '../../../src/features/market/port.ts';
import { measureReactions } from '../../../src/features/news/measureReactions.ts';
import { readOutcomes } from '../../../src/features/news/records.ts';
import { withSystem } from '../../../src/platform/db/scope.ts';
import { createTestApp, type TestApp, type TestUser } from '../../support/createTestApp.ts';

let test: TestApp;
let user: TestUser;
beforeAll(async () => {
  test = await createTestApp();
  user = await test.signUp();
});
afterAll(() => test.close());

/** Moves of -0.6 to 0.6 % that differ from day to day at one hour. */
const market: Pick<Market, 'candles'> = {
  candles: ({ interval, limit, endTimeMs = 0 }) => {
    const stepMs = intervalMs[interval];
    const lastMs = Math.floor(endTimeMs / stepMs - 1) * stepMs;
    const time = Float64Array.from({ length: limit }, (_, i) => lastMs - (limit - 1 - i) * stepMs);
    const open = time.map(() => 100);
    const close = time.map((at) => 99.4 + (((at / stepMs) * 5) % 13) / 10);
    const volume = time.map(() => 10);
    const candles = { time, open, high: open.map(() => 101), low: open.map(() => 99), close, volume };
    const value = { candles, gaps: [], rejectedCount: 0 };
    return Promise.resolve(ok({ exchange: 'binance' as const, fetchedAtMs: endTimeMs, value }));
  },
};

/** A story first seen six hours ago, `lateMinutes` after its date. */
async function addStory(lateMinutes: number): Promise<string> {
  const id = randomUUID();
  await test.database.asOwner(
    `insert into news (id, market, kind, title, link, pub_date, source, first_seen_at, story_id, symbols, keyword_version,
       sentiment, is_high_impact, is_simulated)
     select $1, 'simulated', 'article', $2, $3, seen - make_interval(mins => $4), 'Alpha', seen, $1, '{BTCUSDT}', 1, 1, false, true
     from (select date_trunc('minute', now()) - interval '6 hours' as seen) s`,
    [id, `Late by ${lateMinutes}`, `https://a.example/${id}`, lateMinutes],
  );
  return id;
}

it('HIST-043 measures a late story from its first sight, says so, and leaves one that could not vote out of the record', async () => {
  const [inTime, late, old] = [await addStory(10), await addStory(45), await addStory(7 * 60)];
  const round = () =>
    measureReactions({
      db: test.deps.db,
      config: { market: 'simulated' },
      market,
      assertLeader: () => Promise.resolve(),
    });
  // Three stories, each after 15, 60 and 240 minutes.
  expect(await round()).toBe(9);
  expect(await round()).toBe(0);
  const known = await test.database.asOwner<{ id: string; minutes: number }>(
    `select r.news_id as id, extract(epoch from r.known_at - n.first_seen_at)::int / 60 as minutes
     from news_reactions r join news n on n.id = r.news_id where r.horizon_minutes = 60`,
  );
  expect(known.map(({ minutes }) => minutes)).toEqual([60, 60, 60]);
  const { stories } = (await test.app.inject({ url: '/api/news', headers: user.bearer })).json<{
    stories: { id: string; is_late: boolean; pub_date: string; first_seen_at: string; reactions: object[] }[];
  }>();
  const lateOf = (id: string) => stories.find((story) => story.id === id);
  expect([inTime, late, old].map((id) => lateOf(id)?.is_late)).toEqual([false, true, true]);
  expect([inTime, late, old].map((id) => lateOf(id)?.reactions.length)).toEqual([3, 3, 3]);
  const seenAfter = (id: string) => {
    const story = lateOf(id)!;
    return (Date.parse(story.first_seen_at) - Date.parse(story.pub_date)) / MINUTE_MS;
  };
  expect([inTime, late, old].map(seenAfter)).toEqual([10, 45, 420]);
  // The last was first seen when it could no longer vote.
  const outcomes = await withSystem(test.deps.db, (tx) => readOutcomes(tx, 'simulated'));
  expect(outcomes.live.map(({ source }) => source)).toEqual(['Alpha', 'Alpha']);
  expect(outcomes.replayed).toEqual([]);
});
