import { drawsAt, hash, toNormal, toUniform } from './hash.ts';
import { bitcoin, type Instrument } from './instruments.ts';
import { levelOfInterval, levels } from './levels.ts';
import { fastOffset, slowPremium } from './premium.ts';
import { createSkeleton, DAY_MS } from './skeleton.ts';
import { type Bar, divide, type Factor, fit, folded, followed, reach, split } from './split.ts';
import type { Listing } from './venues.ts';

// Long because price, premium, funding and books of the market are one calculation.

/** The same span three times: BTC's index, the instrument's index, and the instrument as one venue trades it. */
interface Chain {
  factor: Bar;
  index: Bar;
  venue: Bar;
}

/** A bar as the venue counts: whole ticks and whole quantity steps, so that coarser bars are exact sums of finer ones. */
export interface Candle {
  openTimeMs: number;
  open: number;
  high: number;
  low: number;
  close: number;
  lots: number;
  /** The JSON its venue sends for it, once that was written. */
  json?: string;
}

export interface Quote {
  /** Whole ticks. */
  last: number;
  bid: number;
  ask: number;
  /** Prices per listed unit, not rounded. */
  mark: number;
  index: number;
}

export interface Market {
  /** Bars with `fromMs <= open < toMs` that have started at `nowMs`, oldest first; the last may still be running. */
  candles(listing: Listing, interval: string, fromMs: number, toMs: number, nowMs: number): Candle[];
  quote(listing: Listing, nowMs: number): Quote;
  /** Funding settled, or being settled, at `fundingAtMs`, from the premium up to `nowMs`. */
  fundingRate(listing: Listing, fundingAtMs: number, nowMs: number): number;
  listedAtMs(listing: Listing): number;
}

/** Cache of a listing's last result, because the running bar is requested repeatedly. It never changes a result. */
interface Memo {
  premiums: (hour: number, make: () => number) => number;
  /** By level: the last bar that was divided there, and its parts. */
  lastParts: { index: number; parts: Chain[] }[];
}

const HOUR_MS = 3_600_000;
/** Longest wick of a day in its own deviations: the rare longer ones look like an error in the data. */
const dayWickMax = 1.4;

