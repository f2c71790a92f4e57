import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { respondWithQuirk, type QuirkName, quirkNames, readableQuirks } from '../../../fakes/feeds/quirks.ts';
import { createFeedReader } from '../../../src/adapters/feeds/createFeedReader.ts';
import { createXSearch } from '../../../src/adapters/social/createXSearch.ts';
import type { NewsResponse } from '../../../src/features/news/contract.ts';
import type { FeedReader } from '../../../src/features/news/port.ts';
import { createFeedRound } from '../../../src/features/news/readFeeds.ts';
import { hostileTexts } from '../../../../web/e2e/support/hostileTexts.ts';
import { createMarketApp, type MarketApp } from '../../support/createMarketApp.ts';
import type { TestUser } from '../../support/createTestApp.ts';
import { xssPayloads } from '../help/xssPayloads.ts';

/** Every quirk in every news operation: first and later readings, searching posts, listing, and recovering. */
interface Site {
  name: string;
  origin: string;
  /** The fault to show instead of a normal response. */
  quirk: QuirkName | undefined;
  titles: string[];
  server: Server;
}

const sites: Record<'odd' | 'steady', Site> = {
  odd: newSite('odd'),
  steady: newSite('steady'),
};
let test: MarketApp;
let user: TestUser;

function newSite(name: string): Site {
  const site: Site = { name, origin: '', quirk: undefined, titles: [], server: createServer() };
  site.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (site.quirk !== undefined) respondWithQuirk(site.quirk, request, response);
    else if (request.url?.startsWith('/2/') === true) sendPosts(site, response);
    else sendFeed(site, request, response);
  });
  return site;
}

const cdata = (text: string): string => `<![CDATA[${text.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`;
function sendFeed({ name, titles }: Site, request: IncomingMessage, response: ServerResponse): void {
  const etag = `"${titles.length}"`;
  if (request.headers['if-none-match'] === etag) {
    response.writeHead(304, { etag }).end();
    return;
  }
  const items = titles.map(
    (title, i) =>
      `<item><title>${cdata(title)}</title><link>https://${name}.example/${i}/${titles.length}</link>` +
      `<description>${cdata(title)}</description><author>${cdata(title)}</author></item>`,
  );
  response
    .writeHead(200, { 'content-type': 'application/rss+xml', etag })
    .end(`<rss version="2.0"><channel><title>T</title>${items.join('')}</channel></rss>`);
}
function sendPosts({ titles }: Site, response: ServerResponse): void {
  const data = titles.map((text, i) => ({
    id: String(1000 + i),
    text,
    author_id: '1',
    created_at: new Date().toISOString(),
  }));
  const ends = data.length === 0 ? {} : { newest_id: data.at(-1)?.id };
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ data, meta: { ...ends, result_count: data.length } }));
}

