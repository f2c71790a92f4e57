import { hashText } from '../exchanges/market/hash.ts';
import type { Candle, Market } from '../exchanges/market/seededMarket.ts';
import type { Listing } from '../exchanges/market/venues.ts';

/** The market that stories are about. */
export interface StoryMarket {
  market: Market;
  listings: ReadonlyMap<string, Listing>;
  now: () => number;
}

/** One real event of the simulated market. */
export interface MarketEvent {
  id: string;
  kind: 'jump' | 'funding' | 'listing' | 'wrap';
  atMs: number;
  base: string;
  /** Size of a jump: fraction over 15 minutes; of funding: the new rate. */
  size: number;
  price: number;
}

const QUARTER_MS = 15 * 60_000;
const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const SYMBOLS_MAX = 30;
/** A jump is this many times the usual move of 15 minutes of its symbol. */
const JUMP_SIGMAS = 3;
const BARS = 2 * 96;

/** Events of the last day, oldest first: found in the candles and fundings that the exchanges serve. */
export function findEvents({ market, listings, now }: StoryMarket): MarketEvent[] {
  const nowMs = now();
  const events = [...listings.values()]
    .slice(0, SYMBOLS_MAX)
    .flatMap((listing) => [
      ...jumpsOf(market, listing, nowMs),
      ...flipsOf(market, listing, nowMs),
      ...listingOf(market, listing, nowMs),
    ]);
  return [...events, ...wrapsOf(market, listings, nowMs)].sort((a, b) => a.atMs - b.atMs);
}

const priceOf = (ticks: number, listing: Listing): number => ticks / 10 ** listing.priceDecimals;

function closedBars(market: Market, listing: Listing, spanMs: number, count: number, nowMs: number): Candle[] {
  const endMs = Math.floor(nowMs / spanMs) * spanMs;
  const interval = spanMs === QUARTER_MS ? '15m' : '1h';
  return market.candles(listing, interval, endMs - count * spanMs, endMs, nowMs);
}

function jumpsOf(market: Market, listing: Listing, nowMs: number): MarketEvent[] {
  const bars = closedBars(market, listing, QUARTER_MS, BARS, nowMs);
  const moves = bars.map(({ open, close }) => close / open - 1);
  const usual = Math.sqrt(moves.reduce((sum, move) => sum + move * move, 0) / Math.max(1, moves.length));
  return bars.flatMap((bar, i): MarketEvent[] => {
    const size = moves[i] ?? 0;
    const atMs = bar.openTimeMs + QUARTER_MS;
    if (atMs < nowMs - DAY_MS || Math.abs(size) < JUMP_SIGMAS * usual) return [];
    const { base } = listing.instrument;
    return [{ id: `jump-${base}-${atMs}`, kind: 'jump', atMs, base, size, price: priceOf(bar.close, listing) }];
  });
}

function flipsOf(market: Market, listing: Listing, nowMs: number): MarketEvent[] {
  const spanMs = listing.instrument.fundingHours * HOUR_MS;
  const events: MarketEvent[] = [];
  for (let atMs = Math.floor(nowMs / spanMs) * spanMs; atMs > nowMs - DAY_MS; atMs -= spanMs) {
    const rate = market.fundingRate(listing, atMs, nowMs);
    if (rate * market.fundingRate(listing, atMs - spanMs, nowMs) >= 0) continue;
    const { base } = listing.instrument;
    const price = priceOf(market.quote(listing, nowMs).last, listing);
    events.push({ id: `funding-${base}-${atMs}`, kind: 'funding', atMs, base, size: rate, price });
  }
  return events;
}

function listingOf(market: Market, listing: Listing, nowMs: number): MarketEvent[] {
  const atMs = market.listedAtMs(listing);
  if (atMs < nowMs - DAY_MS || atMs > nowMs) return [];
  const { base } = listing.instrument;
  const price = priceOf(market.quote(listing, nowMs).last, listing);
  return [{ id: `listing-${base}-${atMs}`, kind: 'listing', atMs, base, size: 0, price }];
}

