// Long because one installation with its feeds serves all cases.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ExchangesFake, startExchanges } from '../../../fakes/exchanges/server.ts';
import { type FeedsFake, fakeX, startFeeds } from '../../../fakes/feeds/server.ts';
import { createFeedRound, type FeedRound } from '../../../src/features/news/readFeeds.ts';
import type {
  NewsResponse,
  NewsMarketResponse,
  NewsSentimentResponse,
  NewsTrendingResponse,
  TweetsResponse,
} from '../../../src/features/news/contract.ts';
import type { z } from 'zod';
import { createTestApp, type TestApp, type TestUser } from '../../support/createTestApp.ts';

type ResponseBody = z.infer<typeof NewsResponse>;
let exchanges: ExchangesFake;
let fake: FeedsFake;
let test: TestApp;
let user: TestUser;
let round: FeedRound;
const names = ['Alpha', 'Beta', 'Gamma'] as const;

beforeAll(async () => {
  exchanges = await startExchanges();
  const { market, listings } = exchanges;
  fake = await startFeeds({ market: { market, listings: listings.binance, now: Date.now } });
  for (const name of names) fake.serve(name, rss([]));
  test = await createTestApp({
    env: {
      EXCHANGES_URL: exchanges.url,
      NEWS_FEEDS: names.map((name) => `${name}=${fake.origin}/own/${name}`).join(),
      X_BEARER_TOKEN: fakeX.token,
      X_API_URL: fake.origin,
    },
  });
  user = await test.signUp();
  round = createFeedRound({ ...test.deps, warn: () => undefined }, () => Promise.resolve());
});
afterAll(async () => {
  await test.close();
  await fake.close();
  await exchanges.close();
});

