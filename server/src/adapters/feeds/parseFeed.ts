import { DAY_MS } from '@sextant/engine-as/abi/intervals.ts';
import { failWith, ok, type Result } from '@sextant/workers/src/core/result.ts';
import { parseFeed as parseWithFeedsmith } from 'feedsmith';
import type { FeedFailure, FeedItem } from '../../features/news/port.ts';
import { FEED_BYTES_MAX } from './feedBytes.ts';
import { readFeedDate } from './feedDate.ts';
import { plainText, unescaped } from './plainText.ts';

const ITEMS_MAX = 200;
/** 200 items of 100 elements. The parser takes about 10 microseconds per element. */
const ELEMENTS_MAX = 20_000;
const TAG_LENGTH_MAX = 8192;
const AGE_MS_MAX = 30 * DAY_MS;
const AHEAD_MS_MAX = 10 * 60_000;
const ZONE_LENGTH = 20;
const lengths = { title: 300, author: 120, description: 1000, content: 8000, link: 2000 };

export interface ParsedFeed {
  items: FeedItem[];
  /** Distinct names of unknown time zones in dates that could not be parsed. */
  unknownZones: string[];
}

/**
 * Items of an RSS, Atom, RDF or JSON feed. All input is untrusted: strips markup from texts, drops links that are not http(s) and items
 * without a title, and ignores dates outside the last 30 days.
 */
export function parseFeed(body: string, nowMs: number): Result<ParsedFeed, Omit<FeedFailure, 'retryAfterS'>> {
  const unsafe = rejectionOf(body);
  if (unsafe !== undefined) return failWith({ kind: 'not_a_feed', message: unsafe });
  let parsed: ReturnType<typeof parseWithFeedsmith>;
  try {
    parsed = parseWithFeedsmith(body, { maxItems: ITEMS_MAX });
  } catch {
    return failWith({ kind: 'not_a_feed', message: 'The response is not a complete RSS, Atom, RDF or JSON feed.' });
  }
  const seen = new Set<string>();
  const unknownZones = new Set<string>();
  const items = rawItems(parsed).flatMap((raw): FeedItem[] => {
    const item = checked(raw, nowMs, unknownZones);
    if (item === undefined || seen.has(item.link)) return [];
    seen.add(item.link);
    return [item];
  });
  if (items.length === 0)
    return failWith({ kind: 'empty', message: 'The feed has no item with a title and a web link.' });
  return ok({ items, unknownZones: [...unknownZones] });
}

/** Why the body is rejected before parsing, to protect the parser from expensive input; undefined when it is accepted. */
function rejectionOf(body: string): string | undefined {
  if (body.length > FEED_BYTES_MAX) return 'The feed is larger than 2 MiB.';
  if (body.trimStart().startsWith('{')) return undefined;
  let elementCount = 0;
  let openedAt = -1;
  for (let at = body.indexOf('<'); at >= 0; at = body.indexOf('<', at + 1)) {
    if (body.startsWith('<![CDATA[', at)) {
      const end = body.indexOf(']]>', at);
      if (end < 0) return 'The feed is cut off.';
      at = end;
      continue;
    }
    if (++elementCount > 2 * ELEMENTS_MAX) return 'The feed has too many elements.';
    openedAt = at;
    const closedAt = body.indexOf('>', openedAt);
    if (closedAt < 0 || closedAt - openedAt > TAG_LENGTH_MAX) return 'The feed has an unclosed tag.';
  }
  return elementCount === 0 ? 'The response is not a feed.' : undefined;
}

interface RawItem {
  title?: string | undefined;
  links: (string | undefined)[];
  dates: unknown[];
  author?: string | undefined;
  description?: string | undefined;
  content?: string | undefined;
}

/** Maps the four formats to one item shape. */
function rawItems(parsed: ReturnType<typeof parseWithFeedsmith>): RawItem[] {
  if (parsed.format === 'json') {
    return (parsed.feed.items ?? []).map((item) => ({
      title: item.title ?? item.summary ?? item.content_text,
      links: [item.url, item.external_url, item.id],
      dates: [item.date_published, item.date_modified],
      author: item.authors?.[0]?.name,
      description: item.summary,
      content: item.content_text ?? item.content_html,
    }));
  }
  if (parsed.format === 'atom') {
    return (parsed.feed.entries ?? []).map((entry) => ({
      title: entry.title?.value,
      links: [entry.links?.find(({ rel }) => rel === undefined || rel === 'alternate')?.href, entry.id],
      dates: [entry.published, entry.updated],
      author: entry.authors?.[0]?.name,
      description: entry.summary?.value,
      content: entry.content?.value,
    }));
  }
  if (parsed.format === 'rdf') {
    return (parsed.feed.items ?? []).map((item) => ({
      title: item.title,
      links: [item.link, item.rdf?.about],
      dates: [item.dc?.dates?.[0]],
      author: item.dc?.creators?.[0],
      description: item.description,
      content: item.content?.encoded,
    }));
  }
  return (parsed.feed.items ?? []).map((item) => ({
    title: item.title,
    links: [item.link, item.guid?.isPermaLink === false ? undefined : item.guid?.value],
    dates: [item.pubDate, item.dc?.dates?.[0]],
    author: item.dc?.creators?.[0] ?? item.authors?.[0]?.name ?? item.authors?.[0]?.email,
    description: item.description,
    content: item.content?.encoded,
  }));
}

function checked(raw: RawItem, nowMs: number, unknownZones: Set<string>): FeedItem | undefined {
  const title = plainText(raw.title, lengths.title);
  const link = raw.links.map(webLink).find((each) => each !== undefined);
  if (title === '' || link === undefined) return undefined;
  const author = plainText(raw.author, lengths.author);
  return {
    title,
    link,
    pubDateMs: dateOf(raw.dates, nowMs, unknownZones),
    author: author === '' ? null : author,
    description: plainText(raw.description, lengths.description),
    content: plainText(raw.content, lengths.content),
  };
}

const WEB = /^https?:$/;
function webLink(text: unknown): string | undefined {
  if (typeof text !== 'string' || text.length > lengths.link) return undefined;
  const written = unescaped(text);
  if (!URL.canParse(written)) return undefined;
  const url = new URL(written);
  return WEB.test(url.protocol) && url.username === '' && url.password === '' ? url.href : undefined;
}

/** The first plausible date; otherwise null, and unknown zones are added to `unknownZones`. */
function dateOf(texts: readonly unknown[], nowMs: number, unknownZones: Set<string>): number | null {
  const dates = texts.map((text) => (typeof text === 'string' ? readFeedDate(unescaped(text)) : null));
  for (const date of dates)
    if (date !== null && 'atMs' in date && date.atMs >= nowMs - AGE_MS_MAX && date.atMs <= nowMs + AHEAD_MS_MAX)
      return date.atMs;
  const named = dates.find((date) => date !== null && 'unknownZone' in date);
  if (named != null && 'unknownZone' in named) unknownZones.add(plainText(named.unknownZone, ZONE_LENGTH));
  return null;
}