beforeAll(async () => {
  for (const site of Object.values(sites)) {
    await new Promise<void>((resolve) => site.server.listen(0, '127.0.0.1', resolve));
    site.origin = `http://127.0.0.1:${(site.server.address() as AddressInfo).port}`;
  }
  test = await createMarketApp();
  user = await test.signUp();
});
afterAll(async () => {
  await test.close();
  for (const { server } of Object.values(sites)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** The feed and post clients of the app, with the two sites as feeds and the first as the source of posts. */
function startReading({ isSlow = false } = {}) {
  const { odd, steady } = sites;
  const readers = Object.values(sites).map(({ origin }) => ({
    origin,
    reader: createFeedReader({ exceptOrigin: origin, totalTimeoutMs: isSlow && origin === odd.origin ? 500 : 20_000 }),
  }));
  const reader: FeedReader = {
    read: (url, validators) => {
      const own = readers.find(({ origin }) => url.startsWith(origin));
      if (own === undefined) throw new Error(`no site for ${url}`);
      return own.reader.read(url, validators);
    },
    close: async () => void (await Promise.all(readers.map((each) => each.reader.close()))),
  };
  const timeoutMs = isSlow ? 500 : 20_000;
  const social = createXSearch({ token: 'any', apiUrl: odd.origin, query: 'bitcoin', timeoutMs });
  const feeds = [
    { name: 'Odd', url: `${odd.origin}/feed`, isSimulated: true },
    { name: 'Steady', url: `${steady.origin}/feed`, isSimulated: true },
  ];
  test.deps.config.news.feeds = feeds;
  const newsSources = { reader, social, close: async () => void (await Promise.all([reader.close(), social.close()])) };
  const { round } = createFeedRound({ ...test.deps, newsSources, warn: () => undefined }, () => Promise.resolve());
  return {
    /** Reads every source now. */
    readAll: async (): Promise<void> => {
      await test.database.asOwner('update news_feeds set next_read_at = now()');
      await round();
    },
    close: newsSources.close,
  };
}

const list = async (): Promise<z.infer<typeof NewsResponse>> => {
  const response = await test.app.inject({ url: '/api/news', headers: user.bearer });
  expect(response.statusCode, response.body.slice(0, 300)).toBe(200);
  return response.json();
};
interface Health extends Record<string, unknown> {
  failure: string | null;
  failure_count: number;
  wait_s: number;
}
const healthOf = async (name: string): Promise<Health> => {
  const [row] = await test.database.asOwner<Health>(
    `select failure, failure_count, extract(epoch from next_read_at - now())::float as wait_s from news_feeds where name = $1`,
    [name],
  );
  return row!;
};
const titlesOf = async (source: string): Promise<string[]> =>
  (await test.database.asOwner<{ title: string }>('select title from news where source = $1', [source])).map(
    ({ title }) => title,
  );

/** A sentence for users: no code, no stack, no address. */
const sentence = /^(The|X) [a-zA-Z0-9 ,.]+\.$/;

describe.each(quirkNames)('a site that responds with %s', (quirk) => {
  const isFine = readableQuirks.includes(quirk) || quirk === 'alwaysNotModified';
  beforeEach(async () => {
    await test.database.asOwner('delete from news_feeds');
    await test.database.asOwner('delete from news');
    for (const site of Object.values(sites)) Object.assign(site, { quirk: undefined, titles: [] });
  });

  it('at the first reading: it is reported in a sentence, waits, and the other feed is read', async () => {
    sites.odd.quirk = quirk;
    sites.steady.titles = ['Miners move to cheaper power'];
    const reading = startReading({ isSlow: quirk === 'slowFirstByte' });
    await reading.readAll();
    await reading.close();
    const { feeds, stories } = await list();
    const odd = feeds.find(({ name }) => name === 'Odd')!;
    expect(odd.state).toBe(isFine ? 'ok' : 'down');
    if (!isFine) expect(odd.message).toMatch(sentence);
    const { failure_count: failures, wait_s: waitS } = await healthOf('Odd');
    expect(failures).toBe(isFine ? 0 : 1);
    if (!isFine) expect(waitS).toBeGreaterThan(30);
    expect(feeds.find(({ name }) => name === 'Steady')).toMatchObject({ state: 'ok', message: null });
    expect(stories.map(({ title }) => title)).toContain('Miners move to cheaper power');
    expect((await titlesOf('Odd')).length > 0).toBe(readableQuirks.includes(quirk));
  });

  it('at a later reading and a search of posts: what was read stays listed, and it recovers', async () => {
    const { odd, steady } = sites;
    odd.titles = ['Wallet maker hires a new head'];
    const earlier = startReading();
    await earlier.readAll();
    await earlier.close();
    expect(await titlesOf('X')).toEqual(['Wallet maker hires a new head']);

    odd.quirk = quirk;
    const reading = startReading({ isSlow: quirk === 'slowFirstByte' });
    steady.titles = ['Regulator publishes guidance on custody'];
    await reading.readAll();
    const { feeds, stories } = await list();
    expect(stories.map(({ title }) => title)).toEqual(
      expect.arrayContaining(['Wallet maker hires a new head', 'Regulator publishes guidance on custody']),
    );
    expect(feeds.find(({ name }) => name === 'Odd')!.state).toBe(isFine ? 'ok' : 'down');
    // None of the quirks is a valid response of X.
    expect((await healthOf('X')).failure).toMatch(sentence);
    expect(await titlesOf('X')).toEqual(['Wallet maker hires a new head']);
    await reading.close();

    odd.quirk = undefined;
    odd.titles = ['Wallet maker hires a new head', 'Conference opens in Lisbon tomorrow'];
    const later = startReading();
    await later.readAll();
    await later.close();
    for (const name of ['Odd', 'X']) {
      expect(await titlesOf(name)).toContain('Conference opens in Lisbon tomorrow');
      expect(await healthOf(name)).toMatchObject({ failure: null, failure_count: 0 });
    }
  }, 60_000);
});

describe('hostile texts', () => {
  it.each([
    ['HTML and scripts', hostileTexts],
    ['Markdown and addresses', xssPayloads],
  ])('%s: all eighty pass through a real feed as plain text', async (_kind, texts) => {
    expect(texts).toHaveLength(80);
    await test.database.asOwner('delete from news_feeds');
    await test.database.asOwner('delete from news');
    sites.steady.titles = [];
    Object.assign(sites.odd, { quirk: undefined, titles: texts.map((text, i) => `Report ${i} ${text}`) });
    const reading = startReading();
    await reading.readAll();
    await reading.close();
    const rows = await test.database.asOwner<Record<'kind' | 'title' | 'link', string>>(
      'select kind, title, description, content, author, link from news',
    );
    expect(rows.filter(({ kind }) => kind === 'article')).toHaveLength(80);
    for (const row of rows) {
      expect(row.title).toMatch(/^Report \d+/);
      expect(Object.values(row).join(' ')).not.toMatch(/<[a-z/!]/i);
      expect(row.link).toMatch(/^https:\/\//);
    }
  });
});