const rss = (items: { title: string; link?: string; date?: string; text?: string }[]): string =>
  `<rss version="2.0"><channel><title>T</title>${items
    .map(
      ({ title, link = `https://a.example/${encodeURIComponent(title)}`, date, text = '' }) =>
        `<item><title><![CDATA[${title}]]></title><link>${link.replaceAll('&', '&amp;')}</link><description><![CDATA[${text}]]></description>${date === undefined ? '' : `<pubDate>${date}</pubDate>`}</item>`,
    )
    .join('')}</channel></rss>`;
const asOwner = <T>(query: string, values: unknown[] = []) =>
  test.database.asOwner<T & Record<string, unknown>>(query, values);

/** Serves the items and reads every feed now. */
async function publish(name: (typeof names)[number], items: Parameters<typeof rss>[0]): Promise<void> {
  fake.serve(name, rss(items));
  await asOwner('update news_feeds set next_read_at = now()');
  await round.round();
}
async function list(query = '', as = user): Promise<ResponseBody> {
  const response = await test.app.inject({ url: `/api/news${query}`, headers: as.bearer });
  expect(response.statusCode, response.body.slice(0, 300)).toBe(200);
  return response.json<ResponseBody>();
}
const post = (payload: Record<string, unknown>, as = user) =>
  test.app.inject({ method: 'POST', url: '/api/news/read', headers: as.bearer, payload });

describe('what feeds bring', () => {
  it('NEWS-012 DATA-016 is listed with its source, symbols, judgement and both times', async () => {
    await publish('Alpha', [
      {
        title: 'Bitcoin surges 5% after the vote',
        date: new Date(Date.now() - 60_000).toUTCString(),
        text: '<b>Text</b>',
      },
    ]);
    const { stories, feeds } = await list();
    expect(stories[0]).toMatchObject({
      title: 'Bitcoin surges 5% after the vote',
      source: 'Alpha',
      description: 'Text',
      symbols: ['BTCUSDT'],
      sentiment: 'bullish',
      is_high_impact: true,
      is_simulated: true,
    });
    const fields = ['id', 'created_at', 'title', 'link', 'pub_date', 'source', 'author', 'description', 'content'];
    expect(Object.keys(stories[0]!)).toEqual(expect.arrayContaining(fields));
    const { pub_date, first_seen_at } = stories[0]!;
    expect(Date.parse(pub_date)).toBeLessThan(Date.parse(first_seen_at));
    expect(feeds.find(({ name }) => name === 'Alpha')).toMatchObject({ state: 'ok', message: null });
  });

  it('of two feeds about one event is one story with its sources beneath', async () => {
    await publish('Beta', [{ title: 'BTC price jumps 5% after the vote' }]);
    const { stories } = await list('?symbol=BTCUSDT');
    const story = stories.find(({ title }) => title.startsWith('Bitcoin surges'));
    expect(story?.sources.map(({ source }) => source)).toEqual(['Alpha', 'Beta']);
    expect(stories.filter(({ title }) => title.startsWith('BTC price'))).toEqual([]);
    expect((await list('?source=Beta')).stories.map(({ id }) => id)).toEqual([story?.id]);
    expect((await list('?source=Gamma')).stories).toEqual([]);
  });

  it('is at the top when it is the newest, whatever story it joined', async () => {
    const at = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toUTCString();
    await publish('Alpha', [{ title: 'Validators of Polkadot vote on inflation', date: at(40) }]);
    await publish('Gamma', [{ title: 'Notes of the evening from Lisbon', date: at(20) }]);
    const before = (await list()).stories.map(({ title }) => title);
    expect(before.indexOf('Notes of the evening from Lisbon')).toBeLessThan(
      before.indexOf('Validators of Polkadot vote on inflation'),
    );
    await publish('Beta', [{ title: 'Polkadot validators vote on inflation' }]);
    const [first] = (await list()).stories;
    expect(first).toMatchObject({ title: 'Validators of Polkadot vote on inflation' });
    expect(first?.sources.map(({ source }) => source)).toEqual(['Alpha', 'Beta']);
    expect(Date.parse(first!.latest_at) - Date.parse(first!.pub_date)).toBeGreaterThan(39 * 60_000);
  });

  it('is stored once, whatever its tracking parameters or later readings', async () => {
    const item = {
      title: 'Quiet notes on Solana',
      link: 'https://a.example/quiet?utm_source=x&id=1',
      date: new Date().toUTCString(),
    };
    await publish('Gamma', [item]);
    await publish('Gamma', [{ ...item, link: 'https://a.example/quiet?utm_source=y&id=1' }]);
    expect(await asOwner(`select link from news where title like 'Quiet notes%'`)).toEqual([
      { link: 'https://a.example/quiet?id=1' },
    ]);
  });

  it('never has a date after it was first seen', async () => {
    const soon = new Date(Date.now() + 5 * 60_000).toUTCString();
    await publish('Gamma', [{ title: 'Dated ahead', date: soon }, { title: 'Without a date' }]);
    expect(await asOwner('select id from news where pub_date > first_seen_at')).toEqual([]);
  });

  it('whose dates name an unknown zone has the time of its first sight, and the feed says so until it is mended', async () => {
    const written = (zone: string): string => new Date(Date.now() - 3_600_000).toUTCString().replace('GMT', zone);
    await publish('Beta', [{ title: 'Dated in a zone of no map', date: written('QQT') }]);
    const stateOf = async () => (await list()).feeds.find(({ name }) => name === 'Beta');
    expect(await stateOf()).toMatchObject({
      state: 'ok',
      date_note: 'Unknown time zone "QQT" in its dates. These items show when Sextant first saw them.',
    });
    const [row] = await asOwner<{ is_same: boolean }>(
      `select pub_date = first_seen_at as is_same from news where title like 'Dated in a zone%'`,
    );
    expect(row?.is_same).toBe(true);
    await publish('Beta', [{ title: 'Dated in London', date: written('UTC') }]);
    expect((await stateOf())?.date_note).toBeNull();
  });

  it('survives a feed that fails, waits longer each time and says which one is down', async () => {
    await publish('Alpha', [{ title: 'Alpha works' }]);
    fake.serveStatus('Alpha', 500);
    await asOwner(
      `update news_feeds set next_read_at = now() + case name when 'Alpha' then '-1 s' else '1 h' end::interval`,
    );
    await round.round();
    const { feeds, stories } = await list();
    expect(feeds.find(({ name }) => name === 'Alpha')).toMatchObject({
      state: 'down',
      message: 'The feed has a server error.',
    });
    expect(stories.length).toBeGreaterThan(0);
    const [first] = await asOwner<{ s: number }>(
      `select extract(epoch from next_read_at - now())::float as s from news_feeds where name = 'Alpha'`,
    );
    expect(first!.s).toBeGreaterThan(50);
    // All three are on one host: none of them is asked while it waits.
    const before = fake.requests.length;
    await asOwner(`update news_feeds set next_read_at = now() where name <> 'Alpha'`);
    await round.round();
    expect(fake.requests.slice(before).filter(({ path }) => path.startsWith('/own/'))).toEqual([]);
  });

  it('DATA-033 reaches open pages as an event of everybody', async () => {
    const notices: string[] = [];
    const client = test.deps.newClient();
    await client.connect();
    client.on('notification', ({ payload }) => notices.push(payload ?? ''));
    await client.query('listen sextant_events');
    const fresh = createFeedRound({ ...test.deps, warn: () => undefined }, () => Promise.resolve());
    fake.serve('Beta', rss([{ title: `News about ${randomUUID()}` }]));
    await asOwner('update news_feeds set next_read_at = now()');
    await fresh.round();
    await client.query('select 1');
    await client.end();
    expect(notices.map((text) => JSON.parse(text) as object)).toContainEqual({
      u: null,
      t: 'news',
      d: { source: 'Beta', count: 1 },
    });
  });
});

describe('markup in titles and texts', () => {
  it.each([
    '<script>window.__xss=1</script>Title',
    '<img src=x onerror=window.__xss=1>Title',
    '<svg/onload=window.__xss=1>Title',
    '&lt;script&gt;window.__xss=1&lt;/script&gt;Title',
    '<a href="javascript:window.__xss=1">Title</a>',
    '<iframe srcdoc="<script>window.__xss=1</script>"></iframe>Title',
  ])('is gone: %s', async (title) => {
    const fresh = createFeedRound({ ...test.deps, warn: () => undefined }, () => Promise.resolve());
    const link = `https://a.example/${randomUUID()}`;
    fake.serve('Gamma', rss([{ title, link, text: title }]));
    await asOwner('update news_feeds set next_read_at = now()');
    await fresh.round();
    const [row] = await asOwner<{ title: string; description: string }>(
      'select title, description from news where link = $1',
      [link],
    );
    expect(row!.title).toContain('Title');
    expect(row!.title + row!.description).not.toMatch(/<[a-z/!]/i);
  });
});

