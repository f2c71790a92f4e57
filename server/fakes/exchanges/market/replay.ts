import { createHash } from 'node:crypto';
import { hash } from './hash.ts';
import { levelOfInterval, levels } from './levels.ts';
import type { Recording } from './recording.ts';
import type { Candle, Market } from './seededMarket.ts';
import { DAY_MS } from './skeleton.ts';
import { type Bar, split } from './split.ts';
import type { Listing, VenueId } from './venues.ts';

/** Recorded prices are one market's; the others stand this far beside it, so that a replay has spreads as well. */
const venueShift: Record<VenueId, number> = { binance: 1, bybit: 1.00015, okx: 0.9999 };

/** A recording moved in time and counted in one listing's ticks and lots. */
interface Placed {
  listing: Listing;
  level: number;
  startMs: number;
  endMs: number;
  shiftMs: number;
  /** By open time at the recording's own interval. */
  candles: Map<number, Candle>;
  funding: Map<number, number>;
  /** Factors that join the invented market before and after to the recorded prices. */
  before: number;
  after: number;
}

/**
 * Replays recorded candles over a seeded market. A recording is moved by a whole number of days, so that hours of the day, daily
 * bars and funding times keep their place, and ends at the last such moment before `nowMs`: its whole history is there at once.
 * Before and after it the seeded market of the same symbol goes on, scaled to join without a jump. Finer intervals than recorded
 * are invented inside the recorded bars; coarser ones are exact aggregates of them.
 */
export function createReplayMarket(seeded: Market, recordings: readonly Recording[], nowMs: number): Market {
  const placed = new WeakMap<Listing, Placed>();

  function placeOf(listing: Listing): Placed | undefined {
    const known = placed.get(listing);
    if (known !== undefined) return known;
    const recording = recordings.find(({ symbol }) => symbol === listing.instrument.ids.binance);
    if (recording === undefined) return undefined;
    const place = put(seeded, listing, recording, nowMs);
    placed.set(listing, place);
    return place;
  }

  return {
    listedAtMs: (listing) => Math.min(seeded.listedAtMs(listing), placeOf(listing)?.startMs ?? Infinity),
    candles(listing, interval, fromMs, toMs, atMs) {
      const place = placeOf(listing);
      if (place === undefined) return seeded.candles(listing, interval, fromMs, toMs, atMs);
      const level = levelOfInterval[interval] as number;
      const { durationMs } = levels[level] as { durationMs: number };
      const first = Math.max(Math.ceil(fromMs / durationMs) * durationMs, seeded.listedAtMs(listing));
      const out: Candle[] = [];
      // Whole stretches outside the recording come from the seeded market at once.
      const head = Math.min(toMs, Math.floor(place.startMs / durationMs) * durationMs);
      const tail = Math.max(fromMs, Math.ceil(place.endMs / durationMs) * durationMs);
      if (first < head) out.push(...scaled(seeded.candles(listing, interval, first, head, atMs), place.before));
      for (let openMs = Math.max(first, head); openMs < Math.min(toMs, tail) && openMs <= atMs; openMs += durationMs) {
        const candle = candleAt(seeded, place, level, openMs, atMs);
        if (candle !== undefined) out.push(candle);
      }
      if (tail < toMs) out.push(...scaled(seeded.candles(listing, interval, tail, toMs, atMs), place.after));
      return out;
    },
    quote(listing, atMs) {
      const place = placeOf(listing);
      const quote = seeded.quote(listing, atMs);
      if (place === undefined) return quote;
      const now = candleAt(seeded, place, 5, Math.floor(atMs / 60_000) * 60_000, atMs);
      const factor = now === undefined ? place.after : now.close / quote.last;
      const last = Math.round(quote.last * factor);
      const bid = Math.min(last, Math.round(quote.bid * factor));
      const ask = Math.max(last, bid + 1, Math.round(quote.ask * factor));
      return { last, bid, ask, mark: quote.mark * factor, index: quote.index * factor };
    },
    fundingRate(listing, fundingAtMs, atMs) {
      const recorded = placeOf(listing)?.funding.get(fundingAtMs);
      return recorded ?? seeded.fundingRate(listing, fundingAtMs, atMs);
    },
  };
}

