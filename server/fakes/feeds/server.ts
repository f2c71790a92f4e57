import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { findEvents, type MarketEvent, type Story, storiesOf, type StoryMarket, type Voice } from './marketStories.ts';
import { respondWithQuirk } from './quirks.ts';

export const fakeX = { token: 'practice-bearer-token-of-this-machine' };

/** Behaviour of the fake X API; normal responses when absent. */
export type XScenario = 'rateLimited' | 'unauthorized' | 'html' | 'hang';

export interface FeedsFake {
  /** `http://127.0.0.1:port` */
  origin: string;
  /** The feeds of the simulated market. */
  feeds: { name: string; url: string }[];
  /** Every request, with its validators. */
  requests: { path: string; etag: string | undefined }[];
  /** Serves `body` at `/own/<name>` from now on. */
  serve: (name: string, body: string | Buffer, headers?: Record<string, string>) => string;
  /** Status of what `serve` serves under this name. */
  serveStatus: (name: string, status: number) => void;
  playX: (scenario: XScenario | undefined) => void;
  close: () => Promise<void>;
}

const RETAINED_MAX = 2000;
/** Lifetime of the cached events. */
const FRESH_MS = 5000;

type Format = 'rss' | 'atom' | 'rdf' | 'json';
interface Feed extends Voice {
  format: Format;
  name: string;
}
const feeds: readonly Feed[] = [
  { format: 'rss', name: 'Sim Wire', author: 'Sim Wire desk', wording: 0, delayMs: 20_000, sharePct: 90 },
  { format: 'atom', name: 'Sim Chain', author: 'Sim Chain desk', wording: 1, delayMs: 60_000, sharePct: 70 },
  { format: 'rdf', name: 'Sim Ledger', author: 'Sim Ledger desk', wording: 0, delayMs: 150_000, sharePct: 45 },
  { format: 'json', name: 'Sim Brief', author: 'Sim Brief desk', wording: 1, delayMs: 240_000, sharePct: 45 },
];
const postVoice: Voice = { wording: 0, author: 'sim_trader', delayMs: 5000, sharePct: 80 };

const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
const contentTypes: Record<Format, string> = {
  rss: 'application/rss+xml; charset=utf-8',
  atom: 'application/atom+xml; charset=utf-8',
  rdf: 'application/rdf+xml; charset=utf-8',
  json: 'application/feed+json; charset=utf-8',
};

/** Title, link and date of a story in each of the four formats. */
const writers: Record<Format, (name: string, stories: readonly Story[], linkOf: (story: Story) => string) => string> = {
  rss: (name, stories, linkOf) =>
    `<?xml version="1.0" encoding="UTF-8"?><rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel>` +
    `<title>${name} (simulated)</title><link>https://sim.example/</link><description>Simulated</description>` +
    stories
      .map(
        (story) =>
          `<item><title>${escaped(story.title)}</title><link>${linkOf(story)}</link><guid isPermaLink="false">${story.id}</guid>` +
          `<pubDate>${new Date(story.atMs).toUTCString()}</pubDate><dc:creator>${story.author}</dc:creator>` +
          `<description><![CDATA[<p>${escaped(story.summary)}</p>]]></description></item>`,
      )
      .join('') +
    `</channel></rss>`,
  atom: (name, stories, linkOf) =>
    `<?xml version="1.0" encoding="UTF-8"?><feed xmlns="http://www.w3.org/2005/Atom"><title>${name} (simulated)</title>` +
    `<id>urn:sim</id><updated>${new Date(stories[0]?.atMs ?? 0).toISOString()}</updated>` +
    stories
      .map(
        (story) =>
          `<entry><title>${escaped(story.title)}</title><id>urn:${story.id}</id><link rel="alternate" href="${linkOf(story)}"/>` +
          `<published>${new Date(story.atMs).toISOString()}</published><updated>${new Date(story.atMs).toISOString()}</updated>` +
          `<author><name>${story.author}</name></author><summary>${escaped(story.summary)}</summary></entry>`,
      )
      .join('') +
    `</feed>`,
  rdf: (name, stories, linkOf) =>
    `<?xml version="1.0" encoding="UTF-8"?><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" ` +
    `xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel rdf:about="https://sim.example/">` +
    `<title>${name} (simulated)</title><link>https://sim.example/</link><description>Simulated</description></channel>` +
    stories
      .map(
        (story) =>
          `<item rdf:about="${linkOf(story)}"><title>${escaped(story.title)}</title><link>${linkOf(story)}</link>` +
          `<description>${escaped(story.summary)}</description><dc:date>${new Date(story.atMs).toISOString()}</dc:date>` +
          `<dc:creator>${story.author}</dc:creator></item>`,
      )
      .join('') +
    `</rdf:RDF>`,
  json: (name, stories, linkOf) =>
    JSON.stringify({
      version: 'https://jsonfeed.org/version/1.1',
      title: `${name} (simulated)`,
      items: stories.map((story) => ({
        id: story.id,
        url: linkOf(story),
        title: story.title,
        summary: story.summary,
        content_text: story.summary,
        date_published: new Date(story.atMs).toISOString(),
        authors: [{ name: story.author }],
      })),
    }),
};

/**
 * News feeds and the X API on loopback: four feeds in four formats about the events of the simulated market, quirky feeds at
 * `/quirk/<name>`, and `GET /2/tweets/search/recent`.
 */