describe('read marks', () => {
  it('NEWS-011 are stored for one and for many, once', async () => {
    const { stories } = await list();
    const [first, second, third] = stories.map(({ id }) => id);
    expect((await post({ ids: [first] })).json()).toEqual({ marked: 1 });
    expect((await post({ ids: [first, second, third] })).json()).toEqual({ marked: 2 });
    const left = (await list()).stories.map(({ id }) => id);
    for (const id of [first, second, third]) expect(left).not.toContain(id);
  });

  it('DATA-017 NEWS-020 are of one user alone', async () => {
    const other = await test.signUp();
    const mine = (await list()).stories.length;
    expect((await list('', other)).stories.length).toBeGreaterThan(mine);
    await post({ all: true }, other);
    expect((await list('', other)).stories).toEqual([]);
    expect((await list()).stories.length).toBe(mine);
  });

  it('NEWS-015 ERR-027 that cannot be read are ignored: every story is listed', async () => {
    await post({ all: true });
    expect((await list()).stories).toEqual([]);
    await asOwner('revoke select on news_reads from app_user');
    expect((await list()).stories.length).toBeGreaterThan(0);
    await asOwner('grant select on news_reads to app_user');
  });

  it('reject an invalid id and more than 1000 ids', async () => {
    expect((await post({ ids: ['x'] })).statusCode).toBe(400);
    expect((await post({ ids: Array.from({ length: 1001 }, () => randomUUID()) })).statusCode).toBe(400);
    expect((await post({ ids: [randomUUID()] })).json()).toEqual({ marked: 0 });
  });
});

