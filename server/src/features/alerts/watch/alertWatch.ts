import { AlertBook, type AlertChange } from '@sextant/workers/src/alerts/alertBook.ts';
import { type AlertKind, LATE_MS } from '@sextant/workers/src/alerts/conditions.ts';
import type { EvidenceBasis } from '@sextant/workers/src/alerts/recompute.ts';
import type { MarketMode } from '../../../config.ts';
import { type Db, type SystemTx, withSystem } from '../../../platform/db/scope.ts';
import { notifyUser } from '../../../platform/events/notify.ts';
import { assertLeader, type Term, untilAborted } from '../../../platform/jobs/leadership.ts';
import { repeat } from '../../../platform/repeat.ts';
import type { EndedContract } from '../../history/describeEnd.ts';
import { createEndedFinder } from '../../market/endedContracts.ts';
import type { Market } from '../../market/port.ts';
import { CloseSource, type CloseSourceDeps } from './closeSource.ts';
import {
  type AlertVersion,
  type ComparedValue,
  type EndedFinder,
  findDelisted,
  stopDelisted,
} from './delistedAlerts.ts';
import { PolledSource, type PolledSourceDeps } from './polledSource.ts';
import { PriceSource, type PriceSourceDeps } from './priceSource.ts';
import { keyOf, type ValueSink, type ValueSource } from './source.ts';
import { storeChanges } from './storeChanges.ts';
import {
  type ActiveAlert,
  bookAlertOf,
  type ChangeWrite,
  expireAlerts,
  isDecidedAs,
  readActive,
  readActiveByIds,
  readVersions,
  readWatermarks,
  stopAlerts,
  writeWatermarks,
} from './watchRepository.ts';

export const ALERTS_LEADER = 'alerts';

/** Values arrive in bursts: changes that arrive together are one transaction. */
const GATHER_MS = 25;
/** Changes of one transaction: it locks the lease, which has to be renewed meanwhile. */
const CHANGES_AT_ONCE = 100;
/** Watermarks are stored this often when nothing fires. */
const MARKS_MS = 5000;
const EXPIRE_MS = 5000;
/** Notices of changed alerts arrive at once; this covers lost ones. */
const RESYNC_MS = 30_000;
/** Interval of the search for ended contracts, and maximum age of the lists that it reads: a list is a large response. */
const DELISTED_MS = 5000;
const LIST_AGE_MS = 60_000;

export interface AlertWatchDeps {
  db: Db;
  /** `historySource`: the world that stored lists of contracts belong to. */
  config: { market: MarketMode; historySource: string };
  market: PriceSourceDeps['market'] &
    CloseSourceDeps['market'] &
    PolledSourceDeps['market'] &
    Pick<Market, 'symbols' | 'prices'>;
  newEngine: CloseSourceDeps['newEngine'];
  newsVotes: CloseSourceDeps['newsVotes'];
  warn: (error: unknown) => void;
}

/**
 * Evaluates the active alerts of all users on the served market while this node leads. Memory is derived from stored data: sides of the
 * alerts, and the candles since the watermark. Firing, receipt and queued messages are one transaction; after a failed write the term ends
 * and the next one loads again, so a node that dies at any moment fires nothing twice.
 */
export class AlertWatch {
  readonly #deps: AlertWatchDeps;
  readonly #term: Term;
  readonly #book = new AlertBook();
  readonly #alerts = new Map<string, { alert: ActiveAlert; key: string }>();
  /** Alerts of each wanted value. */
  readonly #byKey = new Map<string, Set<string>>();
  readonly #sink: ValueSink;
  #sources: Record<AlertKind, ValueSource> | undefined;
  #prices: PriceSource | undefined;
  readonly #pending: ChangeWrite[] = [];
  /** Alerts with a change that is not stored yet. */
  readonly #unstored = new Map<string, number>();
  readonly #changed = new Set<string>();
  /** Resolves once the stored alerts are here, and their sources: what is admitted before would be served by none. */
  readonly #loaded = Promise.withResolvers<undefined>();
  /** Writes run in the order of their decisions. */
  #queue: Promise<unknown> = this.#loaded.promise;
  #gathering: ReturnType<typeof setTimeout> | undefined;