/** The change of the largest symbol over each of the last hours. */
function wrapsOf(market: Market, listings: ReadonlyMap<string, Listing>, nowMs: number): MarketEvent[] {
  const [largest] = listings.values();
  if (largest === undefined) return [];
  return closedBars(market, largest, HOUR_MS, 24, nowMs).map((bar) => {
    const atMs = bar.openTimeMs + HOUR_MS;
    const size = bar.close / bar.open - 1;
    const { base } = largest.instrument;
    return { id: `wrap-${base}-${atMs}`, kind: 'wrap', atMs, base, size, price: priceOf(bar.close, largest) };
  });
}

/** An event as one feed reports it. */
export interface Story {
  id: string;
  title: string;
  summary: string;
  author: string;
  atMs: number;
}

const names: Record<string, string> = {
  BTC: 'Bitcoin',
  ETH: 'Ethereum',
  SOL: 'Solana',
  DOGE: 'Dogecoin',
  ADA: 'Cardano',
  LINK: 'Chainlink',
  AVAX: 'Avalanche',
  DOT: 'Polkadot',
  LTC: 'Litecoin',
};
/** `Bitcoin (BTC)`, or `$SUI` where the project has no other name here. */
const subject = (base: string): string => (names[base] === undefined ? `$${base}` : `${names[base]} (${base})`);
const pct = (fraction: number): string => `${Math.abs(fraction * 100).toFixed(Math.abs(fraction) < 0.001 ? 4 : 2)}%`;
const signedPct = (fraction: number): string => `${(fraction * 100).toFixed(4)}%`;
const usd = (price: number): string => `$${Number(price.toPrecision(5))}`;

type Wording = (event: MarketEvent) => string;
/** One voice per feed: the same facts in other words. */
const voices: readonly Record<MarketEvent['kind'], Wording>[] = [
  {
    jump: ({ base, size, price }) =>
      `${subject(base)} ${size > 0 ? 'surges' : 'plunges'} ${pct(size)} in 15 minutes to ${usd(price)}`,
    funding: ({ base, size }) =>
      `${subject(base)} funding turns ${size > 0 ? 'positive' : 'negative'} at ${signedPct(size)}`,
    listing: ({ base }) => `${subject(base)} perpetual listing goes live`,
    wrap: ({ base, size, price }) =>
      `Hourly wrap: ${subject(base)} ${size > 0 ? 'up' : 'down'} ${pct(size)} at ${usd(price)}`,
  },
  {
    jump: ({ base, size, price }) =>
      `${subject(base)} ${size > 0 ? 'surges' : 'plunges'} ${pct(size)} to ${usd(price)} within 15 minutes`,
    funding: ({ base, size }) =>
      `Funding of ${subject(base)} turns ${size > 0 ? 'positive' : 'negative'}, now ${signedPct(size)}`,
    listing: ({ base }) => `Exchange listing: ${subject(base)} perpetual goes live`,
    wrap: ({ base, size, price }) =>
      `${subject(base)} ${size > 0 ? 'up' : 'down'} ${pct(size)} over the hour at ${usd(price)}`,
  },
];

/** How long after an event a feed reports it, and how many events it reports. */
export interface Voice {
  wording: 0 | 1;
  author: string;
  delayMs: number;
  sharePct: number;
}

/** What a feed has published so far, newest first. */
export function storiesOf(events: readonly MarketEvent[], voice: Voice, nowMs: number): Story[] {
  return events
    .flatMap((event): Story[] => {
      const draw = hashText(`${voice.author} ${event.id}`);
      const atMs = event.atMs + voice.delayMs + (draw % 60) * 1000;
      if (draw % 100 >= voice.sharePct || atMs > nowMs) return [];
      const title = voices[voice.wording]?.[event.kind](event) ?? '';
      const summary = `Simulated story about the simulated market. ${title}.`;
      return [{ id: event.id, title, summary, author: voice.author, atMs }];
    })
    .reverse()
    .sort((a, b) => b.atMs - a.atMs);
}
