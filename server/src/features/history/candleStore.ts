import { setTimeout as delay } from 'node:timers/promises';
import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import { joinColumns } from '@sextant/workers/src/candles/candleColumns.ts';
import { failWith, ok } from '@sextant/workers/src/core/result.ts';
import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import { type Db, type SystemTx, withSystem } from '../../platform/db/scope.ts';
import { translateDatabaseError } from '../../platform/db/databaseError.ts';
import type { Outcome } from '../../platform/errors.ts';
import { RejectionError } from '../../platform/http/rejectionError.ts';
import { readPriority } from '../../platform/readPriority.ts';
import { sliceCandles } from '../market/columns.ts';
import type { CandleArchive } from '../market/port.ts';
import { readChunks, readRevisions, setAside, type StoredSeries, writePiece } from './chunkRepository.ts';
import { type Piece, withRevisions } from './mergeChunk.ts';
import type { HistorySeries } from './port.ts';
import { type BarRange, clipRanges, withRange } from './ranges.ts';

export interface StoredRange {
  candles: Candles;
  covered: BarRange[];
  /** Bars that are returned in a later version. */
  revisedCount: number;
  /** Chunks that were set aside during this read. */
  brokenCount: number;
}

export interface CandleStoreOptions {
  db: Db;
  /** The market that the candles come from. */
  source: string;
  /** Called for failed reads and writes, and for each broken chunk. */
  onError: (error: Error) => void;
  /** Called with the number of bars that an exchange revised. */
  onRevised?: (series: HistorySeries, count: number) => void;
  now?: () => number;
  /** False while a node with a wrong clock must store none: minutes that have not come would count as empty ones. */
  maySave?: () => boolean;
  /** Runs first in the transaction of each write. */
  guard?: (tx: SystemTx) => Promise<void>;
}

/** Closed candles in PostgreSQL, with a buffer for those that arrive one by one. */
export interface CandleStore extends CandleArchive {
  /** Candles of a range in their newest version, or in that of `asOfMs`. Broken chunks are set aside and reported. */
  readRange: (series: HistorySeries, range: BarRange, asOfMs?: number) => Promise<Outcome<StoredRange>>;
  /** Stores a piece in one transaction. @throws database errors */
  write: (series: HistorySeries, piece: Piece) => Promise<void>;
  /** Writes the buffer. Pieces that fail stay in it. @param isAll those that may still wait, too */
  flush: (isAll?: boolean) => Promise<void>;
  /** Flushes regularly until the returned function is called, which writes the rest. */
  start: () => () => Promise<void>;
  /** Pieces in the buffer. */
  pendingCount: () => number;
}

interface Pending {
  series: Required<HistorySeries>;
  pieces: Piece[];
  sinceMs: number;
}

const flushMs = 3000;
/** A chunk of minutes has up to 44,640 bars: it is rewritten once a minute at most. */
const minuteDelayMs = 60_000;
/** Reads that can use an exchange skip a database that has failed, for this long. */
const pauseMs = 5000;
/** Background reads wait for the database until this many reads failed in a row. */
const failuresMax = 3;
const pollMs = 200;
/** Pieces that wait while the database is away; more are dropped, and the back-fill requests them again. */
const pendingMax = 20_000;

/** Pieces that wait to be written, by series. */
class PieceBuffer {
  readonly #pending = new Map<string, Pending>();
  readonly #write: (series: HistorySeries, piece: Piece) => Promise<void>;
  readonly #now: () => number;
  #flushing = Promise.resolve();
  count = 0;

  constructor(write: (series: HistorySeries, piece: Piece) => Promise<void>, now: () => number) {
    this.#write = write;
    this.#now = now;
  }

  add(series: Required<HistorySeries>, piece: Piece): void {
    if (this.count >= pendingMax) return;
    const key = `${series.exchange} ${series.symbol} ${series.interval} ${series.price}`;
    const entry = this.#pending.get(key) ?? { series, pieces: [], sinceMs: this.#now() };
    entry.pieces.push(piece);
    this.#pending.set(key, entry);
    this.count++;
  }

  /** One flush after the other. */
  flush(isAll: boolean): Promise<void> {
    const next = this.#flushing.catch(() => undefined).then(() => this.#writePending(isAll));
    this.#flushing = next;
    return next;
  }

  async #writePending(isAll: boolean): Promise<void> {
    for (const [key, each] of this.#pending) {
      const delayMs = each.series.interval === '1m' ? minuteDelayMs : flushMs;
      if (!isAll && this.#now() - each.sinceMs < delayMs) continue;
      this.#pending.delete(key);
      this.count -= each.pieces.length;
      try {
        for (const piece of joinPieces(each.pieces, intervalMs[each.series.interval]))
          await this.#write(each.series, piece);
      } catch (error) {
        // Joined with what arrived meanwhile, and tried again by the next flush.
        const later = this.#pending.get(key);
        this.#pending.set(key, { ...each, pieces: [...each.pieces, ...(later?.pieces ?? [])] });
        this.count += each.pieces.length;
        throw error;
      }
    }
  }
}

