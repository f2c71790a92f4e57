import { sql } from 'kysely';
import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import type { SystemTx } from '../../platform/db/scope.ts';
import { cutCandles } from '@sextant/workers/src/candles/candleColumns.ts';
import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import { checksumOf, decodeCandles, encodeCandles, noCandles } from './chunkCodec.ts';
import { type ChunkContent, mergePiece, type Piece, type Revision } from './mergeChunk.ts';
import { candleAt } from '../market/columns.ts';
import type { DayCandle, HistorySeries } from './port.ts';
import { type BarRange, monthsOf, pairsOf, rangesOf } from './ranges.ts';
import { REPLAY_SOURCE } from './source.ts';

/** A series of one source. */
export interface StoredSeries extends Required<HistorySeries> {
  source: string;
}

export interface ChunkRow {
  monthMs: number;
  payload: Buffer;
  candles: Candles;
  covered: BarRange[];
  revisedCount: number;
}

/** A chunk that cannot be read. */
export interface BrokenChunk {
  monthMs: number;
  reason: string;
}

interface RawChunk {
  month: string;
  payload: Buffer;
  sha256: Buffer;
  covered: number[];
  revised_count: number;
}

const monthText = (monthMs: number): string => new Date(monthMs).toISOString().slice(0, 10);
const nameOf = (series: StoredSeries, month: string): string =>
  `${series.source} ${series.exchange} ${series.symbol} ${series.interval} ${series.price} ${month}`;

const isSeries = ({ source, exchange, symbol, interval, price }: StoredSeries) =>
  sql`source = ${source} and exchange = ${exchange} and symbol = ${symbol} and interval = ${interval} and price = ${price}`;

/** The chunks of a range with verified checksums, oldest first, and the broken ones among them. */
export async function readChunks(
  tx: SystemTx,
  series: StoredSeries,
  range: BarRange,
): Promise<{ chunks: ChunkRow[]; broken: BrokenChunk[] }> {
  const months = monthsOf(range, intervalMs[series.interval]);
  const [first, last] = [months[0], months.at(-1)];
  if (first === undefined || last === undefined) return { chunks: [], broken: [] };
  const { rows } = await sql<RawChunk>`
    select month::text, payload, sha256, covered, revised_count from history_chunks
    where ${isSeries(series)} and month between ${monthText(first.monthMs)}::date and ${monthText(last.monthMs)}::date
    order by month`.execute(tx);
  const chunks: ChunkRow[] = [];
  const broken: BrokenChunk[] = [];
  for (const row of rows) {
    const monthMs = Date.parse(row.month);
    const read = readPayload(series, row);
    if (typeof read === 'string') broken.push({ monthMs, reason: read });
    else {
      const covered = rangesOf(row.covered);
      chunks.push({ monthMs, payload: row.payload, candles: read, covered, revisedCount: row.revised_count });
    }
  }
  return { chunks, broken };
}

/**
 * The candle that opens at `openMs` of many series of an interval, by symbol, in its newest version: one query instead of one for each
 * series. Broken chunks are left out; a read of their own series sets them aside.
 */
export async function readDayCandles(
  tx: SystemTx,
  of: Omit<StoredSeries, 'symbol'>,
  symbols: readonly string[],
  openMs: number,
): Promise<Map<string, DayCandle>> {
  const { source, exchange, interval, price } = of;
  const [month] = monthsOf({ fromMs: openMs, toMs: openMs }, intervalMs[interval]);
  if (month === undefined || symbols.length === 0) return new Map();
  const { rows } = await sql<RawChunk & { symbol: string }>`
    select symbol, month::text, payload, sha256, covered, revised_count from history_chunks
    where source = ${source} and exchange = ${exchange} and symbol = any(${[...symbols]}) and interval = ${interval}
      and price = ${price} and month = ${monthText(month.monthMs)}::date`.execute(tx);
  const bySymbol = new Map<string, DayCandle>();
  for (const { symbol, ...row } of rows) {
    const series = { ...of, symbol };
    const candles = readPayload(series, row);
    if (typeof candles === 'string') continue;
    const at = candles.time.indexOf(openMs);
    if (at < 0) continue;
    const only = { fromMs: openMs, toMs: openMs };
    const revised = row.revised_count === 0 ? undefined : (await readRevisions(tx, series, only)).get(openMs);
    const { close, volume } = revised ?? candleAt(candles, at);
    bySymbol.set(symbol, { close, volume });
  }
  return bySymbol;
}

