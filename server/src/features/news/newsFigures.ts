import { HOUR_MS } from '@sextant/engine-as/abi/intervals.ts';
import type { z } from 'zod';
import type { MarketMode, NewsConfig } from '../../config.ts';
import { type Db, withUser } from '../../platform/db/scope.ts';
import { mapLimited } from '../../platform/mapLimited.ts';
import type { Market } from '../market/port.ts';
import type { NewsMarketResponse, NewsSentimentResponse, NewsTrendingResponse, TweetsResponse } from './contract.ts';
import { readFeedHealth, readItemsSince } from './newsRepository.ts';
import { countTexts, SOCIAL_NAME, sentimentWord } from './readNews.ts';
import { readSettings } from './settingsRepository.ts';

export interface FigureDeps {
  db: Db;
  config: { market: MarketMode; news: NewsConfig };
  market: Pick<Market, 'candles' | 'prices'>;
}

const HOURS = 24;
const ITEMS_MAX = 2000;
const MARKET_ROWS = 12;
const CANDLES_AT_ONCE = 4;
const TOPICS_MAX = 12;
const POSTS_MAX = 50;

type Item = Awaited<ReturnType<typeof readItemsSince>>[number];

const sinceHours = (hours: number): Date => new Date(Date.now() - hours * HOUR_MS);
const itemsOf = (
  { db, config }: FigureDeps,
  userId: string,
  kind: 'article' | 'post',
  hours: number,
): Promise<Item[]> =>
  withUser(db, userId, (tx) => readItemsSince(tx, config.market, { kind, since: sinceHours(hours), limit: ITEMS_MAX }));

const countSentiment = (items: readonly Item[]) => ({
  count: items.length,
  bullish: items.filter(({ sentiment }) => sentiment > 0).length,
  bearish: items.filter(({ sentiment }) => sentiment < 0).length,
  neutral: items.filter(({ sentiment }) => sentiment === 0).length,
});

/** The symbols of stories, with their market moves. A price that the exchange does not provide is null. */
export async function readNewsMarket(deps: FigureDeps, userId: string): Promise<z.input<typeof NewsMarketResponse>> {
  const items = await itemsOf(deps, userId, 'article', HOURS);
  const symbols = countTexts(items.flatMap((item) => item.symbols)).slice(0, MARKET_ROWS);
  const rows = await mapLimited(symbols, CANDLES_AT_ONCE, async ([symbol, count]) => {
    const own = countSentiment(items.filter((item) => item.symbols.includes(symbol)));
    return {
      symbol,
      story_count: count,
      bullish: own.bullish,
      bearish: own.bearish,
      ...(await changeOf(deps.market, symbol, userId)),
    };
  });
  return { rows };
}

async function changeOf(market: FigureDeps['market'], symbol: string, userId: string) {
  const prices = await market.prices({ symbols: [symbol], userId });
  const last = prices.ok ? (prices.value.value[0]?.last ?? null) : null;
  const outcome = await market.candles({ symbol, interval: '1h', limit: HOURS, userId });
  const first =
    outcome.ok && outcome.value.value.candles.time.length === HOURS ? outcome.value.value.candles.open[0] : undefined;
  return { last, change_24h: last === null || first === undefined ? null : last / first - 1 };
}

export async function readSentiment(deps: FigureDeps, userId: string): Promise<z.input<typeof NewsSentimentResponse>> {
  const articles = await itemsOf(deps, userId, 'article', HOURS);
  const isConnected = deps.config.news.social !== undefined;
  const posts = isConnected ? await itemsOf(deps, userId, 'post', HOURS) : [];
  const nowHour = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
  const by_hour = Array.from({ length: HOURS }, (_, i) => {
    const atMs = nowHour - (HOURS - 1 - i) * HOUR_MS;
    const own = articles.filter(({ pub_date }) => Math.floor(pub_date.getTime() / HOUR_MS) * HOUR_MS === atMs);
    const { bullish, bearish } = countSentiment(own);
    return { at: new Date(atMs).toISOString(), bullish, bearish };
  });
  return {
    hours: HOURS,
    articles: countSentiment(articles),
    posts: isConnected ? countSentiment(posts) : null,
    by_hour,
  };
}

export async function readTrending(deps: FigureDeps, userId: string): Promise<z.input<typeof NewsTrendingResponse>> {
  const items = await itemsOf(deps, userId, 'article', 2 * HOURS);
  const border = sinceHours(HOURS);
  const recent = items.filter(({ pub_date }) => pub_date >= border);
  const before = items.filter(({ pub_date }) => pub_date < border);
  const topicsOf = (kind: 'symbol' | 'keyword', read: (item: Item) => readonly string[]) => {
    const countBefore = new Map(countTexts(before.flatMap(read)));
    return countTexts(recent.flatMap(read)).map(([name, count]) => ({
      kind,
      name,
      count,
      count_before: countBefore.get(name) ?? 0,
    }));
  };
  const topics = [...topicsOf('symbol', ({ symbols }) => symbols), ...topicsOf('keyword', ({ keywords }) => keywords)];
  return { hours: HOURS, topics: topics.sort((a, b) => b.count - a.count).slice(0, TOPICS_MAX) };
}

export async function readTweets({ db, config }: FigureDeps, userId: string): Promise<z.input<typeof TweetsResponse>> {
  const { social } = config.news;
  if (social === undefined) return { is_connected: false, name: null, is_simulated: false, message: null, posts: [] };
  return withUser(db, userId, async (tx) => {
    const settings = await readSettings(tx);
    const since = sinceHours(HOURS);
    const posts = settings.shows_posts
      ? await readItemsSince(tx, config.market, { kind: 'post', since, limit: POSTS_MAX })
      : [];
    const health = (await readFeedHealth(tx, config.market)).find(({ name }) => name === SOCIAL_NAME);
    return {
      is_connected: true,
      name: SOCIAL_NAME,
      is_simulated: social.isSimulated,
      message: health?.failure ?? null,
      posts: posts.map(({ id, title, link, author, pub_date, symbols, sentiment }) => ({
        id,
        text: title,
        link,
        author,
        posted_at: pub_date.toISOString(),
        symbols,
        sentiment: sentimentWord(sentiment),
      })),
    };
  });
}