export function createCandleStore(options: CandleStoreOptions): CandleStore {
  const { now = Date.now, onRevised = () => undefined, guard, maySave = () => true } = options;
  const stored = (series: HistorySeries): StoredSeries => ({ price: 'last', ...series, source: options.source });
  async function write(series: HistorySeries, piece: Piece): Promise<void> {
    // Taken before the clock was measured: the back-fill requests it again.
    if (!maySave()) return;
    const revisedCount = await withSystem(options.db, async (tx) => {
      await guard?.(tx);
      return writePiece(tx, stored(series), piece);
    });
    if (revisedCount > 0) onRevised(series, revisedCount);
  }
  const buffer = new PieceBuffer(write, now);
  const report = (what: string, cause: unknown): void => options.onError(new Error(what, { cause }));
  const readRange = createReader(options, stored, report);
  return {
    readRange,
    write,
    flush: (isAll = true) => buffer.flush(isAll),
    pendingCount: () => buffer.count,
    read: createPatientReader(readRange, report, now),
    save({ fromMs, toMs, ...series }, candles) {
      if (maySave()) buffer.add({ price: 'last', ...series }, { fromMs, toMs, candles });
    },
    start() {
      const timer = setInterval(() => {
        buffer.flush(false).catch((error: unknown) => report('candles were not stored yet', error));
      }, flushMs);
      timer.unref();
      return async () => {
        clearInterval(timer);
        await buffer.flush(true).catch((error: unknown) => report('the last candles were not stored', error));
      };
    },
  };
}

type Report = (what: string, cause: unknown) => void;

function createReader(
  { db }: CandleStoreOptions,
  stored: (series: HistorySeries) => StoredSeries,
  report: Report,
): CandleStore['readRange'] {
  return async (series, range, asOfMs) => {
    try {
      const { value, broken } = await withSystem(db, (tx) => readIn(tx, stored(series), range, asOfMs));
      for (const each of broken)
        report(`a chunk of ${series.symbol} ${series.interval} was set aside: ${each.reason}`, undefined);
      return ok(value);
    } catch (error) {
      const translated = translateDatabaseError(error);
      if (translated instanceof RejectionError) return failWith(translated.rejection);
      throw error;
    }
  };
}

/**
 * Reads for callers that can use an exchange instead. Users do not wait for a database that has just failed; background reads do until it
 * fails three times in a row: a restart whose reads fail once would request the candles of every series.
 */
function createPatientReader(
  readRange: CandleStore['readRange'],
  report: Report,
  now: () => number,
): CandleArchive['read'] {
  let [readAgainMs, failuresInRow] = [0, 0];

  /** False: the caller goes to the exchange. */
  async function mayRead(): Promise<boolean> {
    while (now() < readAgainMs) {
      if (!readPriority().isBackground || failuresInRow >= failuresMax) return false;
      await delay(pollMs);
    }
    return true;
  }

  async function readOnce(series: HistorySeries, range: BarRange): Promise<StoredRange | undefined> {
    const read = await readRange(series, range).catch((error: unknown) => {
      report('stored candles were not read', error);
      return undefined;
    });
    if (read?.ok === true) {
      failuresInRow = 0;
      return read.value;
    }
    const atMs = now();
    // Reads that fail together count once.
    if (atMs >= readAgainMs) failuresInRow++;
    readAgainMs = atMs + pauseMs;
    return undefined;
  }

  return async ({ fromMs, toMs, ...series }) => {
    while (await mayRead()) {
      const read = await readOnce(series, { fromMs, toMs });
      if (read !== undefined) return read.covered.length > 0 ? read : null;
    }
    return null;
  };
}

async function readIn(tx: SystemTx, series: StoredSeries, range: BarRange, asOfMs: number | undefined) {
  const { chunks, broken } = await readChunks(tx, series, range);
  for (const each of broken) await setAside(tx, series, each);
  const isRevised = chunks.some(({ revisedCount }) => revisedCount > 0);
  const revisions = isRevised ? await readRevisions(tx, series, range, asOfMs) : new Map<number, never>();
  const joined = joinColumns(chunks.map(({ candles }) => candles));
  const cut = sliceCandles(joined, range.fromMs, range.toMs);
  const { candles, revisedCount } = withRevisions(cut, revisions.values());
  let covered: BarRange[] = [];
  for (const chunk of chunks)
    for (const each of chunk.covered) covered = withRange(covered, each, intervalMs[series.interval]);
  const value = { candles, covered: clipRanges(covered, range), revisedCount, brokenCount: broken.length };
  return { value, broken };
}

/**
 * Fewer pieces: those that touch become one, so that a series costs one rewrite for each flush. A bar in two pieces with other values stays
 * in two, in the order of arrival: the later version is a revision.
 */
export function joinPieces(pieces: readonly Piece[], stepMs: number): Piece[] {
  const joined: Piece[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if (last !== undefined && piece.fromMs === last.toMs + stepMs) {
      joined[joined.length - 1] = {
        fromMs: last.fromMs,
        toMs: piece.toMs,
        candles: joinColumns([last.candles, piece.candles]),
      };
    } else joined.push(piece);
  }
  return joined;
}