/** The candles, or why they cannot be read. */
function readPayload(series: StoredSeries, { month, payload, sha256 }: RawChunk): Candles | string {
  if (!checksumOf(nameOf(series, month), payload).equals(sha256)) return 'the checksum does not match';
  const decoded = decodeCandles(payload);
  return decoded.ok ? decoded.value : decoded.error;
}

/** Moves a broken chunk aside: its month then counts as not stored and is requested again. */
export async function setAside(tx: SystemTx, series: StoredSeries, { monthMs, reason }: BrokenChunk): Promise<void> {
  await sql`
    with moved as (delete from history_chunks where ${isSeries(series)} and month = ${monthText(monthMs)}::date
      returning source, exchange, symbol, interval, price, month, payload, sha256)
    insert into history_broken_chunks (source, exchange, symbol, interval, price, month, payload, sha256, reason)
    select moved.*, ${reason.slice(0, 300)} from moved`.execute(tx);
}

/** Newest version of each revised bar of a range that was noticed by `asOfMs`. */
export async function readRevisions(
  tx: SystemTx,
  series: StoredSeries,
  { fromMs, toMs }: BarRange,
  asOfMs = Infinity,
): Promise<Map<number, Revision>> {
  const asOf = Number.isFinite(asOfMs) ? new Date(asOfMs) : null;
  const { rows } = await sql<Omit<Revision, 'time'> & { opens_at: Date }>`
    select distinct on (opens_at) opens_at, revision, open, high, low, close, volume from history_revisions
    where ${isSeries(series)} and opens_at between ${new Date(fromMs)} and ${new Date(toMs)}
      and (${asOf}::timestamptz is null or noticed_at <= ${asOf}::timestamptz)
    order by opens_at, revision desc`.execute(tx);
  return new Map(rows.map(({ opens_at, ...values }) => [opens_at.getTime(), { time: opens_at.getTime(), ...values }]));
}

/**
 * Adds a piece to the chunk of one month in the caller's transaction. Writers of the same series take turns.
 * @param piece within that month
 * @returns the number of new revisions
 */
async function writeMonth(tx: SystemTx, series: StoredSeries, monthMs: number, piece: Piece): Promise<number> {
  const month = monthText(monthMs);
  const stepMs = intervalMs[series.interval];
  const { chunks, broken } = await readChunks(tx, series, piece);
  for (const each of broken) await setAside(tx, series, each);
  const [chunk] = chunks;
  // A month whose chunk was set aside still has its revisions.
  const revisions = chunk?.revisedCount === 0 ? new Map<number, Revision>() : await readRevisions(tx, series, piece);
  const content: ChunkContent = { candles: chunk?.candles ?? noCandles(), covered: chunk?.covered ?? [], revisions };
  const merged = mergePiece(content, piece, stepMs);
  if (!merged.isChanged) return 0;
  const { time } = merged.candles;
  const payload = merged.candles === chunk?.candles ? chunk.payload : await encodeCandles(merged.candles, stepMs);
  const dateOf = (timeMs: number | undefined): Date | null => (timeMs === undefined ? null : new Date(timeMs));
  for (const each of merged.newRevisions) await insertRevision(tx, series, each);
  await sql`
    insert into history_chunks (source, exchange, symbol, interval, price, month, payload, sha256, candle_count, first_at, last_at,
      covered, revised_count)
    values (${series.source}, ${series.exchange}, ${series.symbol}, ${series.interval}, ${series.price}, ${month}::date,
      ${payload}, ${checksumOf(nameOf(series, month), payload)}, ${time.length}, ${dateOf(time[0])}, ${dateOf(time.at(-1))},
      ${pairsOf(merged.covered)}, ${merged.newRevisions.length + (chunk === undefined ? revisions.size : 0)})
    on conflict (source, exchange, symbol, interval, price, month) do update set payload = excluded.payload,
      sha256 = excluded.sha256, candle_count = excluded.candle_count, first_at = excluded.first_at, last_at = excluded.last_at,
      covered = excluded.covered, revised_count = history_chunks.revised_count + excluded.revised_count,
      written_at = now()`.execute(tx);
  return merged.newRevisions.length;
}

