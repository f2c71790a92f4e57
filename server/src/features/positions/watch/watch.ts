import { closesBySignal } from '@sextant/workers/src/signals/closingSignals.ts';
import { MINUTE_MS } from '@sextant/engine-as/abi/intervals.ts';
import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import { halfSpreadOf } from '@sextant/workers/src/positions/marketFill.ts';
import { CLOSE_GUARDS, type StepEvent, type WatchedBar } from '@sextant/workers/src/positions/bookTypes.ts';
import { PositionBook } from '@sextant/workers/src/positions/positionBook.ts';
import type { MarketMode } from '../../../config.ts';
import { type SystemTx, withSystem } from '../../../platform/db/scope.ts';
import { assertLeader, type Term, untilAborted } from '../../../platform/jobs/leadership.ts';
import type { ClosedBar, ExchangeId, LiveQuote, Market } from '../../market/port.ts';
import { afterClose, type ClosedPosition } from '../closeHooks.ts';
import { type CloseDeps, writeCloses } from '../closePosition.ts';
import { type CloseWrite, writeExitsDue, writeSteps } from '../eventWriter.ts';
import { writeReduce } from '../fillWriter.ts';
import type { RestingOrders } from './restingOrders.ts';
import type { OrderStep } from '@sextant/workers/src/orders/restingOrders.ts';
import { notifyUser } from '../../../platform/events/notify.ts';
import { priceKey } from '../live.ts';
import { lockLevels } from '../ownerChanges.ts';
import { createStrategySignals, type SignalsDeps, type SignalWatched } from '../../signals/oppositeSignals.ts';
import { createRanges } from '../../signals/ranges.ts';
import {
  readByIds,
  readOwners,
  readOpenIds,
  readRevisions,
  readWatched,
  readWatermarks,
  type Watched,
  writeWatermarks,
} from './watchRepository.ts';

export const LEADER_NAME = 'positions';
// Long because candles, ticks and writes of the watch share one state.

/** Bars of many series close at the same moment: one transaction for those that arrive together. */
const GATHER_MS = 100;
/** Openings arrive as notifications; the periodic sync covers lost ones. */
const RESYNC_MS = 15_000;
/** A candle still missing this long after its close is fetched. */
const OVERDUE_MS = 8000;
/** Largest age of the next unjudged candle while the watch is up to date, ms: its minute, and the time it may take to arrive. */
const BEHIND_MS_MAX = MINUTE_MS + 15_000;
const PAGE = 1000;
/** Interval of the search for strategy signals: a base candle is judged once. */
const SIGNALS_MS = 2000;

export interface WatchDeps extends Pick<CloseDeps, 'db' | 'config' | 'closeListeners' | 'warn'> {
  market: Pick<Market, 'onPrice' | 'onCandle' | 'keep' | 'candles' | 'fundingHistory'>;
  newEngine: () => Engine;
  orders: RestingOrders;
  newsVotes: SignalsDeps['newsVotes'];
}

/** A series with open positions. */
interface Series {
  exchange: ExchangeId;
  symbol: string;
  /** Open of the next candle to judge, epoch ms. */
  nextMs: number;
  /** Candles that opened before it are judged. */
  judgedMs: number;
  /** Received candles that wait, by their open. */
  waiting: Map<number, WatchedBar>;
  lastTickMs: number;
  /** The exchange did not deliver missing candles: prices then count although older candles are not judged. */
  isBlind: boolean;
  release: () => void;
}

const minuteFrom = (ms: number): number => Math.ceil(ms / MINUTE_MS) * MINUTE_MS;

/**
 * Watches the open positions of all users on the served market while this node leads. Memory is derived from stored data: rows at the
 * watermark of their series, and candles from there on. A failed write ends the term, and the next one loads again, so a node that
 * dies at any moment loses nothing, and nothing is done twice.
 */
