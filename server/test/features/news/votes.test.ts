import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ScanBody } from '../../../src/features/scan/contract.ts';
import { findSignals } from '../../../src/features/scan/findSignals.ts';
import { createNewsVotes } from '../../../src/features/news/newsVotes.ts';
import { stopCandles } from '../market/stopCandles.ts';
import { createMarketApp, type MarketApp } from '../../support/createMarketApp.ts';
import type { TestUser } from '../../support/createTestApp.ts';
import { scanParams } from '../../support/scanParams.ts';

/** News in the score of a signal: from stories and measured records in the database to the response of the route. */

const minute = 60_000;
let test: MarketApp;
let user: TestUser;
beforeAll(async () => {
  test = await createMarketApp();
  user = await test.signUp();
});
afterAll(() => test.close());

interface Signal {
  score: number;
  live_votes: number;
  candle_close_at: string;
  contributions: { vote: string; interval: string; contribution: number }[];
  news?: { vote: string | null; strength: number; story_count: number; stories: { title: string; weight: number }[] };
  hashes: { params: string };
}

interface Story {
  source: string;
  symbol: string;
  firstSeenMs: number;
  sentiment: number;
  title?: string;
}

async function addStory({ source, symbol, firstSeenMs, sentiment, title = randomUUID() }: Story): Promise<string> {
  const id = randomUUID();
  await test.database.asOwner(
    `insert into news (id, market, kind, title, link, pub_date, source, first_seen_at, story_id, symbols, keyword_version,
       sentiment, is_high_impact, is_simulated)
     values ($1, 'simulated', 'article', $2, $3, $4, $5, $4, $1, $6, 1, $7, false, true)`,
    [id, title, `https://a.example/${id}`, new Date(firstSeenMs), source, [symbol], sentiment],
  );
  return id;
}

/** A track record: `count` stories that all moved as they were judged, known at a moment. */
async function addRecord(source: string, count: number, knownAtMs: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const seenMs = knownAtMs - 90 * minute - i * 1000;
    const id = await addStory({ source, symbol: 'XLMUSDT', firstSeenMs: seenMs, sentiment: 1 });
    await test.database.asOwner(
      `insert into news_reactions (news_id, symbol, horizon_minutes, known_at, return_fraction, z, sample_count, p, volume_ratio)
       values ($1, 'XLMUSDT', 60, $2, 0.01, 1, 40, 0.2, 1)`,
      [id, new Date(knownAtMs)],
    );
  }
}

async function request(payload: object): Promise<Signal> {
  const result = await test.app.inject({ method: 'POST', url: '/api/futures-signal', headers: user.bearer, payload });
  expect(result.statusCode, result.body.slice(0, 300)).toBe(200);
  return result.json<Signal>();
}
const newsPart = ({ contributions }: Signal): number =>
  contributions.filter(({ vote }) => vote === 'news').reduce((sum, { contribution }) => sum + contribution, 0);
const tuningOf = (news: number) => ({
  ...Object.fromEntries(
    ['adx', 'supertrend', 'ema_cross', 'sma_cross', 'pivot', 'vwap', 'mfi', 'donchian', 'ich_align', 'ich_cloud'].map(
      (id) => [id, 1],
    ),
  ),
  news,
});

it('HIST-175 is at a close 20 hours ago as it was then, on a node that has just started', async () => {
  const closeMs = Math.floor(Date.now() / (60 * minute)) * 60 * minute - 20 * 60 * minute;
  await addRecord('Early', 40, closeMs - 30 * minute);
  await addStory({
    source: 'Early',
    symbol: 'TRXUSDT',
    firstSeenMs: closeMs - 10 * minute,
    sentiment: 2,
    title: 'Tron surges',
  });
  // Seen by then without a track record, of another symbol, and seen later.
  await addStory({ source: 'Unproven', symbol: 'TRXUSDT', firstSeenMs: closeMs - 20 * minute, sentiment: -2 });
  await addStory({ source: 'Early', symbol: 'UNIUSDT', firstSeenMs: closeMs - 10 * minute, sentiment: -2 });
  await addStory({ source: 'Early', symbol: 'TRXUSDT', firstSeenMs: closeMs + minute, sentiment: -2 });
  const fresh = createNewsVotes({ db: test.deps.db, market: 'simulated' });
  expect(await fresh.readAt('TRXUSDT', closeMs)).toMatchObject({
    vote: 1,
    storyCount: 2,
    stories: [{ title: 'Tron surges' }],
  });
  // Memory holds the last hours alone.
  await fresh.refresh();
  expect(fresh.read('TRXUSDT', closeMs)).toMatchObject({ vote: undefined, storyCount: 0 });
  expect(await fresh.readAt('TRXUSDT', closeMs)).toMatchObject({ vote: 1 });
  expect(await fresh.readAt('TRXUSDT', closeMs - 15 * minute)).toMatchObject({ vote: undefined, storyCount: 1 });
  // Of a recent close both are the same.
  const recentMs = closeMs + 20 * 60 * minute;
  await addStory({ source: 'Early', symbol: 'TRXUSDT', firstSeenMs: recentMs - 10 * minute, sentiment: 2 });
  await fresh.refresh();
  expect(await fresh.readAt('TRXUSDT', recentMs)).toEqual(fresh.read('TRXUSDT', recentMs));
});

