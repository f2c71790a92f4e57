import { gzipSync } from 'node:zlib';
import { failWith, ok } from '@sextant/workers/src/core/result.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FeedsFake, startFeeds } from '../../../fakes/feeds/server.ts';
import { type QuirkName, quirkNames, readableQuirks } from '../../../fakes/feeds/quirks.ts';
import { createFeedReader } from '../../../src/adapters/feeds/createFeedReader.ts';
import type { Resolve } from '../../../src/adapters/outgoing/guardedClient.ts';
import type { FeedItem, FeedReader } from '../../../src/features/news/port.ts';

const none = { etag: null, lastModified: null };
const NOW = Date.parse('2026-11-20T12:00:00Z');
let fake: FeedsFake;
beforeAll(async () => (fake = await startFeeds()));
afterAll(() => fake.close());

const readerOf = (totalTimeoutMs = 10_000) =>
  createFeedReader({ exceptOrigin: fake.origin, totalTimeoutMs, now: () => NOW });
async function readOwn(name: string, body: string | Buffer, headers?: Record<string, string>) {
  const reader = readerOf(10_000);
  const result = await reader.read(fake.serve(name, body, headers), none);
  await reader.close();
  return result;
}

/** The items of a feed, or an error. */
function itemsOf(result: Awaited<ReturnType<FeedReader['read']>>): FeedItem[] {
  if (!result.ok || result.value === null) throw new Error(`no items: ${JSON.stringify(result)}`);
  return result.value.items;
}

const rss = (items: string): string => `<rss version="2.0"><channel><title>T</title>${items}</channel></rss>`;
const item = (title: string, more = ''): string =>
  `<item><title>${title}</title><link>https://a.example/${encodeURIComponent(title)}</link>${more}</item>`;

describe('a feed with a quirk', () => {
  const failures: Partial<Record<QuirkName, string>> = {
    htmlWithOk: 'not_a_feed',
    permanentRedirectForError: 'redirect',
    slowFirstByte: 'timeout',
    endlessBody: 'too_large',
    redirectLoop: 'redirect',
    truncated: 'not_a_feed',
    cloudflare: 'status',
  };

  it.each(quirkNames)('%s has the expected outcome', async (name) => {
    const reader = readerOf(name === 'slowFirstByte' ? 300 : 10_000);
    const result = await reader.read(`${fake.origin}/quirk/${name}`, none);
    await reader.close();
    if (name === 'alwaysNotModified') expect(result).toEqual(ok(null));
    else if (readableQuirks.includes(name)) expect(itemsOf(result).length).toBeGreaterThan(0);
    else expect(result).toMatchObject(failWith({ kind: failures[name] }));
  });

  it('reports every failure in a sentence, never as a code', async () => {
    for (const name of quirkNames.filter((each) => !readableQuirks.includes(each) && each !== 'alwaysNotModified')) {
      const reader = readerOf(name === 'slowFirstByte' ? 300 : 10_000);
      const result = await reader.read(`${fake.origin}/quirk/${name}`, none);
      await reader.close();
      expect(result.ok ? '' : result.error.message).toMatch(/^(The|X) [a-zA-Z0-9 ,.]+\.$/);
    }
  });

  it('distinguishes items by link when ids are missing or used twice', async () => {
    const reader = readerOf();
    const result = await reader.read(`${fake.origin}/quirk/badGuids`, none);
    expect(itemsOf(result).map(({ link }) => new URL(link).pathname)).toEqual([
      '/no-guid',
      '/reused',
      '/reused-too',
      '/twice',
    ]);
    await reader.close();
  });

  it('ignores a date that is invalid, in the future or older than 30 days', async () => {
    const reader = readerOf();
    const result = await reader.read(`${fake.origin}/quirk/badDates`, none);
    expect(itemsOf(result).map(({ pubDateMs }) => pubDateMs)).toEqual([null, null, null, null]);
    await reader.close();
  });
});