export class Watch {
  readonly #deps: WatchDeps;
  readonly #term: Term;
  readonly #book: PositionBook;
  readonly #series = new Map<string, Series>();
  readonly #ranges: ReturnType<typeof createRanges>;
  readonly #signals: ReturnType<typeof createStrategySignals>;
  /** Positions that close by a signal of their strategy, and are not closing yet. */
  readonly #bySignal = new Map<string, SignalWatched>();
  /** Closed in memory, in whole or in part, not yet written: key of their series, and the number of writes that wait. */
  readonly #closing = new Map<string, { key: string; count: number }>();
  /** Revision of the row that each position here stands for, and which reading of it this is. */
  readonly #revisions = new Map<string, number>();
  readonly #readings = new Map<string, number>();
  #readingCount = 0;
  /** Row and reading that decided each exit. */
  readonly #decided = new WeakMap<StepEvent, { revision: number | undefined; reading: number | undefined }>();
  /** Resting orders that prices or candles made due, until the next write. */
  readonly #due: OrderStep[] = [];
  /** Orders that changed since they were read last. */
  #changedOrders: Set<string> | 'all' = new Set();
  /** Keys of the series that orders rest in. */
  readonly #ordered = new Set<string>();
  /** Writes run in the order of their decisions. */
  #queue: Promise<void> = Promise.resolve();
  #gathering: ReturnType<typeof setTimeout> | undefined;
  #syncing: ReturnType<typeof setTimeout> | undefined;
  #filling: Promise<void> | undefined;
  #checking: Promise<void> | undefined;

  constructor(deps: WatchDeps, term: Term) {
    this.#deps = deps;
    this.#term = term;
    const engine = deps.newEngine();
    this.#book = new PositionBook(engine, CLOSE_GUARDS);
    this.#ranges = createRanges(deps.market, deps.newEngine());
    this.#signals = createStrategySignals(deps, deps.newEngine());
  }