/** Whole days by which a recording is moved. */
function shiftOf({ interval, rows }: Recording, nowMs: number): number {
  const { durationMs } = levels[levelOfInterval[interval] as number] as { durationMs: number };
  const lastEndMs = (rows.at(-1) as { time: number }).time + durationMs;
  return Math.floor((nowMs - lastEndMs) / DAY_MS) * DAY_MS;
}

/**
 * Name of the world that a replay shows: worlds of one name have the same candles at the same times. A changed file, another seed around
 * the recordings, or a start so much later that they are moved further is another world.
 * @param around what the seeded market follows from
 */
export function nameReplay(around: string, recordings: readonly Recording[], nowMs: number): string {
  const digest = createHash('sha256').update(around);
  for (const recording of recordings.toSorted((a, b) => (a.symbol < b.symbol ? -1 : 1))) {
    const { symbol, interval, isVolumeInQuote, unit, rows, funding } = recording;
    digest.update(JSON.stringify([symbol, interval, isVolumeInQuote, unit, shiftOf(recording, nowMs), rows.length]));
    digest.update(
      Float64Array.from(rows.flatMap((row) => [row.time, row.open, row.high, row.low, row.close, row.volume])),
    );
    digest.update(Float64Array.from(funding.flatMap(({ time, rate }) => [time, rate])));
  }
  return digest.digest('hex').slice(0, 16);
}

function put(seeded: Market, listing: Listing, recording: Recording, nowMs: number): Placed {
  const level = levelOfInterval[recording.interval] as number;
  const { durationMs } = levels[level] as { durationMs: number };
  const rows = recording.rows;
  const firstMs = (rows[0] as { time: number }).time;
  const lastEndMs = (rows.at(-1) as { time: number }).time + durationMs;
  const shiftMs = shiftOf(recording, nowMs);
  const scale = venueShift[listing.venue] * listing.instrument.unit[listing.venue] * 10 ** listing.priceDecimals;
  const unit = recording.unit;
  const lotsPerUnit = listing.contractValue === 1 ? 10 ** listing.quantityDecimals : 100 / listing.contractValue;
  const candles = new Map<number, Candle>();
  for (const row of rows) {
    const openTimeMs = row.time + shiftMs;
    const [open, high, low, close] = [row.open, row.high, row.low, row.close].map((price) =>
      Math.max(1, Math.round((price / unit) * scale)),
    ) as [number, number, number, number];
    const quantity = recording.isVolumeInQuote ? row.volume / row.close : row.volume;
    const lots = Math.round(
      ((quantity * unit) / listing.instrument.unit[listing.venue]) * lotsPerUnit * listing.turnoverShare,
    );
    candles.set(openTimeMs, { openTimeMs, open, high, low, close, lots });
  }
  const startMs = firstMs + shiftMs;
  const endMs = lastEndMs + shiftMs;
  const seededAt = (atMs: number): number => seeded.quote(listing, atMs).last;
  return {
    listing,
    level,
    startMs,
    endMs,
    shiftMs,
    candles,
    funding: new Map(recording.funding.map(({ time, rate }) => [nearestHour(time) + shiftMs, rate])),
    before: (candles.get(startMs) as Candle).open / seededAt(startMs),
    after: (candles.get(endMs - durationMs) as Candle).close / seededAt(endMs),
  };
}

const nearestHour = (timeMs: number): number => Math.round(timeMs / 3_600_000) * 3_600_000;

/** The part of the bar up to `atMs`; undefined when the recording has no trade there. */
function candleAt(seeded: Market, place: Placed, level: number, openMs: number, atMs: number): Candle | undefined {
  const { durationMs } = levels[level] as { durationMs: number };
  if (openMs > atMs) return undefined;
  if (openMs >= place.endMs || openMs + durationMs <= place.startMs) return outside(seeded, place, level, openMs, atMs);
  if (level < place.level) return aggregate(openMs, partsOf(seeded, place, level, openMs, atMs));
  if (level > place.level) return inside(place, level, openMs, atMs);
  const recorded = place.candles.get(openMs);
  if (recorded === undefined || openMs + durationMs <= atMs) return recorded;
  return aggregate(openMs, partsOf(seeded, place, level, openMs, atMs)) ?? opened(recorded);
}