describe('a feed', () => {
  it('of each format returns the same item', async () => {
    const date = '2026-11-20T11:00:00Z';
    const forms = {
      rss: rss(item('Same', `<pubDate>Fri, 20 Nov 2026 11:00:00 GMT</pubDate><description>Text</description>`)),
      atom: `<feed xmlns="http://www.w3.org/2005/Atom"><title>T</title><entry><title>Same</title><id>1</id><link href="https://a.example/Same"/><published>${date}</published><summary>Text</summary></entry></feed>`,
      rdf: `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel rdf:about="x"><title>T</title></channel><item rdf:about="https://a.example/Same"><title>Same</title><link>https://a.example/Same</link><description>Text</description><dc:date>${date}</dc:date></item></rdf:RDF>`,
      json: JSON.stringify({
        version: 'https://jsonfeed.org/version/1.1',
        title: 'T',
        items: [{ id: '1', url: 'https://a.example/Same', title: 'Same', summary: 'Text', date_published: date }],
      }),
    };
    for (const [name, body] of Object.entries(forms)) {
      const result = await readOwn(name, body);
      expect(itemsOf(result)).toMatchObject([
        { title: 'Same', link: 'https://a.example/Same', pubDateMs: NOW - 3_600_000, description: 'Text' },
      ]);
    }
  });

  it('preserves titles that look like numbers, and removes markup, scripts and direction marks', async () => {
    const titles = [
      '007',
      '1e5',
      '&lt;b&gt;Bold&lt;/b&gt; move',
      'a &lt;script&gt;alert(1)&lt;/script&gt; b',
      'BTC &lt; 5',
      'x\u202Ey',
    ];
    const result = await readOwn(
      'texts',
      rss(titles.map((title, i) => `<item><title>${title}</title><link>https://a.example/${i}</link></item>`).join('')),
    );
    expect(itemsOf(result).map(({ title }) => title)).toEqual(['007', '1e5', 'Bold move', 'a b', 'BTC < 5', 'x y']);
  });

  it('leaves out items whose link is no web link', async () => {
    const links = [
      'javascript:alert(1)',
      'data:text/html,x',
      'file:///etc/passwd',
      'https://u:p@a.example/',
      '/relative',
    ];
    const result = await readOwn(
      'links',
      rss(links.map((link) => `<item><title>T</title><link>${link}</link></item>`).join('')),
    );
    expect(result).toMatchObject(failWith({ kind: 'empty' }));
  });

  it('does not expand entities, and is rejected when it nests or repeats without end', async () => {
    const bomb = `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]>${rss(item('&b;'))}`;
    const result = await readOwn('bomb', bomb);
    expect(itemsOf(result)[0]?.title).not.toContain('aaaa');
    for (const body of [
      rss('<a>'.repeat(300_000)),
      `<rss version="2.0"><channel><item ${'a="1" '.repeat(100_000)}></item></channel></rss>`,
      rss('<item/>'.repeat(100_000)),
    ])
      expect(await readOwn('hostile', body)).toMatchObject(failWith({ kind: 'not_a_feed' }));
  });

  it('returns at most 200 items', async () => {
    const result = await readOwn('many', rss(Array.from({ length: 500 }, (_, i) => item(`n${i}`)).join('')));
    expect(itemsOf(result).length).toBe(200);
  });

  it('is requested again with its validators, and costs nothing when it has not changed', async () => {
    const reader = readerOf();
    const url = fake.serve('etag', rss(item('A')), { etag: '"v1"', 'last-modified': 'Fri, 20 Nov 2026 10:00:00 GMT' });
    const first = await reader.read(url, none);
    expect(first.ok && first.value?.validators).toEqual({
      etag: '"v1"',
      lastModified: 'Fri, 20 Nov 2026 10:00:00 GMT',
    });
    await reader.read(url, { etag: '"v1"', lastModified: null });
    expect(fake.requests.at(-1)).toMatchObject({ path: '/own/etag', etag: '"v1"' });
    await reader.close();
  });

  it('is decompressed, but not beyond its limit', async () => {
    const gzip = { 'content-encoding': 'gzip' };
    expect(itemsOf(await readOwn('packed', gzipSync(rss(item('Packed'))), gzip))).toHaveLength(1);
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, 32));
    expect(await readOwn('packed-bomb', bomb, gzip)).toMatchObject(failWith({ kind: 'too_large' }));
  });

  it('is read in the encoding it names', async () => {
    const windows = Buffer.from(`<?xml version="1.0" encoding="windows-1252"?>${rss(item('caf\u00e9'))}`, 'latin1');
    const result = await readOwn('latin', windows);
    expect(itemsOf(result)[0]?.title).toBe('café');
  });
});

describe('the address check of a feed', () => {
  it.each([
    'https://127.0.0.1/rss',
    'https://0x7f.1/rss',
    'https://2130706433/rss',
    'https://[::ffff:7f00:1]/rss',
    'https://169.254.169.254/latest/meta-data',
    'https://10.0.0.1/rss',
    'https://localhost/rss',
    'http://example.com/rss',
    'https://example.com:22/rss',
    'file:///etc/passwd',
    'https://user:password@example.com/rss',
  ])('rejects %s before connecting', async (url) => {
    const never: Resolve = () => {
      throw new Error('not looked up');
    };
    const reader = createFeedReader({ resolve: never });
    expect(await reader.read(url, none)).toMatchObject(failWith({ kind: 'blocked' }));
    await reader.close();
  });

  it('rejects a name that resolves to this host', async () => {
    const inside: Resolve = (_host, done) => done(null, [{ address: '127.0.0.1', family: 4 }]);
    const reader = createFeedReader({ resolve: inside });
    expect(await reader.read('https://feed.example/rss', none)).toMatchObject(failWith({ kind: 'blocked' }));
    await reader.close();
  });

  it.each([
    'http://127.0.0.1:9/x',
    'http://localhost/x',
    'http://169.254.169.254/',
    'file:///etc/passwd',
    '//10.0.0.1/x',
  ])('does not follow a redirect to %s', async (location) => {
    const reader = readerOf();
    const url = fake.serve('moved', '', { location });
    fake.serveStatus('moved', 302);
    expect(await reader.read(url, none)).toMatchObject(failWith({ kind: 'redirect' }));
    await reader.close();
  });

  it('follows one redirect on the same host', async () => {
    const reader = readerOf();
    fake.serve('target', rss(item('Moved')));
    const url = fake.serve('from', '', { location: '/own/target' });
    fake.serveStatus('from', 301);
    expect(itemsOf(await reader.read(url, none))).toHaveLength(1);
    await reader.close();
  });
});