/** A market that is a pure function of (seed, time): any bar in any order, today or in a year, comes out the same. */
export function createSeededMarket(seed: number): Market {
  const skeleton = createSkeleton(seed);
  const bitcoinParts = boundedMemo<Bar[]>(4096);
  const memos = new WeakMap<Listing, Memo>();

  const offset = (listing: Listing, atMs: number): number =>
    premiumAt(listing, atMs) + fastOffset(seed, listing.venue, listing.instrument, atMs);

  /** Straight between full hours: it moves over many hours, and is needed at every edge of every bar. */
  function premiumAt(listing: Listing, atMs: number): number {
    const hour = Math.floor(atMs / HOUR_MS);
    const before = premiumOfHour(listing, hour);
    if (atMs === hour * HOUR_MS) return before;
    return before + (premiumOfHour(listing, hour + 1) - before) * (atMs / HOUR_MS - hour);
  }

  function premiumOfHour(listing: Listing, hour: number): number {
    const { venue, instrument } = listing;
    return memoOf(listing).premiums(hour, () => {
      const atMs = hour * HOUR_MS;
      return slowPremium(seed, venue, instrument, atMs, trendAt(instrument, atMs));
    });
  }

  function memoOf(listing: Listing): Memo {
    let memo = memos.get(listing);
    if (memo === undefined) {
      memo = { premiums: boundedMemo(96), lastParts: [] };
      memos.set(listing, memo);
    }
    return memo;
  }

  /** Log move of the two days before, eased over the day; computed from completed days, so without look-ahead. */
  function trendAt(instrument: Instrument, atMs: number): number {
    const day = Math.floor(atMs / DAY_MS);
    const opens = [day - 3, day - 2, day - 1, day].map((each) => skeleton.day(instrument, Math.max(19_000, each)).open);
    const [a, b, c, d] = opens as [number, number, number, number];
    return c - a + (d - b - (c - a)) * (atMs / DAY_MS - day);
  }

  function indexDay(instrument: Instrument, day: number): Bar {
    const { open, close, variance, correlation } = skeleton.day(instrument, day);
    const draws = drawsAt(seed ^ instrument.seed, 0, day, 4);
    const deviation = Math.sqrt(variance);
    const isFollower = instrument !== bitcoin && draws.uniform() < correlation;
    const own = { open, close, variance, lots: 0, ...reach(open, close, variance, draws.uniform(), draws.uniform()) };
    const { above, below } = wicks(isFollower ? indexDay(bitcoin, day) : own);
    const most = Math.min(dayWickMax, 0.35 / deviation);
    return { ...own, ...followed(open, close, deviation, Math.min(most, above), Math.min(most, below)) };
  }

  function venueDay(listing: Listing, index: Bar, day: number): Bar {
    const open = index.open + offset(listing, day * DAY_MS);
    const close = index.close + offset(listing, (day + 1) * DAY_MS);
    const shift = (open - index.open + close - index.close) / 2;
    return {
      open,
      close,
      high: Math.max(open, close, index.high + shift),
      low: Math.min(open, close, index.low + shift),
      variance: index.variance,
      lots: lotsOfDay(listing, index, day),
    };
  }

  function lotsOfDay({ instrument, venue, turnoverShare, ...listing }: Listing, index: Bar, day: number): number {
    const usual = 0.021 ** 2 * instrument.beta ** 2 + instrument.ownVolatility ** 2;
    const activity =
      Math.sqrt(index.variance / usual) * Math.exp(0.22 * toNormal(hash(seed ^ instrument.seed, 17, day)));
    const local = Math.exp(0.1 * toNormal(hash(seed ^ instrument.seed, 18, day, venue.length)));
    const weekend = (day + 4) % 7 === 0 || (day + 4) % 7 === 6 ? 0.68 : 1;
    const turnover = instrument.dailyTurnover * turnoverShare * activity * local * weekend;
    const price = Math.exp((index.high + index.low) / 2) * instrument.unit[venue];
    return Math.max(1, Math.round((turnover / price) * stepsPerUnit(listing)));
  }

  function dayChain(listing: Listing, day: number): Chain {
    const index = indexDay(listing.instrument, day);
    const factor = listing.instrument === bitcoin ? index : indexDay(bitcoin, day);
    return { factor, index, venue: venueDay(listing, index, day) };
  }

  function bitcoinChildren(bar: Bar, level: number, index: number): Bar[] {
    return bitcoinParts(level * 4294967296 + index, () =>
      split(bar, { seed: seed ^ bitcoin.seed, marketSeed: seed, level, index, factor: undefined, correlation: 0 }),
    );
  }

  /** The bars of `level` inside the bar with this index at the level above. */
  function children(listing: Listing, chain: Chain, level: number, index: number): Chain[] {
    const { lastParts } = memoOf(listing);
    const last = lastParts[level];
    if (last?.index === index) return last.parts;
    const parts = divided(listing, chain, level, index);
    lastParts[level] = { index, parts };
    return parts;
  }

  function divided(listing: Listing, chain: Chain, level: number, index: number): Chain[] {
    const factorBars = bitcoinChildren(chain.factor, level, index);
    const isBitcoin = listing.instrument === bitcoin;
    const indexBars = isBitcoin ? factorBars : altcoinChildren(listing, chain, factorBars, level, index);
    const venueBars = venueChildren(listing, chain.venue, indexBars, level, index);
    return venueBars.map((venue, part) => ({
      factor: factorBars[part] as Bar,
      index: indexBars[part] as Bar,
      venue,
    }));
  }

  function altcoinChildren(listing: Listing, chain: Chain, factorBars: readonly Bar[], level: number, index: number) {
    const { instrument } = listing;
    const parentMs = (levels[level - 1] as { durationMs: number }).durationMs;
    const { correlation } = skeleton.day(instrument, Math.floor((index * parentMs) / DAY_MS));
    const factor = factorOf(chain.factor, factorBars);
    return split(chain.index, { seed: seed ^ instrument.seed, marketSeed: seed, level, index, factor, correlation });
  }

  function venueChildren(listing: Listing, bar: Bar, indexBars: readonly Bar[], level: number, index: number): Bar[] {
    const { durationMs, parts } = levels[level] as { durationMs: number; parts: number };
    const firstMs = index * parts * durationMs;
    const edges = [bar.open];
    const shifts = [bar.open - (indexBars[0] as Bar).open];
    for (let part = 1; part < parts; part++) {
      const shift = offset(listing, firstMs + part * durationMs);
      shifts.push(shift);
      edges.push(folded((indexBars[part] as Bar).open + shift, bar));
    }
    edges.push(bar.close);
    shifts.push(bar.close - (indexBars[parts - 1] as Bar).close);
    const reached = indexBars.map((each, part) => {
      const shift = ((shifts[part] as number) + (shifts[part + 1] as number)) / 2;
      const from = edges[part] as number;
      const to = edges[part + 1] as number;
      return { high: Math.max(from, to, each.high + shift), low: Math.min(from, to, each.low + shift) };
    });
    const sketch = { edges, highs: reached.map(({ high }) => high), lows: reached.map(({ low }) => low) };
    const shares = shareOf(indexBars);
    return fit(bar, sketch, shares, venueLots(listing, bar.lots, shares, level, index));
  }

  function venueLots(
    listing: Listing,
    lots: number,
    shares: readonly number[],
    level: number,
    index: number,
  ): number[] {
    const draws = drawsAt(seed ^ listing.instrument.seed, level, index, 5);
    const local = drawsAt(seed ^ listing.instrument.seed, level, index, 6 + listing.venue.length);
    const weights = shares.map((share) => share ** 0.8 * Math.exp(0.28 * draws.normal() + 0.12 * local.normal()));
    return divide(lots, weights);
  }

  interface Walk {
    listing: Listing;
    target: number;
    fromMs: number;
    toMs: number;
    nowMs: number;
    out: Candle[];
  }

  function collect(walk: Walk, chain: Chain, level: number, index: number): void {
    const { durationMs } = levels[level] as { durationMs: number };
    const openTimeMs = index * durationMs;
    if (openTimeMs > walk.nowMs || openTimeMs >= walk.toMs || openTimeMs + durationMs <= walk.fromMs) return;
    if (level === walk.target) {
      const isClosed = openTimeMs + durationMs <= walk.nowMs;
      const bar = isClosed ? chain.venue : soFar(walk.listing, chain, level, index, walk.nowMs);
      walk.out.push(quoted(walk.listing, openTimeMs, bar));
      return;
    }
    const below = level + 1;
    const { parts } = levels[below] as { parts: number };
    children(walk.listing, chain, below, index).forEach((child, part) => {
      collect(walk, child, below, index * parts + part);
    });
  }

  /** The part of a running bar that has happened: its finished parts, and the same of the part that is running. */
  function soFar(listing: Listing, chain: Chain, level: number, index: number, nowMs: number): Bar {
    const { open } = chain.venue;
    const bar: Bar = { open, high: open, low: open, close: open, variance: 0, lots: 0 };
    const below = level + 1;
    const next = levels[below];
    if (next === undefined) return bar;
    for (const [part, child] of children(listing, chain, below, index).entries()) {
      const childIndex = index * next.parts + part;
      if (childIndex * next.durationMs > nowMs) break;
      const isDone = (childIndex + 1) * next.durationMs <= nowMs;
      const done = isDone ? child.venue : soFar(listing, child, below, childIndex, nowMs);
      bar.high = Math.max(bar.high, done.high);
      bar.low = Math.min(bar.low, done.low);
      bar.close = done.close;
      bar.lots += done.lots;
      if (!isDone) break;
    }
    return bar;
  }

  const listedAtMs = ({ instrument, venue }: Listing): number =>
    // The smaller venues list a young coin some days later.
    instrument.listedAtMs + (instrument.listedAtMs > Date.UTC(2024, 0, 1) && venue !== 'binance' ? 3 * DAY_MS : 0);

  return {
    listedAtMs,
    candles(listing, interval, fromMs, toMs, nowMs) {
      const target = levelOfInterval[interval];
      if (target === undefined) throw new RangeError(`no interval ${interval}`);
      const walk: Walk = {
        listing,
        target,
        fromMs: Math.max(fromMs, listedAtMs(listing)),
        toMs,
        nowMs,
        out: [],
      };
      const lastDay = Math.floor(Math.min(toMs - 1, nowMs) / DAY_MS);
      for (let day = Math.floor(walk.fromMs / DAY_MS); day <= lastDay; day++) {
        collect(walk, dayChain(listing, day), 0, day);
      }
      return walk.out;
    },
    quote(listing, nowMs) {
      const day = Math.floor(nowMs / DAY_MS);
      const { close } = soFar(listing, dayChain(listing, day), 0, day, nowMs);
      const { instrument, venue } = listing;
      const unit = instrument.unit[venue];
      const last = ticksOf(listing, close);
      const index = close - offset(listing, nowMs);
      const mark = index + premiumAt(listing, nowMs);
      const halfSpread = Math.max(0.5, 0.5 * spreadOf(instrument) * last);
      const side = hash(seed, instrument.seed, Math.floor(nowMs / 700)) & 1;
      const bid = Math.round(last - halfSpread * (side === 0 ? 0.02 : 1.98));
      return {
        last,
        bid,
        ask: Math.max(bid + 1, Math.round(bid + 2 * halfSpread)),
        mark: Math.exp(mark) * unit,
        index: Math.exp(index) * unit,
      };
    },
    fundingRate(listing, fundingAtMs, nowMs) {
      const { instrument } = listing;
      const spanMs = instrument.fundingHours * 3_600_000;
      const samples = 16;
      let sum = 0;
      let count = 0;
      for (let sample = 1; sample <= samples; sample++) {
        const atMs = fundingAtMs - spanMs + (sample * spanMs) / samples;
        if (atMs > nowMs && count > 0) break;
        sum += premiumAt(listing, atMs);
        count++;
      }
      return fundingOf(sum / count, instrument.fundingHours);
    },
  };
}