async function insertRevision(tx: SystemTx, series: StoredSeries, each: Revision): Promise<void> {
  await sql`
    insert into history_revisions (source, exchange, symbol, interval, price, opens_at, revision, open, high, low, close, volume)
    values (${series.source}, ${series.exchange}, ${series.symbol}, ${series.interval}, ${series.price}, ${new Date(each.time)},
      ${each.revision}, ${each.open}, ${each.high}, ${each.low}, ${each.close}, ${each.volume})`.execute(tx);
}

/** Advisory lock: serialises the writers of a series until the transaction ends. */
async function lockSeries(tx: SystemTx, series: StoredSeries): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`history ${nameOf(series, '')}`}, 0))`.execute(tx);
}

/** Adds a piece of any length. @returns the number of new revisions */
export async function writePiece(tx: SystemTx, series: StoredSeries, piece: Piece): Promise<number> {
  await lockSeries(tx, series);
  let revisedCount = 0;
  for (const { monthMs, fromMs, toMs } of monthsOf(piece, intervalMs[series.interval])) {
    const candles = cutCandles(piece.candles, fromMs, toMs + 1);
    revisedCount += await writeMonth(tx, series, monthMs, { fromMs, toMs, candles });
  }
  return revisedCount;
}

/** Requested ranges of every series of an interval, by symbol. */
export async function readCovered(
  tx: SystemTx,
  { source, exchange, interval, price }: Omit<StoredSeries, 'symbol'>,
): Promise<Map<string, BarRange[]>> {
  const { rows } = await sql<{ symbol: string; covered: number[] }>`
    select symbol, covered from history_chunks
    where source = ${source} and exchange = ${exchange} and interval = ${interval} and price = ${price}
    order by symbol, month`.execute(tx);
  const bySymbol = new Map<string, BarRange[]>();
  for (const { symbol, covered } of rows) {
    const ranges = bySymbol.get(symbol) ?? [];
    ranges.push(...rangesOf(covered));
    bySymbol.set(symbol, ranges);
  }
  return bySymbol;
}

/** Deletes chunks of months before one. @returns how many */
export async function deleteBefore(
  tx: SystemTx,
  { source, interval }: Pick<StoredSeries, 'source' | 'interval'>,
  monthMs: number,
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from history_chunks where source = ${source} and interval = ${interval} and month < ${monthText(monthMs)}::date`.execute(
    tx,
  );
  return Number(numAffectedRows);
}

/** Deletes what earlier worlds of a replay have stored, and returns how many chunks: no market serves them again. */
export async function deleteOtherReplays(tx: SystemTx, source: string): Promise<number> {
  const others = sql`starts_with(source, ${REPLAY_SOURCE}) and source <> ${source}`;
  const { numAffectedRows = 0n } = await sql`delete from history_chunks where ${others}`.execute(tx);
  await sql`delete from history_fundings where ${others}`.execute(tx);
  await sql`delete from history_failures where ${others}`.execute(tx);
  await sql`delete from history_backfills where ${others}`.execute(tx);
  return Number(numAffectedRows);
}
