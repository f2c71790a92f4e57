import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type FeedsFake, startFeeds } from '../../../fakes/feeds/server.ts';
import { createFeedReader } from '../../../src/adapters/feeds/createFeedReader.ts';
import { readFeedDate } from '../../../src/adapters/feeds/feedDate.ts';
import type { FeedRead } from '../../../src/features/news/port.ts';

const NOW = Date.parse('2026-11-28T07:45:00Z');
let fake: FeedsFake;
beforeAll(async () => (fake = await startFeeds()));
afterAll(() => fake.close());

async function readOwn(name: string, body: string): Promise<FeedRead> {
  const reader = createFeedReader({ exceptOrigin: fake.origin, now: () => NOW });
  const result = await reader.read(fake.serve(name, body), { etag: null, lastModified: null });
  await reader.close();
  if (!result.ok || result.value === null) throw new Error(`not read: ${JSON.stringify(result)}`);
  return result.value;
}

interface Raw {
  title?: string;
  link?: string;
  date?: string;
  more?: string;
}
const rss = (items: Raw[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?><rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>Case</title>` +
  items
    .map(
      ({ title = 'Title', link, date = 'Sat, 28 Nov 2026 04:45:00 GMT', more = '' }, i) =>
        `<item><title>${title}</title><link>${link ?? `http://case.example/${i}`}</link><pubDate>${date}</pubDate>${more}</item>`,
    )
    .join('') +
  `</channel></rss>`;

describe('an item whose texts were escaped more than once', () => {
  const titles: [string, string][] = [
    ['&lt;![CDATA[Avalanche subnet halts for an hour]]&gt;', 'Avalanche subnet halts for an hour'],
    ['<![CDATA[<![CDATA[Solana validators vote]]>', 'Solana validators vote'],
    ['<![CDATA[&lt;![CDATA[Fed &amp;amp; ECB speak]]&gt;]]>', 'Fed & ECB speak'],
    ['&amp;lt;![CDATA[Kraken lists a token]]&amp;gt;', 'Kraken lists a token'],
    ['&lt;![CDATA[&lt;b&gt;Bold&lt;/b&gt; claim]]&gt;', 'Bold claim'],
    ['Breaking: &lt;![CDATA[ETF approved]]&gt;', 'Breaking: ETF approved'],
    ['Cardano&amp;rsquo;s upgrade', 'Cardano’s upgrade'],
    ['Cardano&amp;#8217;s &amp;quot;Chang&amp;quot; fork', 'Cardano’s "Chang" fork'],
    ['Nestl&amp;eacute; &amp;amp; AT&amp;amp;T', 'Nestlé & AT&T'],
    ['Euro &amp;euro;5 &amp;mdash; and more&amp;hellip;', 'Euro €5 — and more…'],
    ['Three times &amp;amp;rsquo;', 'Three times ’'],
    ['&amp;#x2018;Safe&amp;#x2019; yield', '‘Safe’ yield'],
    ['Old &amp;#146;quotes&amp;#146;', 'Old ’quotes’'],
    ['S&amp;P 500 and R&amp;D', 'S&P 500 and R&D'],
    ['BTC &lt; 5 &amp;lt; 6', 'BTC < 5 < 6'],
  ];
  it.each(titles)('is listed: %s', async (title, shown) => {
    const { items } = await readOwn('texts', rss([{ title }, { title: 'Another' }]));
    expect(items.map((item) => item.title)).toEqual([shown, 'Another']);
  });

  it('has its link and its date', async () => {
    const { items, unknownZones } = await readOwn(
      'wrapped',
      rss([
        {
          link: '&lt;![CDATA[https://case.example/a?x=1&amp;amp;y=2]]&gt;',
          date: '&lt;![CDATA[Sat, 28 Nov 2026 04:45:00 GMT]]&gt;',
        },
        { link: 'https://case.example/b?x=1&amp;amp;y=2' },
      ]),
    );
    expect(items.map(({ link }) => link)).toEqual(['https://case.example/a?x=1&y=2', 'https://case.example/b?x=1&y=2']);
    expect(items[0]?.pubDateMs).toBe(Date.parse('2026-11-28T04:45:00Z'));
    expect(unknownZones).toEqual([]);
  });

  it.each([
    '&amp;lt;script&amp;gt;window.__xss=1&amp;lt;/script&amp;gt;Title',
    '&lt;![CDATA[&lt;img src=x onerror=window.__xss=1&gt;Title]]&gt;',
    '&amp;amp;lt;svg/onload=window.__xss=1&amp;amp;gt;Title',
    '&lt;![CDATA[&lt;scr<![CDATA[ipt>]]>window.__xss=1&lt;/script&gt;Title',
  ])('loses its markup however often it was escaped: %s', async (title) => {
    const { items } = await readOwn('markup', rss([{ title }, { title: 'Another' }]));
    for (const item of items) expect(item.title).not.toMatch(/<[a-z/!]|onerror=/i);
  });
});

/** Each written date and its time. */
const dates: [string, string][] = [
  ['Sat, 28 Nov 2026 05:45:00 CET', '04:45'],
  ['Sat, 28 Nov 2026 06:45:00 CEST', '04:45'],
  ['Sat, 28 Nov 2026 05:45:00 BST', '04:45'],
  ['Sat, 28 Nov 2026 04:45:00 GMT', '04:45'],
  ['Sat, 28 Nov 2026 13:45:00 JST', '04:45'],
  ['Sat, 28 Nov 2026 13:45:00 KST', '04:45'],
  ['Sat, 28 Nov 2026 10:15:00 IST', '04:45'],
  ['Sat, 28 Nov 2026 07:45:00 MSK', '04:45'],
  ['Sat, 28 Nov 2026 12:45:00 HKT', '04:45'],
  ['Sat, 28 Nov 2026 12:45:00 SGT', '04:45'],
  ['Sat, 28 Nov 2026 15:45:00 AEDT', '04:45'],
  ['Sat, 28 Nov 2026 15:15:00 ACDT', '04:45'],
  ['Sat, 28 Nov 2026 17:45:00 NZDT', '04:45'],
  ['Sat, 28 Nov 2026 06:45:00 EET', '04:45'],
  ['Sat, 28 Nov 2026 04:45:00 WET', '04:45'],
  ['Sat, 28 Nov 2026 01:45:00 BRT', '04:45'],
  ['Fri, 27 Nov 2026 23:45:00 EST', '04:45'],
  ['Sat, 28 Nov 2026 00:45:00 EDT', '04:45'],
  ['Fri, 27 Nov 2026 22:45:00 CST', '04:45'],
  ['Fri, 27 Nov 2026 20:45:00 PST', '04:45'],
  ['Fri, 27 Nov 2026 21:45:00 PDT', '04:45'],
  ['Fri, 27 Nov 2026 11:45 PM ET', '04:45'],
  ['Nov 27, 2026 8:45 p.m. PT', '04:45'],
  ['Sat, 28 Nov 2026 05:45:00 +0100', '04:45'],
  ['Sat, 28 Nov 2026 05:45:00 +01:00', '04:45'],
  ['Sat, 28 Nov 2026 10:15:00 +0530', '04:45'],
  ['Fri, 27 Nov 2026 23:45:00 -0500 (EST)', '04:45'],
  ['Sat, 28 Nov 2026 05:45:00 GMT+1', '04:45'],
  ['Sat Nov 28 2026 05:45:00 GMT+0100 (Central European Standard Time)', '04:45'],
  ['Sat Nov 28 05:45:00 CET 2026', '04:45'],
  ['Sat Nov 28 04:45:00 2026', '04:45'],
  ['Saturday, 28-Nov-26 04:45:00 GMT', '04:45'],
  ['28 November 2026 04:45', '04:45'],
  ['28 Nov 26 0445 UT', '04:45'],
  ['2026-11-28T05:45:00+01:00', '04:45'],
  ['2026-11-28T05:45:00.000+0100', '04:45'],
  ['2026-11-28T04:45:00Z', '04:45'],
  ['2026-11-28T04:45:00', '04:45'],
  ['2026-11-28 04:45:00', '04:45'],
  ['2026-11-28 04:45', '04:45'],
  ['2026-11-28 05:45:00 CET', '04:45'],
  ['2026-11-28 05:45:00 Europe/Berlin', '04:45'],
  ['20261128T044500Z', '04:45'],
  ['2026/11/28 04:45:00', '04:45'],
  ['2026-11-28', '00:00'],
  ['28 Nov 2026', '00:00'],
  ['1795841100', '04:45'],
  ['1795841100000', '04:45'],
];

describe('the date of an item', () => {
  const zone = process.env['TZ'];
  afterEach(() => {
    if (zone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zone;
  });

  it.each(['UTC', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe'])(
    'is read whatever zone it names, on a server in %s',
    (serverZone) => {
      process.env['TZ'] = serverZone;
      expect(new Date(2026, 10, 28).getTimezoneOffset() === 0).toBe(serverZone === 'UTC');
      for (const [written, clock] of dates)
        expect([written, readFeedDate(written)]).toEqual([written, { atMs: Date.parse(`2026-11-28T${clock}:00Z`) }]);
    },
  );

  it('is set on the item in every feed format', async () => {
    const { items, unknownZones } = await readOwn(
      'zones',
      rss([
        { date: 'Sat, 28 Nov 2026 05:45:00 CET' },
        { date: 'Sat, 28 Nov 2026 06:45:00 CEST' },
        { date: '2026-11-27 23:08:00' },
        { date: '2026-11-27T23:08:00' },
      ]),
    );
    const at = (text: string): number => Date.parse(text);
    const [early, late] = [at('2026-11-28T04:45:00Z'), at('2026-11-27T23:08:00Z')];
    expect(items.map(({ pubDateMs }) => pubDateMs)).toEqual([early, early, late, late]);
    expect(unknownZones).toEqual([]);
    const atom = await readOwn(
      'zones-atom',
      `<feed xmlns="http://www.w3.org/2005/Atom"><title>T</title><entry><title>A</title><id>1</id><link href="https://a.example/1"/><published>2026-11-27T23:08:00</published></entry></feed>`,
    );
    const json = await readOwn(
      'zones-json',
      JSON.stringify({
        version: 'https://jsonfeed.org/version/1.1',
        title: 'T',
        items: [{ id: '1', url: 'https://a.example/1', title: 'A', date_published: '2026-11-27T23:08:00' }],
      }),
    );
    expect([atom.items[0]?.pubDateMs, json.items[0]?.pubDateMs]).toEqual([late, late]);
  });

  it('that names an unknown zone is left out, and the zone is reported', async () => {
    const { items, unknownZones } = await readOwn(
      'unknown-zone',
      rss([
        { date: 'Sat, 28 Nov 2026 05:45:00 QQT' },
        { date: 'Sat, 28 Nov 2026 05:45:00 QQT' },
        { date: '2026-11-28 05:45:00 Mars/Olympus' },
        // A second date of the item is used instead.
        { date: 'Sat, 28 Nov 2026 05:45:00 XQZ', more: '<dc:date>2026-11-28T04:45:00Z</dc:date>' },
      ]),
    );
    expect(items.map(({ pubDateMs }) => pubDateMs)).toEqual([null, null, null, Date.parse('2026-11-28T04:45:00Z')]);
    expect(unknownZones).toEqual(['QQT', 'Mars/Olympus']);
  });

  it.each([
    'not a date',
    '',
    '31 Nov 2026 04:45:00 GMT',
    '2026-13-01T00:00:00Z',
    '2026-11-28T25:00:00Z',
    'Sat, 28 Foo 2026 04:45:00 GMT',
    '28/11/2026 04:45',
    '05:45',
  ])('is none: %j', (written) => expect(readFeedDate(written)).toBeNull());
});
