import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import { failWith, ok } from '@sextant/workers/src/core/result.ts';
import { translateDatabaseError } from '../../platform/db/databaseError.ts';
import { type Db, type SystemTx, withSystem } from '../../platform/db/scope.ts';
import { type Outcome, reject } from '../../platform/errors.ts';
import { RejectionError } from '../../platform/http/rejectionError.ts';
import type { CandleStore, StoredRange } from './candleStore.ts';
import { readDayCandles } from './chunkRepository.ts';
import { fundingsWithin, readFundingYears } from './fundingRepository.ts';
import { listRevisions } from './listRevisions.ts';
import type { ClosedCandles, History, HistoryGap } from './port.ts';
import { type BarRange, openRanges } from './ranges.ts';
import { readListing, readListings, readUniverse, readUniverseDays } from './universeRepository.ts';

export interface HistoryDeps {
  db: Db;
  source: string;
  store: Pick<CandleStore, 'readRange'>;
}

/** An exchange may state a listing time days before the first trade. */
const listingSlackMs = 3 * 86_400_000;

/** The stored history for other features. */
export function createHistory({ db, source, store }: HistoryDeps): History {
  const inDatabase = async <T>(work: (tx: SystemTx) => Promise<T>): Promise<Outcome<T>> => {
    try {
      return ok(await withSystem(db, work));
    } catch (error) {
      const translated = translateDatabaseError(error);
      if (translated instanceof RejectionError) return failWith(translated.rejection);
      throw error;
    }
  };
  return {
    async readClosedCandles(request) {
      const stepMs = intervalMs[request.interval];
      const range = {
        fromMs: Math.ceil(request.from / stepMs) * stepMs,
        toMs: Math.floor(request.to / stepMs) * stepMs,
      };
      if (!(range.fromMs <= range.toMs))
        return reject('validation_failed', 'from must be at or before to.', { field: 'from' });
      const read = await store.readRange(request, range, request.asOf);
      if (!read.ok) return read;
      const isEarlyMissing = read.value.candles.time[0] !== range.fromMs;
      const listing = isEarlyMissing ? await inDatabase((tx) => readListing(tx, { ...request, source })) : ok(null);
      if (!listing.ok) return listing;
      return ok(closedCandles(read.value, range, { stepMs, source, listedAtMs: listing.value?.listedAt ?? null }));
    },
    readDay: (exchange, symbols, day) =>
      inDatabase((tx) => readDayCandles(tx, { source, exchange, interval: '1d', price: 'last' }, symbols, day)),
    readRevisions: ({ exchange, symbol, interval, price = 'last' }, from, to) =>
      inDatabase((tx) => listRevisions(tx, { source, exchange, symbol }, { interval, price, fromMs: from, toMs: to })),
    readFundings: ({ exchange, symbol, from, to }) =>
      inDatabase(async (tx) => {
        const years = await readFundingYears(tx, { source, exchange, symbol }, { fromMs: from, toMs: to });
        return fundingsWithin(years, { fromMs: from, toMs: to });
      }),
    readUniverse: (exchange, at) => inDatabase((tx) => readUniverse(tx, { source, exchange }, at)),
    readUniverseDays: (exchange, from, to) => inDatabase((tx) => readUniverseDays(tx, { source, exchange }, from, to)),
    readListing: (exchange, symbol) => inDatabase((tx) => readListing(tx, { source, exchange, symbol })),
    readListings: (exchange) => inDatabase((tx) => readListings(tx, { source, exchange })),
  };
}

interface About {
  stepMs: number;
  source: string;
  listedAtMs: number | null;
}

/** A stored range with its gaps. It is complete only when every bar since the listing is there. */
export function closedCandles(
  { candles, covered, revisedCount }: StoredRange,
  range: BarRange,
  { stepMs, source, listedAtMs }: About,
): ClosedCandles {
  const gaps = gapsOf(candles.time, covered, range, stepMs).filter(({ to, cause }) => {
    if (listedAtMs === null) return true;
    const isBefore = to < listedAtMs;
    // Between the stated listing and the first trade the exchange has no bars to send.
    const firstMs = candles.time[0];
    const isUntraded =
      cause === 'not_sent' && firstMs !== undefined && to < firstMs && firstMs <= listedAtMs + listingSlackMs;
    return !isBefore && !isUntraded;
  });
  // A gap that reaches back over the listing starts there.
  const clipped = gaps.map((gap) => ({
    ...gap,
    from: listedAtMs === null ? gap.from : Math.max(gap.from, Math.floor(listedAtMs / stepMs) * stepMs),
  }));
  return {
    columns: candles,
    gaps: clipped,
    complete: candles.time.length > 0 && clipped.length === 0,
    source,
    revisedCount,
  };
}

/** Missing bars of a range by cause, oldest first. */
function gapsOf(time: Float64Array, covered: readonly BarRange[], range: BarRange, stepMs: number): HistoryGap[] {
  const gaps: HistoryGap[] = [];
  const add = (fromMs: number, toMs: number): void => {
    if (fromMs > toMs) return;
    const unknown = openRanges(covered, { fromMs, toMs }, stepMs);
    const sent = openRanges(unknown, { fromMs, toMs }, stepMs);
    const parts: HistoryGap[] = [
      ...unknown.map((each) => ({ from: each.fromMs, to: each.toMs, cause: 'not_stored' as const })),
      ...sent.map((each) => ({ from: each.fromMs, to: each.toMs, cause: 'not_sent' as const })),
    ];
    gaps.push(...parts.sort((a, b) => a.from - b.from));
  };
  let expectedMs = range.fromMs;
  for (const openMs of time) {
    if (openMs > expectedMs) add(expectedMs, openMs - stepMs);
    expectedMs = openMs + stepMs;
  }
  add(expectedMs, range.toMs);
  return gaps;
}
