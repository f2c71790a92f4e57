import { decide, decideBar, type Decision, type Side, type ValueBar } from './decide.ts';
import type { LevelRule } from './conditions.ts';
import { type Indexed, LevelIndex } from './levelIndex.ts';

/** An active alert as it is evaluated. Times are the exchange's, epoch ms. */
export interface BookAlert extends LevelRule {
  id: string;
  /** Name of the value that it compares: alerts with the same key share one index. */
  key: string;
  side: Side;
  /** Since when `side` holds. */
  sinceMs: number;
  repeats: boolean;
  pauseMs: number;
  lastFiredMs: number | null;
  expiresMs: number | null;
}

/** A value at an instant. */
export interface Sample {
  value: number;
  atMs: number;
}

/** What decided: a value, or a closed candle of it. `isWhole`: its extremes count, not only its close. */
export type Observation =
  | ({ source: 'value' } & Sample)
  | ({ source: 'candle'; openMs: number; closeMs: number; isWhole: boolean } & ValueBar);

/** A change of an alert to store. */
export interface AlertChange {
  id: string;
  sideBefore: Side;
  side: Side;
  sinceMs: number;
  /** Fires now, not within its least pause. */
  fires: boolean;
  /** Value that decided, and its time. */
  value: number;
  atMs: number;
  /** Previous value of the key; null without one. */
  before: Sample | null;
  observation: Observation;
}

interface Entry extends Indexed {
  alert: BookAlert;
}

interface Series {
  index: LevelIndex<Entry>;
  last: Sample | null;
}

/**
 * Evaluates alerts on streams of values. A value touches only the alerts that it can change. The book changes its alerts at once; the
 * caller stores the changes, or loads a new book when it cannot.
 */
export class AlertBook {
  readonly #series = new Map<string, Series>();
  readonly #entries = new Map<string, Entry>();

  get size(): number {
    return this.#entries.size;
  }

  has(id: string): boolean {
    return this.#entries.has(id);
  }

  /** The alert as it is now: its side and times move on with the values. */
  get(id: string): Readonly<BookAlert> | undefined {
    return this.#entries.get(id)?.alert;
  }

  keys(): IterableIterator<string> {
    return this.#series.keys();
  }

  ids(): IterableIterator<string> {
    return this.#entries.keys();
  }

  add(alert: BookAlert): void {
    this.remove(alert.id);
    const entry: Entry = { id: alert.id, when: alert.when, level: alert.level, side: alert.side, alert };
    const series = this.#series.get(alert.key) ?? { index: new LevelIndex<Entry>(), last: null };
    this.#series.set(alert.key, series);
    this.#entries.set(alert.id, entry);
    series.index.add(entry);
  }

  remove(id: string): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    this.#entries.delete(id);
    const { key } = entry.alert;
    const series = this.#series.get(key);
    if (series === undefined) return;
    series.index.remove(entry);
    this.#dropEmpty(key, series);
  }

  /** A new value of a key, later than the ones before. */
  value(key: string, value: number, atMs: number): AlertChange[] {
    const series = this.#series.get(key);
    if (series === undefined) return [];
    const before = series.last;
    if (Number.isNaN(value) || (before !== null && atMs < before.atMs)) return [];
    series.last = { value, atMs };
    const taken = series.index.take(value, value);
    if (taken.length === 0) return [];
    const changes: AlertChange[] = [];
    for (const entry of taken) {
      // A value from before the side is no news.
      const isJudged = atMs >= entry.alert.sinceMs;
      const decision = isJudged ? decide(entry, entry.side, value) : { side: entry.side, fires: false };
      const observation: Observation = { source: 'value', value, atMs };
      this.#settle(series, entry, decision, { value, atMs, before, observation }, changes);
    }
    this.#dropEmpty(key, series);
    return changes;
  }

  /**
   * A closed candle of a key: finds what no single value showed, such as the extremes of a minute between two ticks or while no node ran.
   */
  candle(key: string, openMs: number, closeMs: number, bar: ValueBar): AlertChange[] {
    const series = this.#series.get(key);
    if (series === undefined) return [];
    const changes: AlertChange[] = [];
    for (const entry of series.index.take(bar.low, bar.high)) {
      const { sinceMs } = entry.alert;
      const isWhole = sinceMs <= openMs;
      const decided =
        sinceMs >= closeMs
          ? { side: entry.side, fires: false, value: bar.close }
          : decideBar(entry, entry.side, bar, isWhole);
      const { high, low, close } = bar;
      const observation: Observation = { source: 'candle', openMs, closeMs, isWhole, high, low, close };
      const seen = { value: decided.value, atMs: closeMs, before: series.last, observation };
      this.#settle(series, entry, decided, seen, changes);
    }
    this.#dropEmpty(key, series);
    return changes;
  }

  /** Once all that were taken are settled: until then the index lacks those that stay. */
  #dropEmpty(key: string, series: Series): void {
    if (series.index.size === 0) this.#series.delete(key);
  }

  #settle(
    series: Series,
    entry: Entry,
    { side, fires }: Decision,
    seen: Pick<AlertChange, 'value' | 'atMs' | 'before' | 'observation'>,
    into: AlertChange[],
  ): void {
    const { alert } = entry;
    const sideBefore = entry.side;
    if (side === sideBefore && !fires) {
      series.index.add(entry);
      return;
    }
    const isPausing = alert.lastFiredMs !== null && seen.atMs - alert.lastFiredMs < alert.pauseMs;
    const isOver = alert.expiresMs !== null && seen.atMs >= alert.expiresMs;
    const firesNow = fires && !isPausing && !isOver;
    entry.side = side;
    alert.side = side;
    alert.sinceMs = seen.atMs;
    if (firesNow) alert.lastFiredMs = seen.atMs;
    into.push({ id: entry.id, sideBefore, side, sinceMs: seen.atMs, fires: firesNow, ...seen });
    if (firesNow && !alert.repeats) {
      this.#entries.delete(entry.id);
      return;
    }
    series.index.add(entry);
  }
}
