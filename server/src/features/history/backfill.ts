import { setTimeout as pause } from 'node:timers/promises';
import { DAY_MS, intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import type { HistoryMonths } from '@sextant/workers/src/core/historyMonths.ts';
import { ok } from '@sextant/workers/src/core/result.ts';
import { isDiskFull } from '../../platform/db/databaseError.ts';
import { type Db, type SystemTx, withSystem } from '../../platform/db/scope.ts';
import { createRejection, type Outcome, type Rejection } from '../../platform/errors.ts';
import { inBackground } from '../../platform/readPriority.ts';
import { archiveTo } from '../market/archive.ts';
import type { ExchangeId, FuturesSymbol, Interval, Venue } from '../market/port.ts';
import { type BackfillPart, planBackfill } from './backfillPlan.ts';
import {
  type BackfillProgress,
  deleteFailure,
  partKey,
  readFailures,
  writeFailure,
  writeProgress,
} from './backfillRepository.ts';
import type { CandleStore } from './candleStore.ts';
import { deleteBefore, readCovered } from './chunkRepository.ts';
import { readFundingYears, writeFundings } from './fundingRepository.ts';
import { type BarRange, monthStart, openRanges, withRange } from './ranges.ts';
import { writeUniverse } from './universeRepository.ts';

export interface BackfillVenue extends Pick<Venue, 'symbols' | 'candles' | 'turnovers' | 'fundingHistory'> {
  /** Use of each request budget; the back-fill leaves most of it to users. */
  budgets: () => readonly { used: number; capacity: number }[];
}

export interface BackfillDeps {
  db: Db;
  source: string;
  store: Pick<CandleStore, 'write'>;
  venues: Record<ExchangeId, BackfillVenue>;
  symbolsMax: number;
  retention: HistoryMonths;
  now?: () => number;
  sleep?: (ms: number, signal: AbortSignal) => Promise<unknown>;
  /** Runs first in the transaction of each write. */
  guard?: (tx: SystemTx) => Promise<void>;
  warn: (error: unknown) => void;
}

/** Share of a request budget up to which the back-fill sends. */
const BUDGET_SHARE = 0.4;
const budgetPauseMs = 500;
/** Failures in a row after which the exchange gets a pause. */
const failuresMax = 3;
const failurePauseMs = 30_000;
const banPauseMsMax = 10 * 60_000;
const progressEveryMs = 3000;
/** Days of settled fundings. */
const FUNDING_DAYS = 365;
/** The newest fundings may still be settling. */
const fundingLagMs = 10 * 60_000;

/** One round: a step of the plan after the other, until the plan is done or the signal aborts. */
export class Backfill {
  readonly #deps: BackfillDeps;
  readonly #exchange: ExchangeId;
  readonly #signal: AbortSignal;
  readonly #now: () => number;
  #progress: BackfillProgress = { state: 'running', storedCount: 0, totalCount: 0, error: undefined };
  #progressAtMs = 0;
  #failed = new Set<string>();
  #inRow = 0;

  constructor(deps: BackfillDeps, exchange: ExchangeId, signal: AbortSignal) {
    this.#deps = deps;
    this.#exchange = exchange;
    this.#signal = signal;
    this.#now = deps.now ?? Date.now;
  }

  /** @returns whether everything that the settings name is stored. A full disk ends the round; the next one continues. */
  async run(): Promise<boolean> {
    try {
      return await this.#fillAll();
    } catch (error) {
      if (!isDiskFull(error)) throw error;
      this.#deps.warn(new Error(DISK_FULL, { cause: error }));
      this.#progress = { ...this.#progress, state: 'failed', error: noRoom };
      // A row of a few bytes may still find room; where it does not, the next round writes it.
      await this.#report(true).catch((failure: unknown) => {
        if (!isDiskFull(failure)) throw failure;
      });
      return false;
    }
  }

  async #fillAll(): Promise<boolean> {
    const listed = await inBackground(() => this.#readSymbols());
    if (!listed.ok) {
      this.#progress = { ...this.#progress, state: 'failed', error: listed.error };
      await this.#report(true);
      return false;
    }
    await this.#deleteOld();
    const { parts, totalCount } = await this.#plan(listed.value);
    this.#progress = { ...this.#progress, totalCount, storedCount: totalCount - parts.length };
    await this.#report(true);
    const newest = parts.filter(({ toMs }) => monthStart(toMs) >= monthStart(this.#now(), -1));
    const waiting = await this.#readFailures();
    const isWaiting = ({ symbol, interval, fromMs }: BackfillPart): boolean =>
      waiting.has(partKey(symbol, partName(interval, fromMs)));
    for (const part of newest) if (!this.#signal.aborted && !isWaiting(part)) await this.#fill(part);
    for (const { symbol } of listed.value)
      if (!this.#signal.aborted && !waiting.has(partKey(symbol, 'fundings'))) await this.#fillFundings(symbol);
    for (const part of parts.slice(newest.length))
      if (!this.#signal.aborted && !isWaiting(part)) await this.#fill(part);
    const isComplete = this.#progress.storedCount === this.#progress.totalCount;
    this.#progress = { ...this.#progress, state: isComplete ? 'complete' : 'waiting' };
    await this.#report(true);
    return isComplete;
  }

  #write<T>(work: (tx: SystemTx) => Promise<T>): Promise<T> {
    return withSystem(this.#deps.db, async (tx) => {
      await this.#deps.guard?.(tx);
      return work(tx);
    });
  }

  get #key() {
    return { source: this.#deps.source, exchange: this.#exchange };
  }

  get #venue(): BackfillVenue {
    return this.#deps.venues[this.#exchange];
  }

  /** Stores today's list. @returns the trading symbols by turnover */
  async #readSymbols(): Promise<Outcome<FuturesSymbol[]>> {
    const list = await this.#venue.symbols();
    if (!list.ok) return list;
    await this.#write((tx) => writeUniverse(tx, this.#key, list.value.symbols, this.#now()));
    const turnovers = await this.#venue.turnovers();
    if (!turnovers.ok) return turnovers;
    const bySymbol = new Map(list.value.symbols.map((each) => [each.symbol, each]));
    const ranked = turnovers.value.map(({ symbol }) => bySymbol.get(symbol)).filter((each) => each !== undefined);
    return ok(ranked.slice(0, this.#deps.symbolsMax));
  }

  async #plan(symbols: readonly FuturesSymbol[]) {
    const { retention } = this.#deps;
    const byInterval = new Map<Interval, Map<string, BarRange[]>>();
    for (const interval of Object.keys(retention) as Interval[]) {
      const covered = await withSystem(this.#deps.db, (tx) =>
        readCovered(tx, { ...this.#key, interval, price: 'last' }),
      );
      byInterval.set(interval, covered);
    }
    return planBackfill({
      nowMs: this.#now(),
      retention,
      symbols,
      // Minutes are stored as soon as a position or a test reads them.
      minuteSymbols: new Set(byInterval.get('1m')?.keys() ?? []),
      covered: (interval, symbol) => byInterval.get(interval)?.get(symbol) ?? [],
    });
  }

  async #deleteOld(): Promise<void> {
    const { retention, source } = this.#deps;
    for (const interval of Object.keys(retention) as Interval[]) {
      // Series that are stored on request only have a month.
      const months = Math.max(1, retention[interval]);
      await this.#write((tx) => deleteBefore(tx, { source, interval }, monthStart(this.#now(), 1 - months)));
    }
  }

  async #readFailures(): Promise<Set<string>> {
    const { failed, waiting } = await withSystem(this.#deps.db, (tx) => readFailures(tx, this.#key));
    this.#failed = failed;
    return waiting;
  }

  async #fill({ symbol, interval, fromMs, toMs }: BackfillPart): Promise<void> {
    await this.#waitForRoom();
    if (this.#signal.aborted) return;
    const request = { symbol, interval, fromMs, toMs, signal: this.#signal };
    const fetched = await inBackground(() => this.#venue.candles(request));
    const part = partName(interval, fromMs);
    if (!fetched.ok) return this.#fail(symbol, part, fetched.error);
    const closedMs = archiveTo(fetched.value, { toMs, stepMs: intervalMs[interval], nowMs: this.#now() });
    if (closedMs >= fromMs) {
      const { candles } = fetched.value;
      await this.#deps.store.write({ exchange: this.#exchange, symbol, interval }, { fromMs, toMs: closedMs, candles });
    }
    await this.#succeed(symbol, part);
    this.#progress.storedCount++;
    await this.#report(false);
  }

  async #fillFundings(symbol: string): Promise<void> {
    const series = { ...this.#key, symbol };
    const toMs = this.#now() - fundingLagMs;
    const span = { fromMs: Math.floor((toMs - FUNDING_DAYS * DAY_MS) / DAY_MS) * DAY_MS, toMs };
    const years = await withSystem(this.#deps.db, (tx) => readFundingYears(tx, series, span));
    let covered: BarRange[] = [];
    for (const year of years) for (const each of year.covered) covered = withRange(covered, each, 0);
    const [open] = openRanges(covered, span, 0).filter((each) => each.toMs - each.fromMs > DAY_MS);
    if (open === undefined) return;
    await this.#waitForRoom();
    if (this.#signal.aborted) return;
    const request = { symbol, sinceMs: open.fromMs, untilMs: open.toMs };
    const fetched = await inBackground(() => this.#venue.fundingHistory(request, this.#signal));
    if (!fetched.ok) return this.#fail(symbol, 'fundings', fetched.error);
    await this.#write((tx) => writeFundings(tx, series, open, fetched.value));
    await this.#succeed(symbol, 'fundings');
  }

  async #succeed(symbol: string, part: string): Promise<void> {
    this.#inRow = 0;
    if (!this.#failed.delete(partKey(symbol, part))) return;
    await this.#write((tx) => deleteFailure(tx, this.#key, { symbol, part }));
  }

  /** Records a failure and pauses: as long as the exchange requires, or after several failures in a row. */
  async #fail(symbol: string, part: string, error: Rejection): Promise<void> {
    if (this.#signal.aborted) return;
    this.#inRow++;
    this.#progress.error = error;
    const isBanned = error.code === 'upstream_rate_limited';
    if (!isBanned) {
      this.#failed.add(partKey(symbol, part));
      await this.#write((tx) => writeFailure(tx, this.#key, { symbol, part, error }));
    }
    const requiredMs = Math.min(banPauseMsMax, (error.retryAfterS ?? 0) * 1000);
    const pauseMs = isBanned || this.#inRow >= failuresMax ? Math.max(failurePauseMs, requiredMs) : requiredMs;
    if (pauseMs === 0) return;
    this.#progress.state = 'waiting';
    await this.#report(true);
    await this.#sleep(pauseMs);
    this.#inRow = 0;
    this.#progress.state = 'running';
  }

  async #waitForRoom(): Promise<void> {
    const isFull = (): boolean => this.#venue.budgets().some(({ used, capacity }) => used > BUDGET_SHARE * capacity);
    while (!this.#signal.aborted && isFull()) await this.#sleep(budgetPauseMs);
  }

  async #sleep(ms: number): Promise<void> {
    const sleep = this.#deps.sleep ?? ((each: number, signal: AbortSignal) => pause(each, undefined, { signal }));
    await sleep(ms, this.#signal).catch(() => undefined);
  }

  async #report(isAlways: boolean): Promise<void> {
    if (!isAlways && this.#now() - this.#progressAtMs < progressEveryMs) return;
    this.#progressAtMs = this.#now();
    await this.#write((tx) => writeProgress(tx, this.#key, this.#progress));
  }
}

/** For who runs the server; users need to do nothing. */
const DISK_FULL = 'The disk of the database is full. Free space on it; the back-fill continues by itself.';
const noRoom = createRejection('database_unavailable', 'History is paused and continues by itself.');

const partName = (interval: Interval, fromMs: number): string =>
  `${interval} ${new Date(monthStart(fromMs)).toISOString().slice(0, 7)}`;