describe('the news vote in a signal', () => {
  const btc = { symbol: 'BTCUSDT', interval: '4h', tuning: tuningOf(1) };
  let before: Signal;
  let closeMs: number;
  const seenBefore = (source: string, symbol: string) => ({
    source,
    symbol,
    firstSeenMs: closeMs - 10 * minute,
    sentiment: 2,
  });
  beforeAll(async () => {
    stopCandles(test.deps.market);
    before = await request(btc);
    closeMs = Date.parse(before.candle_close_at);
    await addRecord('Known', 40, closeMs - 30 * minute);
    await addRecord('Later', 60, closeMs + minute);
  });
  const votes = () => test.deps.newsVotes;

  it('is none from a source without a track record, and the signal says that there was a story', async () => {
    await addStory(seenBefore('New', 'BTCUSDT'));
    await votes().refresh();
    const after = await request(btc);
    expect(after.news).toEqual({ vote: null, strength: 0, story_count: 1, stories: [] });
    expect(after).toMatchObject({ score: before.score, live_votes: before.live_votes });
  });

  it('moves the score by its contribution when the source has one', async () => {
    await addStory({ ...seenBefore('Known', 'BTCUSDT'), title: 'Bitcoin surges' });
    await votes().refresh();
    const after = await request(btc);
    expect(after.live_votes).toBe(before.live_votes + 1);
    expect(after.news).toMatchObject({ vote: 'LONG', story_count: 2, stories: [{ title: 'Bitcoin surges' }] });
    const sum = after.contributions.reduce((total, { contribution }) => total + contribution, 0);
    expect(sum).toBeCloseTo(after.score, 12);
    // One more vote of weight 1 beside a total of 16.
    expect(newsPart(after)).toBeCloseTo(1 / 17, 12);
    expect(after.score).toBeCloseTo((before.score * 16 + 1) / 17, 12);
    expect(after.hashes.params).not.toBe(before.hashes.params);
  });

  it('TUNE-011 weighs more or less by the News slider', async () => {
    const [low, high] = [
      await request({ ...btc, tuning: tuningOf(0.5) }),
      await request({ ...btc, tuning: tuningOf(1.5) }),
    ];
    expect(newsPart(low)).toBeCloseTo(0.5 / 16.5, 12);
    expect(newsPart(high)).toBeCloseTo(1.5 / 17.5, 12);
    expect(high.score).toBeGreaterThan(low.score);
  });

  it('does not change for a story first seen after the close: no score at or before it changes', async () => {
    const closes = [0, 1, 2, 5].map((hours) => closeMs - hours * 60 * minute);
    const said = closes.map((at) => votes().read('BTCUSDT', at));
    const scored = await request(btc);
    for (const afterMs of [1, minute, 30 * minute])
      await addStory({ source: 'Known', symbol: 'BTCUSDT', firstSeenMs: closeMs + afterMs, sentiment: -4 });
    await votes().refresh();
    expect({ ...(await request(btc)), computed_at: '', data_age_ms: 0 }).toEqual({
      ...scored,
      computed_at: '',
      data_age_ms: 0,
    });
    expect(closes.map((at) => votes().read('BTCUSDT', at))).toEqual(said);
    // The next close includes it.
    expect(votes().read('BTCUSDT', closeMs + 60 * minute)).toMatchObject({ storyCount: 5, vote: -1 });
  });

  it('weighs a source by what was known of it at the close, not by what became known later', async () => {
    await addStory(seenBefore('Later', 'ETHUSDT'));
    await votes().refresh();
    expect(votes().read('ETHUSDT', closeMs)).toMatchObject({ vote: undefined, storyCount: 1, stories: [] });
    expect(votes().read('ETHUSDT', closeMs + 15 * minute)).toMatchObject({ vote: 1 });
  });

  it('is the same in the results of a scan as in the signal of one symbol', async () => {
    const params = await scanParams(test.deps, user.id, ScanBody.parse({ symbols: ['BTCUSDT'], intervals: ['4h'] }));
    const signal = AbortSignal.timeout(20_000);
    const outcome = await findSignals(test.deps, params, {
      userId: user.id,
      signal,
      onProgress: () => Promise.resolve(),
    });
    if (!outcome.ok) throw new Error(outcome.error.message);
    const [row] = outcome.value.scored;
    const alone = await request(btc);
    expect(row?.signal).toMatchObject({ score: alone.score, news: alone.news, hashes: alone.hashes });
    expect(alone.news?.vote).toBe('LONG');
  });
});