  get #market(): MarketMode {
    return this.#deps.config.market;
  }

  get size(): number {
    return this.#book.size;
  }

  get seriesCount(): number {
    return this.#series.size;
  }

  /** Loads open positions, then listens until the term ends; resolves when all decisions so far are written or given up. */
  async run(): Promise<void> {
    const { market } = this.#deps;
    const { signal } = this.#term;
    // Subscribed before loading: a position counts from the moment it is loaded.
    const stops = [
      market.onPrice((exchange, quote) => this.#endOnError(() => this.#onPrice(exchange, quote))),
      market.onCandle((exchange, bar) => this.#endOnError(() => this.#onCandle(exchange, bar))),
    ];
    const timers = [
      setInterval(() => this.fill(), OVERDUE_MS / 2),
      setInterval(() => this.sync(), RESYNC_MS),
      setInterval(() => this.checkSignals(), SIGNALS_MS),
    ];
    try {
      await this.#write(async (tx) => {
        const watermarks = await readWatermarks(tx, this.#market);
        const watched = await readWatched(tx, this.#market);
        await this.#takeInOrders(tx, 'all');
        for (const each of watched) this.#admit(each, watermarks);
        return [];
      });
      this.fill();
      await untilAborted(signal);
    } catch (error) {
      this.#term.end(error);
    } finally {
      for (const stop of stops) stop();
      for (const timer of timers) clearInterval(timer);
      clearTimeout(this.#gathering);
      clearTimeout(this.#syncing);
      await this.#filling;
      await this.#checking;
      await this.#queue;
      for (const { release } of this.#series.values()) release();
      this.#series.clear();
    }
  }

  /** Adds positions opened and removes positions closed meanwhile, by any node, and reads all resting orders. */
  sync(): void {
    this.#changedOrders = 'all';
    this.syncPositions();
  }

  /** An order was placed, changed or ended, by any node: reads that order alone. */
  syncOrder(id: string): void {
    if (this.#changedOrders !== 'all') this.#changedOrders.add(id);
    this.syncPositions();
  }

  /** The same without orders. */
  syncPositions(): void {
    // Many may be opened at once: one read for all of them.
    this.#syncing ??= setTimeout(() => {
      this.#syncing = undefined;
      const orders = this.#changedOrders;
      this.#changedOrders = new Set();
      this.#enqueue(() =>
        this.#write(async (tx) => {
          await this.#takeIn(tx, orders);
          return [];
        }),
      );
    }, GATHER_MS);
  }

  /** Fetches overdue candles. */
  fill(): void {
    this.#filling ??= this.#fillAll()
      .catch((error: unknown) => this.#deps.warn(error))
      .finally(() => (this.#filling = undefined));
  }

  /** Checks for the signals that close positions of strategies: opposite ones, and exits of own rules. */
  checkSignals(): void {
    this.#checking ??= this.#checkAllSignals()
      .catch((error: unknown) => this.#deps.warn(error))
      .finally(() => (this.#checking = undefined));
  }

  async #checkAllSignals(): Promise<void> {
    for (const id of this.#bySignal.keys()) if (!this.#book.has(id)) this.#bySignal.delete(id);
    const bySeries = Map.groupBy(this.#bySignal.values(), ({ exchange, symbol }) => priceKey(exchange, symbol));
    for (const [key, positions] of bySeries) {
      // By the exchange's timestamps: this node's clock may differ.
      const nowMs = this.#series.get(key)?.lastTickMs ?? 0;
      if (this.#term.signal.aborted || nowMs === 0) continue;
      const leaving = await this.#signals.findClosing(positions, nowMs);
      if (leaving.length > 0) this.#enqueue(() => this.#storeExits(leaving, nowMs));
    }
  }

  /** Stored first: any later leader then closes the position at the first price after this. */
  async #storeExits(ids: readonly string[], atMs: number): Promise<void> {
    const due = { atMs, reason: 'SIGNAL' as const };
    await this.#write(async (tx) => {
      await writeExitsDue(
        tx,
        ids.map((id) => ({ id, ...due })),
      );
      return [];
    });
    for (const id of ids) {
      this.#book.setExitDue(id, due);
      this.#bySignal.delete(id);
    }
  }

  #admit(watched: Watched, watermarks?: ReadonlyMap<string, number>): void {
    const { exchange, symbol, position } = watched;
    if (this.#closing.has(position.id)) return;
    this.#admitSignals(watched);
    this.#revisions.set(position.id, watched.revision);
    this.#readings.set(position.id, (this.#readingCount += 1));
    const key = priceKey(exchange, symbol);
    this.#follow({ exchange, symbol }, minuteFrom(position.entryTimeMs), watermarks);
    this.#book.add(key, position);
  }

  /** @param firstMs open of the first candle that is needed */
  #follow(
    { exchange, symbol }: { exchange: string; symbol: string },
    firstMs: number,
    watermarks?: ReadonlyMap<string, number>,
  ): void {
    const key = priceKey(exchange, symbol);
    if (!this.#series.has(key)) {
      const id = exchange as ExchangeId;
      this.#series.set(key, {
        exchange: id,
        symbol,
        waiting: new Map(),
        lastTickMs: 0,
        isBlind: false,
        judgedMs: watermarks?.get(key) ?? 0,
        nextMs: Number.POSITIVE_INFINITY,
        release: this.#deps.market.keep({ exchange: id, symbol, interval: '1m' }),
      });
    }
    const series = this.#series.get(key) as Series;
    const neededMs = Math.max(series.judgedMs, firstMs);
    // Nothing was open in the series, and nothing rested: its earlier candles are not needed.
    const isFirst = !this.#book.series().includes(key) && !this.#ordered.has(key);
    series.nextMs = isFirst ? neededMs : Math.min(series.nextMs, neededMs);
  }

  /** Reads the orders that rest, or those of them that changed, and follows their series. */
  async #takeInOrders(tx: SystemTx, changed: ReadonlySet<string> | 'all'): Promise<void> {
    const { orders } = this.#deps;
    const resting =
      changed === 'all' ? await orders.load(tx, this.#market) : await orders.reload(tx, this.#market, [...changed]);
    const missing = resting.filter((each) => !this.#ordered.has(priceKey(each.exchange, each.symbol)));
    const watermarks = missing.length > 0 ? await readWatermarks(tx, this.#market) : undefined;
    for (const { exchange, symbol, firstMs } of missing) {
      this.#follow({ exchange, symbol }, firstMs, watermarks);
      this.#ordered.add(priceKey(exchange, symbol));
    }
    const keys = new Set(resting.map(({ exchange, symbol }) => priceKey(exchange, symbol)));
    for (const key of this.#ordered) if (!keys.has(key)) this.#ordered.delete(key);
  }

  #admitSignals({ exchange, symbol, position, strategy, version }: Watched): void {
    const { id, side, entryTimeMs } = position;
    if (strategy === null || version === null || !closesBySignal(strategy, side)) return;
    if (position.exitDue?.reason === 'SIGNAL') return;
    const place = { exchange: exchange as ExchangeId, symbol };
    this.#bySignal.set(id, { id, side, entryTimeMs, strategy, version, ...place });
  }

  /** Syncs the book with the database: adds open positions that are missing, removes closed ones, and learns what owners changed. */
  async #takeIn(tx: SystemTx, changedOrders: ReadonlySet<string> | 'all'): Promise<void> {
    const open = await readOpenIds(tx, this.#market);
    const ids = [...open.keys()].filter((id) => !this.#closing.has(id));
    const missing = ids.filter((id) => !this.#book.has(id));
    const changed = ids.filter((id) => this.#book.has(id) && this.#revisions.get(id) !== open.get(id));
    const watermarks = missing.length > 0 ? await readWatermarks(tx, this.#market) : undefined;
    const matches = await readByIds(tx, [...missing, ...changed]);
    for (const each of matches.sort((a, b) => a.position.entryTimeMs - b.position.entryTimeMs)) {
      const { id, changes = [] } = each.position;
      // The candles judged here are those of the row: what it has pending is pending here, and after a fill the row is all there is to know.
      if (this.#book.hasFills(id, each.position)) {
        this.#book.setChanges(id, changes);
        this.#revisions.set(id, each.revision);
        continue;
      }
      this.#book.remove(id);
      this.#admit(each, watermarks ?? (await readWatermarks(tx, this.#market)));
    }
    for (const id of this.#book.ids()) if (!open.has(id)) this.#book.remove(id);
    for (const id of this.#revisions.keys()) if (!open.has(id) && this.#revisions.delete(id)) this.#readings.delete(id);
    await this.#takeInOrders(tx, changedOrders);
    const inUse = new Set([...this.#book.series(), ...this.#ordered]);
    for (const [key, series] of this.#series) {
      if (inUse.has(key)) continue;
      series.release();
      this.#series.delete(key);
    }
  }

  /** An error in the middle of a price leaves the book undefined: the next term reads it from the database again. */
  #endOnError(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#term.end(error);
    }
  }

  #onPrice(exchange: ExchangeId, quote: LiveQuote): void {
    const { symbol, last, mark, atMs } = quote;
    const key = priceKey(exchange, symbol);
    const series = this.#series.get(key);
    if (series === undefined || this.#term.signal.aborted) return;
    // A price older than the last price or candle is included in the candle and must not close a position.
    if (atMs < series.lastTickMs || atMs < series.judgedMs) return;
    // Candles from the time without a watcher come first: neither a current price nor a future timestamp may overtake them.
    if (atMs - series.nextMs > BEHIND_MS_MAX && !series.isBlind) return;
    series.lastTickMs = atMs;
    // In the minute in which it opened, a position is not judged. An order rests from the moment it was placed.
    const isBeforeFirst = atMs < series.nextMs;
    const tick = { price: last, atMs, halfSpread: halfSpreadOf(quote) };
    const events = isBeforeFirst ? [] : this.#book.tick(key, { ...tick, mark: mark ?? last });
    this.#due.push(...this.#deps.orders.tick(key, tick));
    if (events.length === 0 && this.#due.length === 0) return;
    this.#noteExits(key, events);
    this.#enqueue(() => this.#write(() => Promise.resolve(events)));
    // Candles of the series waited for this.
    this.#enqueue(() => this.#judge());
  }

  #onCandle(exchange: ExchangeId, bar: ClosedBar): void {
    if (bar.interval !== '1m' || this.#term.signal.aborted) return;
    const series = this.#series.get(priceKey(exchange, bar.symbol));
    if (series === undefined || bar.time < series.nextMs) return;
    const { time: timeMs, open, high, low, close, volume } = bar;
    series.waiting.set(timeMs, { timeMs, spanMs: MINUTE_MS, open, high, low, close, volume });
    this.#gathering ??= setTimeout(() => {
      this.#gathering = undefined;
      this.#enqueue(() => this.#judge());
    }, GATHER_MS);
  }

  /** Judges every candle that is next in its series. Candles after a gap wait until it is filled. */
  async #judge(): Promise<void> {
    const ready = [...this.#series].filter(([, { waiting, nextMs }]) => waiting.has(nextMs));
    if (ready.length === 0) return;
    const loaded = new Map<string, ReadonlySet<string>>();
    // Before the transaction: a range may have to be fetched.
    for (const [key, each] of ready) {
      const untilMs = Math.max(...each.waiting.keys()) + MINUTE_MS;
      const ranges = this.#book.rangesOf(key);
      loaded.set(key, new Set(ranges.map(rangeName)));
      await this.#ranges.load(each, ranges, untilMs);
    }
    const unknown: string[] = [];
    await this.#write(async (tx) => {
      // All orders: a candle is judged once, and the notice of one placed before it may not have arrived.
      await this.#takeIn(tx, 'all');
      const events: StepEvent[] = [];
      const watermarks = new Map<string, number>();
      // A close that is not written yet may have met levels that its owner changed: then these candles judge the position.
      const closing = new Set([...this.#closing.values()].map(({ key }) => key));
      for (const [key, series] of this.#series) {
        if (closing.has(key)) continue;
        // A position or a change that was taken in needs a range: judged in the next round, when it is loaded.
        const isUnknown = !this.#book.rangesOf(key).every((atr) => loaded.get(key)?.has(rangeName(atr)));
        if (isUnknown && series.waiting.has(series.nextMs)) unknown.push(key);
        if (isUnknown) continue;
        for (let bar = series.waiting.get(series.nextMs); bar !== undefined; bar = series.waiting.get(series.nextMs)) {
          const { timeMs } = bar;
          const closeMs = timeMs + MINUTE_MS;
          const steps = this.#book.candle(key, bar, (atr) => this.#ranges.at(series, atr, closeMs));
          this.#noteExits(key, steps);
          events.push(...steps);
          const due = this.#deps.orders.candle(key, bar);
          this.#due.push(...due);
          series.waiting.delete(timeMs);
          series.nextMs = closeMs;
          series.judgedMs = closeMs;
          series.isBlind = false;
          watermarks.set(key, closeMs);
          // What an order opens or changes is judged by the next candle: after it is written.
          if (due.length > 0) {
            unknown.push(key);
            break;
          }
        }
      }
      await writeWatermarks(tx, this.#market, watermarks);
      return events;
    });
    if (unknown.length > 0) this.#enqueue(() => this.#judge());
  }

  async #fillAll(): Promise<void> {
    for (const series of [...this.#series.values()]) {
      if (this.#term.signal.aborted) return;
      // This node's clock may be behind the exchange's timestamps.
      const nowMs = Math.max(Date.now(), series.lastTickMs, ...series.waiting.keys());
      if (series.nextMs + MINUTE_MS + OVERDUE_MS > nowMs) continue;
      await this.#fillOne(series, nowMs);
    }
    this.#enqueue(() => this.#judge());
  }

  /** The oldest page of the missing candles; the next rounds fetch the rest. */
  async #fillOne(series: Series, nowMs: number): Promise<void> {
    const { exchange, symbol, nextMs } = series;
    const count = Math.min(PAGE, Math.floor((nowMs - nextMs) / MINUTE_MS));
    const endTimeMs = nextMs + count * MINUTE_MS;
    const response = await this.#deps.market.candles({ exchange, symbol, interval: '1m', limit: count, endTimeMs });
    series.isBlind = true;
    if (!response.ok) return;
    const { candles, gaps } = response.value.value;
    let lastMs = Math.max(candles.time.at(-1) ?? 0, ...series.waiting.keys());
    if (lastMs < nextMs && count === PAGE) lastMs = await this.#newestMs(series, nowMs);
    series.isBlind = lastMs < nextMs;
    candles.time.forEach((timeMs, i) => {
      const at = (column: Float64Array): number => column[i] as number;
      if (timeMs < series.nextMs) return;
      const { open, high, low, close, volume } = candles;
      const bar = { open: at(open), high: at(high), low: at(low), close: at(close), volume: at(volume) };
      series.waiting.set(timeMs, { timeMs, spanMs: MINUTE_MS, ...bar });
    });
    // Minutes that the exchange does not have, requested twice by the cache: no known trades. Only a later candle proves that they are
    // over: the exchange may be late with all of them, or this node's clock ahead.
    for (const { fromMs, toMs } of gaps) {
      if (toMs > lastMs || toMs + 3 * MINUTE_MS > nowMs) continue;
      for (let timeMs = Math.max(fromMs, series.nextMs); timeMs <= toMs; timeMs += MINUTE_MS) {
        if (!series.waiting.has(timeMs)) series.waiting.set(timeMs, emptyBar(timeMs));
      }
    }
  }

  /** Open of the newest candle of the exchange; 0 when unknown. */
  async #newestMs({ exchange, symbol }: Series, nowMs: number): Promise<number> {
    const page = { exchange, symbol, interval: '1m', limit: PAGE, endTimeMs: nowMs } as const;
    const response = await this.#deps.market.candles(page);
    return response.ok ? (response.value.value.candles.time.at(-1) ?? 0) : 0;
  }

  #enqueue(work: () => Promise<void>): void {
    this.#queue = this.#queue.then(async () => {
      if (this.#term.signal.aborted) return;
      await work().catch((error: unknown) => this.#term.end(error));
    });
  }

  /** One transaction of the leader: writes the events returned by `decide` together with its own writes. */
  async #write(decide: (tx: SystemTx) => Promise<readonly StepEvent[]>): Promise<void> {
    const { db } = this.#deps;
    let written: readonly StepEvent[] = [];
    const closed = await withSystem(db, async (tx): Promise<ClosedPosition[]> => {
      await assertLeader(tx, LEADER_NAME, this.#term.epoch);
      await lockLevels(tx, 'watch');
      written = await decide(tx);
      await writeSteps(tx, written);
      const exits = written.filter(isExit);
      const outdated = await this.#findOutdated(tx, exits);
      const current = exits.filter(({ id }) => !outdated.includes(id));
      const reduced = current.filter((event) => event.kind === 'reduced');
      for (const event of reduced) await writeReduce(tx, { ...event, reason: 'TP' });
      const done = await writeCloses(tx, closesOf(current));
      for (const { user_id: userId, id } of await readOwners(tx, reduced))
        await notifyUser(tx, userId, 'positions', { change: 'reduced', position_id: id });
      await this.#admitAgain(tx, outdated);
      const due = this.#due.splice(0);
      if (due.length > 0) done.push(...(await this.#deps.orders.write(tx, due)));
      for (const { id } of exits) this.#noteWritten(id);
      // Fills changed rows: their positions are read again.
      if (reduced.length > 0 || due.length > 0) await this.#takeIn(tx, new Set(due.map(({ id }) => id)));
      return done;
    });
    await afterClose(this.#deps, closed);
  }

  /** Exits wait for their write. What a part leaves is what its row will be then: prices may reach the next target before. */
  #noteExits(key: string, events: readonly StepEvent[]): void {
    for (const event of events.filter(isExit)) {
      const { id } = event;
      const revision = this.#revisions.get(id);
      this.#decided.set(event, { revision, reading: this.#readings.get(id) });
      this.#closing.set(id, { key, count: (this.#closing.get(id)?.count ?? 0) + 1 });
      if (event.kind === 'reduced' && revision !== undefined) this.#revisions.set(id, revision + 1);
    }
  }

  #noteWritten(id: string): void {
    const waiting = this.#closing.get(id);
    if (waiting === undefined) return;
    if (waiting.count > 1) this.#closing.set(id, { ...waiting, count: waiting.count - 1 });
    else this.#closing.delete(id);
  }

  /**
   * Positions that a price closed, in whole or in part, by a row which had changed before the close was written. The first exit of each
   * decides: the others of this write follow from it.
   */
  async #findOutdated(tx: SystemTx, exits: readonly (StepEvent & { id: string })[]): Promise<string[]> {
    if (exits.length === 0) return [];
    const first = new Map(exits.toReversed().map((event) => [event.id, event]));
    const revisions = await readRevisions(tx, [...first.keys()]);
    return [...revisions].flatMap(([id, revision]) => {
      const event = first.get(id);
      const decided = event && this.#decided.get(event);
      const isCurrent = decided?.revision === revision && decided.reading === this.#readings.get(id);
      return isCurrent ? [] : [id];
    });
  }

  /** The stored change came first: the position stays open, and candles judge the minute by its old and new levels. */
  async #admitAgain(tx: SystemTx, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const watermarks = await readWatermarks(tx, this.#market);
    for (const id of ids) {
      this.#closing.delete(id);
      this.#book.remove(id);
    }
    for (const each of await readByIds(tx, ids)) this.#admit(each, watermarks);
  }
}

const rangeName = ({ interval, period }: { interval: string; period: number }): string => `${interval} ${period}`;

/** A minute without data: its volume is zero, so nothing is filled. */
const emptyBar = (timeMs: number): WatchedBar => ({
  timeMs,
  spanMs: MINUTE_MS,
  open: 1,
  high: 1,
  low: 1,
  close: 1,
  volume: 0,
});

/** A close of all of it or of a part. */
const isExit = (event: StepEvent): event is Extract<StepEvent, { kind: 'closed' | 'reduced' }> =>
  event.kind === 'closed' || event.kind === 'reduced';

const closesOf = (events: readonly StepEvent[]): CloseWrite[] =>
  events.flatMap((event) => (event.kind === 'closed' ? [event] : []));