describe('the list', () => {
  it('NEWS-010 X45 CONST-028 reads 250, gives the newest 50 unread ones', async () => {
    const reader = await test.signUp();
    await asOwner(`insert into news (id, market, kind, title, link, pub_date, source, first_seen_at, story_id, keyword_version, sentiment,
        is_high_impact, is_simulated)
      select id, 'simulated', 'article', 'Planted ' || i, 'https://p.example/' || i, now() + make_interval(secs => i - 1000), 'Alpha',
        now(), id, 1, 0, false, true from (select gen_random_uuid() as id, i from generate_series(1, 300) i) planted`);
    const first = await list('', reader);
    expect(first.stories).toHaveLength(50);
    expect(first.unread_count).toBe(250);
    const times = first.stories.map(({ latest_at }) => Date.parse(latest_at));
    expect(times).toEqual([...times].sort((a, b) => b - a));
    await post({ ids: first.stories.map(({ id }) => id) }, reader);
    const second = await list('', reader);
    expect(second.stories.some(({ id }) => first.stories.some((each) => each.id === id))).toBe(false);
    expect((await list('?limit=3', reader)).stories).toHaveLength(3);
    await asOwner(`delete from news where title like 'Planted %'`);
  });
});

describe('posts', () => {
  it('NEWS-017 are listed apart from news, labelled as simulated', async () => {
    const response = (await test.app.inject({ url: '/api/news/tweets', headers: user.bearer })).json<
      z.infer<typeof TweetsResponse>
    >();
    expect(response).toMatchObject({ is_connected: true, name: 'X', is_simulated: true });
    expect(response.posts.length).toBeGreaterThan(0);
    expect(response.posts[0]?.text).toMatch(/^\[simulated\] /);
    const titles = (await list()).stories.map(({ title }) => title);
    for (const { text } of response.posts) expect(titles).not.toContain(text);
  });
});