  constructor(deps: AlertWatchDeps, term: Term) {
    this.#deps = deps;
    this.#term = term;
    this.#sink = {
      value: (key, value, atMs, basis) => this.#endOnError(() => this.#take(this.#book.value(key, value, atMs), basis)),
      candle: (key, openMs, closeMs, bar) =>
        this.#endOnError(() => this.#take(this.#book.candle(key, openMs, closeMs, bar))),
      stop: (key, reason) => this.#stop(key, reason),
      warn: deps.warn,
    };
  }

  get size(): number {
    return this.#book.size;
  }

  /** Loads the alerts, then evaluates until the term ends; resolves when all decisions so far are stored or given up. */
  async run(): Promise<void> {
    const { db, config, market, newEngine, newsVotes } = this.#deps;
    const timers: NodeJS.Timeout[] = [];
    let stopDelisting: (() => void) | undefined;
    try {
      const { alerts, watermarks } = await withSystem(db, async (tx) => ({
        alerts: await readActive(tx, config.market),
        watermarks: await readWatermarks(tx, config.market),
      }));
      const sink = this.#sink;
      const prices = new PriceSource({ market, sink, watermarks });
      const closes = new CloseSource({ db, market, newEngine, newsVotes, sink });
      const polled = new PolledSource({ db, config, market, newEngine, sink });
      this.#prices = prices;
      this.#sources = {
        price: prices,
        change: prices,
        funding: prices,
        indicator: closes,
        signal: closes,
        formula: closes,
        spread: polled,
        liquidation: polled,
        news: polled,
      };
      for (const alert of alerts) this.#admit(alert);
      this.#loaded.resolve(undefined);
      timers.push(
        setInterval(() => this.#flush(), MARKS_MS),
        setInterval(() => this.#enqueue((tx) => this.#expire(tx)), EXPIRE_MS),
        setInterval(() => this.#enqueue((tx) => this.#resync(tx)), RESYNC_MS),
      );
      const findEnded = createEndedFinder(market, LIST_AGE_MS);
      stopDelisting = repeat(DELISTED_MS, () => this.#endDelisted(findEnded), this.#deps.warn);
      await untilAborted(this.#term.signal);
    } catch (error) {
      this.#term.end(error);
    } finally {
      for (const timer of timers) clearInterval(timer);
      stopDelisting?.();
      clearTimeout(this.#gathering);
      await Promise.all([...new Set(Object.values(this.#sources ?? {}))].map((source) => source.close()));
      this.#loaded.resolve(undefined);
      await this.#queue;
    }
  }

  /** Takes over what the owner changed in an alert. */
  sync(id: string): void {
    const isFirst = this.#changed.size === 0;
    this.#changed.add(id);
    if (isFirst) this.#enqueue((tx) => this.#takeChanged(tx));
  }

  /** Compares all alerts with the stored ones, after notices may have been lost. */
  syncAll(): void {
    this.#enqueue((tx) => this.#resync(tx));
  }

  #endOnError(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#term.end(error);
    }
  }

  #admit(alert: ActiveAlert): void {
    const key = keyOf(alert.condition, alert.userId);
    // A value that is wanted again is judged again from its start: a new note is no reason.
    const isGoingOn = this.#alerts.get(alert.id)?.key === key && isDecidedAs(this.#book.get(alert.id), alert);
    if (!isGoingOn) this.#remove(alert.id);
    this.#alerts.set(alert.id, { alert, key });
    this.#book.add(bookAlertOf(alert, key));
    const ids = this.#byKey.get(key) ?? new Set();
    this.#byKey.set(key, ids.add(alert.id));
    const { condition, userId, sinceMs } = alert;
    if (!isGoingOn && ids.size === 1) this.#sources?.[condition.kind].want({ key, condition, userId, sinceMs });
  }

  #remove(id: string): void {
    const known = this.#alerts.get(id);
    if (known === undefined) return;
    const { key, alert } = known;
    this.#alerts.delete(id);
    this.#book.remove(id);
    const ids = this.#byKey.get(key);
    ids?.delete(id);
    if (ids?.size !== 0) return;
    this.#byKey.delete(key);
    this.#sources?.[alert.condition.kind].drop(key);
  }

  #take(changes: readonly AlertChange[], basis?: () => EvidenceBasis): void {
    if (changes.length === 0) return;
    const detectedMs = Date.now();
    const basisNow = basis?.() ?? null;
    for (const change of changes) {
      const known = this.#alerts.get(change.id);
      if (known === undefined) continue;
      const { sideBefore, value, before, observation, atMs } = change;
      const evidence = { side_before: sideBefore, value, before, observation, basis: basisNow };
      const isLate = detectedMs - atMs > LATE_MS;
      this.#pending.push({ change, version: known.alert.version, evidence, detectedMs, isLate });
      this.#unstored.set(change.id, (this.#unstored.get(change.id) ?? 0) + 1);
      if (change.fires && !known.alert.repeats) this.#remove(change.id);
    }
    this.#gathering ??= setTimeout(() => this.#flush(), GATHER_MS);
  }

  #flush(): void {
    clearTimeout(this.#gathering);
    this.#gathering = undefined;
    const { market } = this.#deps.config;
    this.#enqueue(async (tx) => {
      // Both are taken when the transaction runs: marks never pass a candle whose changes are not stored, and changes keep their order.
      const writes = this.#pending.splice(0, CHANGES_AT_ONCE);
      const marks = this.#pending.length === 0 ? (this.#prices?.takeMarks() ?? []) : [];
      const stopped = await storeChanges(tx, writes, this.#deps.warn);
      await writeWatermarks(tx, market, marks);
      return () => {
        for (const id of stopped) this.#remove(id);
        for (const { change } of writes) this.#settle(change.id);
        if (this.#pending.length > 0) this.#flush();
      };
    });
  }

  #settle(id: string): void {
    const left = (this.#unstored.get(id) ?? 1) - 1;
    if (left > 0) this.#unstored.set(id, left);
    else this.#unstored.delete(id);
  }

  /** @param work returns what to do after the commit */
  #enqueue(work: (tx: SystemTx) => Promise<(() => void) | undefined>): void {
    this.#queue = this.#queue.then(async () => {
      if (this.#term.signal.aborted) return;
      try {
        const after = await withSystem(this.#deps.db, async (tx) => {
          await assertLeader(tx, ALERTS_LEADER, this.#term.epoch);
          return work(tx);
        });
        after?.();
      } catch (error) {
        // Memory no longer follows from stored data: the next term reads it again.
        this.#term.end(error);
      }
    });
  }

  async #takeChanged(tx: SystemTx): Promise<undefined> {
    const ids = [...this.#changed];
    this.#changed.clear();
    const { market } = this.#deps.config;
    const active = new Map((await readActiveByIds(tx, market, ids)).map((alert) => [alert.id, alert]));
    for (const id of ids) {
      const alert = active.get(id);
      if (alert === undefined) this.#remove(id);
      else if (this.#isNew(alert.id, alert.version)) this.#admit(alert);
    }
  }

  /** Whether the stored alert differs from the one here. A firing that is not stored yet must not bring its alert back. */
  #isNew(id: string, version: number): boolean {
    const known = this.#alerts.get(id);
    return known === undefined ? !this.#unstored.has(id) : known.alert.version !== version;
  }

  async #resync(tx: SystemTx): Promise<undefined> {
    const { market } = this.#deps.config;
    const versions = await readVersions(tx, market);
    for (const id of this.#alerts.keys()) if (!versions.has(id)) this.#remove(id);
    const missing = [...versions].filter(([id, version]) => this.#isNew(id, version)).map(([id]) => id);
    if (missing.length === 0) return;
    for (const alert of await readActiveByIds(tx, market, missing))
      if (this.#isNew(alert.id, alert.version)) this.#admit(alert);
  }

  async #expire(tx: SystemTx): Promise<() => void> {
    const owners = await expireAlerts(tx);
    for (const userId of new Set(owners)) await notifyUser(tx, userId, 'alerts', { change: 'expired' });
    return () => {
      const nowMs = Date.now();
      for (const [id, { alert }] of this.#alerts)
        if (alert.expiresMs !== null && alert.expiresMs <= nowMs) this.#remove(id);
    };
  }

  #stop(key: string, reason: string): void {
    const alerts = this.#versionsOf(this.#byKey.get(key) ?? []);
    for (const { id } of alerts) this.#remove(id);
    this.#enqueue(async (tx) => {
      const owners = new Set((await stopAlerts(tx, alerts, reason)).map(({ userId }) => userId));
      for (const userId of owners) await notifyUser(tx, userId, 'alerts', { change: 'stopped' });
      return undefined;
    });
  }

  #versionsOf(ids: Iterable<string>): AlertVersion[] {
    return [...ids].flatMap((id) => {
      const known = this.#alerts.get(id);
      return known === undefined ? [] : [{ id, version: known.alert.version }];
    });
  }

  /** Ends the alerts whose contract the exchange has ended: they would wait for ever. A halted contract is still listed. */
  async #endDelisted(findEnded: EndedFinder): Promise<void> {
    const values = [...this.#byKey.values()].flatMap((ids): ComparedValue[] => {
      const [first = ''] = ids;
      const known = this.#alerts.get(first);
      return known === undefined ? [] : [{ condition: known.alert.condition, alerts: this.#versionsOf(ids) }];
    });
    for (const { contract, alerts } of await findDelisted(values, findEnded)) this.#endContract(contract, alerts);
  }

  #endContract(contract: EndedContract, alerts: readonly AlertVersion[]): void {
    // One that its owner changed meanwhile may be on another contract.
    const remove = (): void => {
      for (const { id, version } of alerts) if (this.#alerts.get(id)?.alert.version === version) this.#remove(id);
    };
    // Firings that were decided before are stored before.
    this.#flush();
    remove();
    this.#enqueue(async (tx) => {
      await stopDelisted(tx, this.#deps.config.historySource, contract, alerts);
      // Again: a comparison with the stored alerts may have run between.
      return remove;
    });
  }
}