function outside(seeded: Market, place: Placed, level: number, openMs: number, atMs: number): Candle | undefined {
  const interval = Object.keys(levelOfInterval).find((name) => levelOfInterval[name] === level);
  if (interval === undefined) return undefined;
  const candles = seeded.candles(place.listing, interval, openMs, openMs + 1, atMs);
  return scaled(candles, openMs < place.startMs ? place.before : place.after)[0];
}

function partsOf(seeded: Market, place: Placed, level: number, openMs: number, atMs: number): Candle[] {
  const below = levels[level + 1];
  if (below === undefined) return [];
  const out: Candle[] = [];
  for (let part = 0; part < below.parts; part++) {
    const candle = candleAt(seeded, place, level + 1, openMs + part * below.durationMs, atMs);
    if (candle !== undefined) out.push(candle);
  }
  return out;
}

/** A bar finer than the recording: the recorded bar divided as the seeded market divides its own. */
function inside(place: Placed, level: number, openMs: number, atMs: number): Candle | undefined {
  const { durationMs } = levels[level] as { durationMs: number };
  const parentMs = (levels[level - 1] as { durationMs: number }).durationMs;
  const parentOpenMs = Math.floor(openMs / parentMs) * parentMs;
  const parent =
    level - 1 === place.level ? place.candles.get(parentOpenMs) : inside(place, level - 1, parentOpenMs, Infinity);
  if (parent === undefined) return undefined;
  const bars = split(barOf(parent), {
    seed: hash(place.listing.instrument.seed, 77),
    marketSeed: 77,
    level,
    // Counted from the recording's own time: the same minute inside the same bar whenever it is replayed.
    index: Math.floor((parentOpenMs - place.shiftMs) / parentMs),
    factor: undefined,
    correlation: 0,
  });
  const bar = bars[(openMs - parentOpenMs) / durationMs] as Bar;
  const [open, high, low, close] = [bar.open, bar.high, bar.low, bar.close].map((x) =>
    Math.min(parent.high, Math.max(parent.low, Math.round(Math.exp(x)))),
  ) as [number, number, number, number];
  const candle = { openTimeMs: openMs, open, high, low, close, lots: bar.lots };
  if (openMs + durationMs <= atMs) return candle;
  const finer: Candle[] = [];
  const below = levels[level + 1];
  for (let part = 0; below !== undefined && part < below.parts; part++) {
    const at = openMs + part * below.durationMs;
    const result = at <= atMs ? inside(place, level + 1, at, atMs) : undefined;
    if (result !== undefined) finer.push(result);
  }
  return aggregate(openMs, finer) ?? opened(candle);
}

function barOf({ open, high, low, close, lots }: Candle): Bar {
  const range = Math.log(high / low);
  // Parkinson: the range of a driftless path has variance 4 ln 2 times the path's. A flat bar stays flat.
  return {
    open: Math.log(open),
    high: Math.log(high),
    low: Math.log(low),
    close: Math.log(close),
    variance: Math.max(1e-14, (range * range) / (4 * Math.LN2)),
    lots,
  };
}

const opened = ({ openTimeMs, open }: Candle): Candle => ({
  openTimeMs,
  open,
  high: open,
  low: open,
  close: open,
  lots: 0,
});

function aggregate(openTimeMs: number, parts: readonly Candle[]): Candle | undefined {
  const [first, last] = [parts[0], parts.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  return {
    openTimeMs,
    open: first.open,
    high: Math.max(...parts.map(({ high }) => high)),
    low: Math.min(...parts.map(({ low }) => low)),
    close: last.close,
    lots: parts.reduce((sum, { lots }) => sum + lots, 0),
  };
}

const scaled = (candles: readonly Candle[], factor: number): Candle[] =>
  candles.map((candle) => ({
    ...candle,
    open: Math.max(1, Math.round(candle.open * factor)),
    high: Math.max(1, Math.round(candle.high * factor)),
    low: Math.max(1, Math.round(candle.low * factor)),
    close: Math.max(1, Math.round(candle.close * factor)),
  }));