/** The venues' published rule: premium plus the interest rate, which is clamped to 0.05 % around it; capped at 2 %. */
function fundingOf(premium: number, hours: number): number {
  const interest = (0.0001 * hours) / 8;
  const rate = premium + Math.max(-0.0005, Math.min(0.0005, interest - premium));
  return Math.round(Math.max(-0.02, Math.min(0.02, rate)) * 1e8) / 1e8;
}

/** Gap between best bid and ask as a fraction: a hundredth of a basis point for BTC, some basis points for thin markets. */
function spreadOf(instrument: Instrument): number {
  const jitter = 0.8 + 0.4 * toUniform(hash(instrument.seed, 3));
  return Math.min(0.0009, 0.000002 * (18e9 / instrument.dailyTurnover) ** 0.75) * jitter;
}

const stepsPerUnit = ({
  quantityDecimals,
  contractValue,
}: Pick<Listing, 'quantityDecimals' | 'contractValue'>): number =>
  // OKX counts hundredths of a contract.
  contractValue === 1 ? 10 ** quantityDecimals : 100 / contractValue;

const ticksOf = ({ priceDecimals, instrument, venue }: Listing, logPrice: number): number =>
  Math.max(1, Math.round(Math.exp(logPrice) * instrument.unit[venue] * 10 ** priceDecimals));