export async function startFeeds(options: { port?: number; market?: StoryMarket } = {}): Promise<FeedsFake> {
  const { market } = options;
  const requests: FeedsFake['requests'] = [];
  const own = new Map<string, { status: number; body: string | Buffer; headers: Record<string, string> }>();
  const state: { x: XScenario | undefined; events: MarketEvent[]; foundAtMs: number } = {
    x: undefined,
    events: [],
    foundAtMs: -Infinity,
  };
  let origin = '';

  function events(nowMs: number): MarketEvent[] {
    if (market !== undefined && nowMs - state.foundAtMs > FRESH_MS) {
      state.events = findEvents(market);
      state.foundAtMs = nowMs;
    }
    return state.events;
  }
  const report = (voice: Voice): Story[] => {
    const nowMs = market?.now() ?? 0;
    return storiesOf(events(nowMs), voice, nowMs);
  };

  function sendFeed({ format, name, ...voice }: Feed, request: IncomingMessage, response: ServerResponse): void {
    const slug = name.toLowerCase().replace(' ', '-');
    const body = writers[format](name, report(voice), ({ id }) => `${origin}/story/${slug}/${id}`);
    const etag = `"${createHash('sha256').update(body).digest('hex').slice(0, 16)}"`;
    if (request.headers['if-none-match'] === etag) response.writeHead(304, { etag }).end();
    else response.writeHead(200, { 'content-type': contentTypes[format], etag }).end(body);
  }

  function sendX(request: IncomingMessage, response: ServerResponse, query: URLSearchParams): void {
    const json = (status: number, body: unknown, headers: Record<string, string> = {}): void =>
      void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
    const resetS = Math.floor(Date.now() / 1000) + 900;
    const limits = { 'x-rate-limit-limit': '60', 'x-rate-limit-remaining': '59', 'x-rate-limit-reset': String(resetS) };
    if (state.x === 'hang') return;
    if (state.x === 'html') {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html></html>');
      return;
    }
    if (state.x === 'rateLimited') {
      json(429, { title: 'Too Many Requests', status: 429 }, { ...limits, 'x-rate-limit-remaining': '0' });
      return;
    }
    if (state.x === 'unauthorized' || request.headers.authorization !== `Bearer ${fakeX.token}`) {
      json(401, { title: 'Unauthorized', status: 401 });
      return;
    }
    const count = Number(query.get('max_results') ?? 10);
    if (!(query.get('query') ?? '') || count < 10 || count > 100) {
      json(400, { errors: [{ message: 'Invalid Request: query or max_results' }], status: 400 });
      return;
    }
    sendPosts(response, { count, since: query.get('since_id') ?? '0', limits });
  }

  function sendPosts(
    response: ServerResponse,
    { count, since, limits }: { count: number; since: string; limits: Record<string, string> },
  ): void {
    const data = report(postVoice)
      .map((story) => ({
        // Ids grow with time, as those of X do.
        id: String(BigInt(story.atMs) * 4096n + BigInt(story.id.length)),
        text: `[simulated] ${story.title}`,
        author_id: '1',
        created_at: new Date(story.atMs).toISOString(),
        lang: 'en',
        public_metrics: { retweet_count: 0, reply_count: 0, like_count: 0, quote_count: 0 },
      }))
      .filter(({ id }) => BigInt(id) > BigInt(since))
      .slice(0, count);
    const ends = data.length === 0 ? {} : { newest_id: data[0]?.id, oldest_id: data.at(-1)?.id };
    const users = [{ id: '1', name: 'Simulated', username: postVoice.author }];
    response.writeHead(200, { 'content-type': 'application/json', ...limits }).end(
      JSON.stringify({
        ...(data.length === 0 ? {} : { data, includes: { users } }),
        meta: { ...ends, result_count: data.length },
      }),
    );
  }

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://loopback');
    requests.push({ path: url.pathname, etag: request.headers['if-none-match'] });
    if (requests.length > RETAINED_MAX) requests.shift();
    const [, kind, name = ''] = url.pathname.split('/');
    const feed = kind === 'feed' ? feeds.find(({ format }) => format === name) : undefined;
    const cached = kind === 'own' ? own.get(name) : undefined;
    if (feed !== undefined) {
      sendFeed(feed, request, response);
      return;
    }
    if (cached !== undefined) {
      response.writeHead(cached.status, cached.headers).end(cached.body);
      return;
    }
    if (kind === 'quirk' && respondWithQuirk(name, request, response)) return;
    if (url.pathname === '/2/tweets/search/recent') {
      sendX(request, response, url.searchParams);
      return;
    }
    if (kind === 'story') {
      const page =
        '<!DOCTYPE html><title>Simulated story</title><p>This story is simulated: it reports an event of the simulated market.</p>';
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
      return;
    }
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    feeds: market === undefined ? [] : feeds.map(({ format, name }) => ({ name, url: `${origin}/feed/${format}` })),
    requests,
    serve: (name, body, headers = { 'content-type': 'application/rss+xml' }) => {
      own.set(name, { status: 200, body, headers });
      return `${origin}/own/${name}`;
    },
    serveStatus: (name, status) => {
      const cached = own.get(name);
      if (cached !== undefined) own.set(name, { ...cached, status });
    },
    playX: (scenario) => (state.x = scenario),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