describe('settings', () => {
  const save = (payload: Record<string, unknown>, as: TestUser) =>
    test.app.inject({ method: 'PUT', url: '/api/news/settings', headers: as.bearer, payload });
  const standard = {
    hidden_sources: [],
    symbols: [],
    is_high_impact_only: false,
    shows_posts: true,
    shows_chart_marks: true,
  };

  it('are saved and applied', async () => {
    const reader = await test.signUp();
    await save({ ...standard, hidden_sources: ['Alpha'], shows_posts: false }, reader);
    const { stories } = await list('', reader);
    expect(stories.flatMap(({ sources }) => sources.map(({ source }) => source))).not.toContain('Alpha');
    // The story that both reported remains, with the title of the other feed.
    expect(stories.find(({ title }) => title === 'BTC price jumps 5% after the vote')?.source).toBe('Beta');
    const posts = (await test.app.inject({ url: '/api/news/tweets', headers: reader.bearer })).json<
      z.infer<typeof TweetsResponse>
    >();
    expect(posts.posts).toEqual([]);
    await save({ ...standard, symbols: ['SOLUSDT'] }, reader);
    for (const { symbols } of (await list('', reader)).stories) expect(symbols).toContain('SOLUSDT');
    await save({ ...standard, is_high_impact_only: true }, reader);
    for (const { is_high_impact } of (await list('', reader)).stories) expect(is_high_impact).toBe(true);
  });

  it('hide a source also where its report would move a story up', async () => {
    const reader = await test.signUp();
    const first = 'Kraken lists the token of Aurelia Labs';
    const between = 'Regulator of Norway opens an inquiry into Velstrand';
    const nowMs = Date.now();
    const [firstId, betweenId] = [randomUUID(), randomUUID()];
    for (const [id, story, title, source, minutesAgo] of [
      [firstId, firstId, first, 'Beta', 9],
      [betweenId, betweenId, between, 'Beta', 6],
      [randomUUID(), firstId, 'Kraken lists token of Aurelia Labs', 'Alpha', 3],
    ] as const)
      await asOwner(
        `insert into news (id, market, kind, title, link, pub_date, source, first_seen_at, story_id, keyword_version, sentiment,
           is_high_impact, is_simulated)
         values ($1, 'simulated', 'article', $3, 'https://p.example/' || $1::uuid, $5, $4, now(), $2, 1, 0, false, true)`,
        [id, story, title, source, new Date(nowMs - minutesAgo * 60_000)],
      );
    await asOwner('update news set latest_at = $2 where id = $1', [firstId, new Date(nowMs - 3 * 60_000)]);
    const order = async () =>
      (await list('', reader)).stories.flatMap(({ title, latest_at: at, sources }) =>
        title === first || title === between ? [{ title, at: Date.parse(at), count: sources.length }] : [],
      );
    const all = await order();
    expect(all.map(({ title, count }) => [title, count])).toEqual([
      [first, 2],
      [between, 1],
    ]);
    await save({ ...standard, hidden_sources: ['Alpha'] }, reader);
    const left = await order();
    expect(left.map(({ title, count }) => [title, count])).toEqual([
      [between, 1],
      [first, 1],
    ]);
    expect(all[0]!.at - left[1]!.at).toBe(6 * 60_000);
  });

  it('hide the markers on charts', async () => {
    const reader = await test.signUp();
    const url = `/api/news/marks?symbol=BTCUSDT&from=${Date.now() - 3_600_000}&to=${Date.now() + 60_000}`;
    const marks = async () =>
      (await test.app.inject({ url, headers: reader.bearer })).json<{ marks: { title: string }[] }>().marks;
    expect((await marks()).map(({ title }) => title)).toContain('Bitcoin surges 5% after the vote');
    await save({ ...standard, shows_chart_marks: false }, reader);
    expect(await marks()).toEqual([]);
  });
});

describe('NEWS-019 market, sentiment and trends', () => {
  const read = async <T>(path: string): Promise<T> =>
    (await test.app.inject({ url: `/api/news/${path}`, headers: user.bearer })).json<T>();

  it('come from stored items and the market', async () => {
    const market = await read<z.infer<typeof NewsMarketResponse>>('market');
    const bitcoin = market.rows.find(({ symbol }) => symbol === 'BTCUSDT');
    expect(bitcoin).toMatchObject({ bullish: 1, bearish: 0 });
    expect(bitcoin?.last).toBeGreaterThan(0);
    expect(Math.abs(bitcoin?.change_24h ?? Number.NaN)).toBeLessThan(1);
    const sentiment = await read<z.infer<typeof NewsSentimentResponse>>('sentiment');
    expect(sentiment.articles.bullish).toBeGreaterThanOrEqual(1);
    expect(sentiment.posts?.count).toBeGreaterThan(0);
    expect(sentiment.by_hour).toHaveLength(24);
    const trending = await read<z.infer<typeof NewsTrendingResponse>>('trending');
    expect(trending.topics).toContainEqual(expect.objectContaining({ kind: 'symbol', name: 'BTCUSDT' }));
  });

  it('NEWS-018 DATA-034 require a session', async () => {
    for (const path of ['market', 'sentiment', 'trending', 'tweets'])
      expect((await test.app.inject({ url: `/api/news/${path}` })).statusCode).toBe(401);
  });
});