function quoted(listing: Listing, openTimeMs: number, bar: Bar): Candle {
  return {
    openTimeMs,
    open: ticksOf(listing, bar.open),
    high: ticksOf(listing, bar.high),
    low: ticksOf(listing, bar.low),
    close: ticksOf(listing, bar.close),
    lots: bar.lots,
  };
}

function shareOf(bars: readonly Bar[]): number[] {
  let total = 0;
  for (const bar of bars) total += bar.variance;
  return bars.map((bar) => bar.variance / total);
}

/** How far a bar reached beyond its open and close, in its standard deviations. */
function wicks({ open, high, low, close, variance }: Bar): { above: number; below: number } {
  const deviation = Math.sqrt(variance);
  return { above: (high - Math.max(open, close)) / deviation, below: (Math.min(open, close) - low) / deviation };
}

/** A divided bar in standard deviations, for the symbols that follow it. */
function factorOf(bar: Bar, parts: readonly Bar[]): Factor {
  const shares = shareOf(parts);
  const deviation = Math.sqrt(bar.variance);
  let elapsed = 0;
  const edges = parts.map((part, index) => {
    const straight = bar.open + elapsed * (bar.close - bar.open);
    elapsed += shares[index] as number;
    return (part.open - straight) / deviation;
  });
  const reached = parts.map(wicks);
  return { edges, above: reached.map(({ above }) => above), below: reached.map(({ below }) => below) };
}

function boundedMemo<T>(limit: number): (key: number, make: () => T) => T {
  const cache = new Map<number, T>();
  return (key, make) => {
    const match = cache.get(key);
    if (match !== undefined) return match;
    const made = make();
    // Clearing the whole cache is cheap, and recomputed entries are equal.
    if (cache.size >= limit) cache.clear();
    cache.set(key, made);
    return made;
  };
}
