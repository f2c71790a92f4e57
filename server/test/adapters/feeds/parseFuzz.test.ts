import { describe, expect, it } from 'vitest';
import { decodeText } from '../../../src/adapters/feeds/createFeedReader.ts';
import { parseFeed } from '../../../src/adapters/feeds/parseFeed.ts';

const INPUTS = Number(process.env['FEED_FUZZ_INPUTS'] ?? 3000);
const CPU_MS_MAX = 200;
const NOW = Date.parse('2026-11-20T12:00:00Z');

const corpus = [
  '<?xml version="1.0" encoding="UTF-8"?><rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>T</title><item><title>A &amp; B</title><link>https://a.example/1</link><guid isPermaLink="false">1</guid><pubDate>Fri, 20 Nov 2026 11:00:00 GMT</pubDate><dc:creator>C</dc:creator><description><![CDATA[<p>text</p>]]></description></item><item><title>B</title><link>https://a.example/2</link></item></channel></rss>',
  '<feed xmlns="http://www.w3.org/2005/Atom"><title>T</title><entry><title type="html">A &lt;b&gt;</title><id>urn:1</id><link href="https://a.example/1"/><published>2026-11-20T11:00:00Z</published><author><name>C</name></author><summary>s</summary><content type="html">c</content></entry></feed>',
  '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel rdf:about="x"><title>T</title></channel><item rdf:about="https://a.example/1"><title>R</title><link>https://a.example/1</link><dc:date>2026-11-20T11:00:00Z</dc:date></item></rdf:RDF>',
  '{"version":"https://jsonfeed.org/version/1.1","title":"T","items":[{"id":"1","url":"https://a.example/1","title":"J","content_text":"c","date_published":"2026-11-20T11:00:00Z","authors":[{"name":"C"}]}]}',
  '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b SYSTEM "file:///etc/passwd">]><rss version="2.0"><channel><item><title>&a;&b;</title><link>https://a.example/1</link></item></channel></rss>',
].map((text) => Buffer.from(text));
const tokens = [
  '<',
  '>',
  '&',
  '"',
  "'",
  ']]>',
  '<![CDATA[',
  '<!--',
  '</item>',
  '<item>',
  '&#0;',
  '&#x110000;',
  '\u0000',
  '\ufeff',
  '{',
  '}',
  '[',
  '__proto__',
  '\\ud800',
].map((text) => Buffer.from(text));

/** Mulberry32: the same inputs in every run. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** One to eight mutations: flipped bytes, cut ends, copied parts, misplaced markup, a part repeated many times. */
function damaged(seed: number): Buffer {
  const random = randomOf(seed);
  const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T;
  let bytes = Buffer.from(pick(corpus));
  for (let left = 1 + random(8); left > 0 && bytes.length > 0; left--) {
    const at = random(bytes.length);
    const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)];
    const kind = random(6);
    if (kind === 0) bytes[at] = random(256);
    else if (kind === 1) bytes = Buffer.from(before);
    else if (kind === 2) bytes = Buffer.concat([before, after.subarray(random(after.length))]);
    else if (kind === 3) bytes = Buffer.concat([before, pick(tokens), after]);
    else if (kind === 4) bytes = Buffer.concat([before, pick(corpus), after]);
    else {
      const part = after.subarray(0, 1 + random(40));
      bytes = Buffer.concat([before, ...Array.from({ length: 1 + random(2000) }, () => part), after]);
    }
  }
  return bytes;
}

/** Lowest processor time of several runs: a busy machine adds to it (cold caches, garbage collection), but not every time. */
function cpuMsOf(work: () => void, limitMs: number): number {
  let least = Infinity;
  for (let time = 0; time < 3 && least > limitMs; time++) {
    const before = process.threadCpuUsage();
    work();
    const { user, system } = process.threadCpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

describe('the feed parser', () => {
  it(`survives ${INPUTS} damaged inputs, none above ${CPU_MS_MAX} ms of processor time`, { timeout: 1_800_000 }, () => {
    const slow: string[] = [];
    let items = 0;
    for (let seed = 0; seed < INPUTS; seed++) {
      const bytes = damaged(seed);
      let parsed = parseFeed('', NOW);
      const cpuMs = cpuMsOf(() => (parsed = parseFeed(decodeText(bytes, ''), NOW)), CPU_MS_MAX);
      if (cpuMs > CPU_MS_MAX) slow.push(`seed ${seed}: ${cpuMs} ms`);
      for (const item of parsed.ok ? parsed.value.items : []) {
        items++;
        expect(item.link).toMatch(/^https?:\/\//);
        expect(item.title.length).toBeLessThanOrEqual(300);
      }
    }
    expect(slow).toEqual([]);
    expect(items).toBeGreaterThan(INPUTS / 20);
  });

  it.each([
    ['text full of tags that do not end', (n: number) => '<a '.repeat(n / 3)],
    ['entities', (n: number) => '&lt;'.repeat(n / 4)],
    ['scripts that do not end', (n: number) => '&lt;script&gt;'.repeat(n / 14)],
    ['spaces', (n: number) => ' '.repeat(n)],
  ])('reads 2 MiB of %s in bounded time', (_what, filler) => {
    const body = `<rss version="2.0"><channel><item><title>${filler(2_000_000)}</title><link>https://a.example/</link></item></channel></rss>`;
    // This body has the maximum size of a feed; the limit of 200 ms is for feeds of usual size.
    expect(cpuMsOf(() => parseFeed(body, NOW), 2000)).toBeLessThan(2000);
  });
});
