import { sql } from 'kysely';
import type { z } from 'zod';
import { intervalMs, intervals } from '@sextant/engine-as/abi/intervals.ts';
import { type Db, type SystemTx, withSystem } from '../../platform/db/scope.ts';
import type { ExchangeId, Interval, PriceKind } from '../market/port.ts';
import { readProgress, type StoredProgress } from './backfillRepository.ts';
import type { CandleStore } from './candleStore.ts';
import { LISTED_MAX, type StoredHistoryResponse, type StoredHistorySeries } from './contract.ts';
import { fundingsWithin, readFundingYears } from './fundingRepository.ts';
import { closedCandles } from './readHistory.ts';
import { listRevisions } from './listRevisions.ts';
import { readRenamed } from './renames.ts';
import { readListing } from './universeRepository.ts';

export interface DescribeDeps {
  db: Db;
  historySource: string;
  candleStore: Pick<CandleStore, 'readRange'>;
  now?: () => number;
}

interface SummaryRow {
  interval: Interval;
  price: PriceKind;
  count: number;
  first: Date | null;
  last: Date | null;
  bytes: number;
  revision_count: number;
}

const iso = (timeMs: number): string => new Date(timeMs).toISOString();

/** What the store has of a symbol: by interval with its gaps, revisions, fundings, and the progress of its exchange. */
export async function describeHistory(
  deps: DescribeDeps,
  { symbol, exchange }: { symbol: string; exchange: ExchangeId },
): Promise<z.input<typeof StoredHistoryResponse>> {
  const { db, historySource: source, now = Date.now } = deps;
  const key = { source, exchange, symbol };
  const { rows, listing, renamed, revisions, fundings, brokenCount, progress } = await withSystem(db, async (tx) => ({
    rows: await readSummary(tx, key),
    listing: await readListing(tx, key),
    renamed: await readRenamed(tx, key),
    revisions: await listRevisions(tx, key),
    fundings: fundingsWithin(await readFundingYears(tx, key, { fromMs: 0, toMs: now() }), { fromMs: 0, toMs: now() }),
    brokenCount: await countBroken(tx, key),
    progress: await readProgress(tx, key),
  }));
  const series = [];
  for (const row of rows) series.push(await describeSeries(deps, key, row));
  series.sort((a, b) => intervals.indexOf(a.interval) - intervals.indexOf(b.interval));
  const { time, intervalHours } = fundings;
  const stamp = (each: number | undefined): string | null => (each === undefined ? null : iso(each));
  const hours = new Set(intervalHours.filter((each) => each !== null));
  return {
    symbol,
    exchange,
    source,
    listed_at: stamp(listing?.listedAt ?? undefined),
    ended_at: stamp(listing?.endedAt ?? undefined),
    ...renamed,
    series,
    revisions,
    fundings: {
      count: time.length,
      first: stamp(time[0]),
      last: stamp(time.at(-1)),
      interval_hours: [...hours].sort((a, b) => a - b),
    },
    broken_chunks: brokenCount,
    backfill: progress && progressWire(progress),
  };
}

interface Key {
  source: string;
  exchange: ExchangeId;
  symbol: string;
}

async function readSummary(tx: SystemTx, { source, exchange, symbol }: Key): Promise<SummaryRow[]> {
  const { rows } = await sql<SummaryRow>`
    select interval, price, sum(candle_count)::int as count, min(first_at) as first, max(last_at) as last,
      sum(length(payload) + length(sha256) + 8 * cardinality(covered))::int as bytes, sum(revised_count)::int as revision_count
    from history_chunks where source = ${source} and exchange = ${exchange} and symbol = ${symbol}
    group by interval, price`.execute(tx);
  return rows;
}

async function describeSeries(
  { candleStore, historySource: source }: DescribeDeps,
  { exchange, symbol }: Key,
  { interval, price, count, first, last, bytes, revision_count }: SummaryRow,
): Promise<z.input<typeof StoredHistorySeries>> {
  const about = { interval, price, count, bytes, revision_count };
  if (first === null || last === null)
    return { ...about, first: null, last: null, missing: 0, gap_count: 0, gaps: [], complete: false };
  const range = { fromMs: first.getTime(), toMs: last.getTime() };
  const read = await candleStore.readRange({ exchange, symbol, interval, price }, range);
  if (!read.ok) throw new Error(read.error.message);
  const stepMs = intervalMs[interval];
  const { gaps, complete } = closedCandles(read.value, range, { stepMs, source, listedAtMs: null });
  return {
    ...about,
    first: first.toISOString(),
    last: last.toISOString(),
    missing: gaps.reduce((sum, { from, to }) => sum + (to - from) / stepMs + 1, 0),
    gap_count: gaps.length,
    gaps: gaps.slice(0, LISTED_MAX).map(({ from, to, cause }) => ({ from: iso(from), to: iso(to), cause })),
    complete,
  };
}

async function countBroken(tx: SystemTx, { source, exchange, symbol }: Key): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from history_broken_chunks
    where source = ${source} and exchange = ${exchange} and symbol = ${symbol}`.execute(tx);
  return rows[0]?.count ?? 0;
}

function progressWire(progress: StoredProgress): z.input<typeof StoredHistoryResponse>['backfill'] {
  const { errorCode, errorMessage, errorAt } = progress;
  const hasFailed = errorCode !== null && errorMessage !== null && errorAt !== null;
  return {
    state: progress.state,
    stored_parts: progress.storedCount,
    total_parts: progress.totalCount,
    error: hasFailed ? { code: errorCode, message: errorMessage, at: errorAt.toISOString() } : null,
    updated_at: progress.updatedAt.toISOString(),
  };
}
