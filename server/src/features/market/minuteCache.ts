import { HOUR_MS, MINUTE_MS } from '@sextant/engine-as/abi/intervals.ts';
import { cutCandles } from '@sextant/workers/src/candles/candleColumns.ts';
import { joinColumns } from '@sextant/workers/src/candles/candleColumns.ts';
import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import { ok } from '@sextant/workers/src/core/result.ts';
import type { Outcome } from '../../platform/errors.ts';
import { mapLimited } from '../../platform/mapLimited.ts';
import type { Caller } from './fetchShare.ts';
import { lastClosedOpen } from './intervals.ts';
import type { ExchangeId, MinutesRequest, Sourced, Venue } from './port.ts';
import { createTurns } from './shared.ts';

/** Minutes are cached by whole hours: 3 KB each, 12 MB in total. */
const hoursMax = 4000;
/**
 * Hours of one fetch. Binance weighs up to 99 candles 1, up to 499 2, up to 1,000 5: eight hours return the most for their weight, and
 * nine hours fetched separately weigh no less.
 */
const hoursPerFetch = 8;
/** Cost of a fetch as a share of a page of 1,000 candles, which weighs 5 (fetchShare.ts). */
const costOf = (hourCount: number): number => (hourCount === 1 ? 0.2 : 0.4);
const fetchesAtOnce = 4;

interface Hour {
  candles: Candles;
  fetchedAtMs: number;
}

/** A run of hours for one fetch: the numbers of the first and the last since 1970. */
interface Stretch {
  first: number;
  last: number;
}

type Request = Pick<MinutesRequest, 'symbol' | 'opens' | 'lengthMs'> & { exchange: ExchangeId };

const keyOf = ({ exchange, symbol }: Request, hour: number): string => `${exchange} ${symbol} ${hour}`;

/** The hours that contain any of the minutes, in order. */
function hoursOf({ opens, lengthMs }: Pick<Request, 'opens' | 'lengthMs'>): number[] {
  const hours = new Set<number>();
  for (const openMs of opens) {
    for (let at = Math.floor(openMs / HOUR_MS); at * HOUR_MS < openMs + lengthMs; at++) hours.add(at);
  }
  return [...hours].sort((a, b) => a - b);
}

/** Combines neighbouring hours into one fetch, including the hours between them. */
export function stretchesOf(hours: readonly number[]): Stretch[] {
  const stretches: Stretch[] = [];
  for (const hour of hours) {
    const open = stretches.at(-1);
    if (open !== undefined && hour - open.first < hoursPerFetch) open.last = hour;
    else stretches.push({ first: hour, last: hour });
  }
  return stretches;
}

/** The minutes inside each candle, candle after candle. */
function partsOf({ opens, lengthMs }: Request, hours: ReadonlyMap<number, Hour>): Candles {
  const sorted = [...new Set(opens)].sort((a, b) => a - b);
  const parts = sorted.map((openMs) => {
    const inside = hoursOf({ opens: [openMs], lengthMs }).flatMap((hour) => hours.get(hour)?.candles ?? []);
    return cutCandles(joinColumns(inside), openMs, openMs + lengthMs);
  });
  return joinColumns(parts);
}

/** Closed minutes of single candles that may be far apart: the cache of candles stores one contiguous span per series. */
export function createMinuteCache(venues: Record<ExchangeId, Pick<Venue, 'candles'>>, now: () => number) {
  const cache = new Map<string, Hour>();
  const inTurn = createTurns();

  function keep(key: string, hour: Hour): void {
    cache.delete(key);
    cache.set(key, hour);
    const [oldest] = cache.keys();
    if (cache.size > hoursMax && oldest !== undefined) cache.delete(oldest);
  }

  /** @param matches receives the hours; incomplete ones, which have not ended or have gaps, are fetched again next time */
  async function fetch(
    request: Request,
    { first, last }: Stretch,
    caller: Caller,
    matches: Map<number, Hour>,
  ): Promise<Outcome<null>> {
    const { exchange, symbol } = request;
    const charged = await caller.charge(costOf(last - first + 1), exchange);
    if (!charged.ok) return charged;
    const fromMs = first * HOUR_MS;
    const toMs = Math.min((last + 1) * HOUR_MS - MINUTE_MS, lastClosedOpen('1m', now()));
    if (toMs < fromMs) return ok(null);
    const fetched = await venues[exchange].candles({ symbol, interval: '1m', fromMs, toMs });
    if (!fetched.ok) return fetched;
    for (let hour = first; hour <= last; hour++) {
      const candles = cutCandles(fetched.value.candles, hour * HOUR_MS, (hour + 1) * HOUR_MS);
      const each = { candles, fetchedAtMs: now() };
      matches.set(hour, each);
      if (candles.time.length === HOUR_MS / MINUTE_MS) keep(keyOf(request, hour), each);
    }
    return ok(null);
  }

  async function load(request: Request, hours: readonly number[], caller: Caller): Promise<Outcome<Map<number, Hour>>> {
    const matches = new Map<number, Hour>();
    const missing = hours.filter((hour) => {
      const known = cache.get(keyOf(request, hour));
      if (known !== undefined) matches.set(hour, known);
      return known === undefined;
    });
    const rejections: Outcome<never>[] = [];
    await mapLimited(stretchesOf(missing), fetchesAtOnce, async (stretch) => {
      // Further fetches after an error would fail as well.
      if (rejections.length > 0) return;
      const fetched = await fetch(request, stretch, caller, matches);
      if (!fetched.ok) rejections.push(fetched);
    });
    return rejections[0] ?? ok(matches);
  }

  return async (request: Request, caller: Caller): Promise<Outcome<Sourced<Candles>>> => {
    const { exchange, symbol } = request;
    const hours = hoursOf(request);
    const isStored = hours.every((hour) => cache.has(keyOf(request, hour)));
    const work = (): Promise<Outcome<Map<number, Hour>>> => load(request, hours, caller);
    // Serialised: a second caller for the same symbol mostly finds its minutes in memory.
    const loaded = await (isStored ? work() : caller.inPlace(() => inTurn(`${exchange} ${symbol}`, work)));
    if (!loaded.ok) return loaded;
    const fetchedAtMs = Math.min(now(), ...[...loaded.value.values()].map((hour) => hour.fetchedAtMs));
    return ok({ exchange, fetchedAtMs, value: partsOf(request, loaded.value) });
  };
}
