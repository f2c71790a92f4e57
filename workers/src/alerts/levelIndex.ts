import { triggerOf } from './decide.ts';
import type { Comparison } from './conditions.ts';
import type { Side } from './decide.ts';

/** An alert in the index. The index changes neither field: the caller removes and adds an alert that changed. */
export interface Indexed {
  id: string;
  when: Comparison;
  level: number;
  side: Side;
}

/** Sorted so that the next trigger is last: reading and removing it moves nothing. */
class Ladder<T extends Indexed> {
  readonly #sign: 1 | -1;
  readonly #entries: { rank: number; isStrict: boolean; alert: T }[] = [];

  /** @param sign 1: triggers at rising values, -1: at falling ones */
  constructor(sign: 1 | -1) {
    this.#sign = sign;
  }

  get size(): number {
    return this.#entries.length;
  }

  /** Position of the first entry that triggers not later than this one. */
  #placeOf(rank: number, isStrict: boolean): number {
    let low = 0;
    let high = this.#entries.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const entry = this.#entries[middle];
      const isLater =
        entry !== undefined && (entry.rank > rank || (entry.rank === rank && entry.isStrict && !isStrict));
      if (isLater) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  add(alert: T, isStrict: boolean): void {
    const rank = alert.level * this.#sign;
    this.#entries.splice(this.#placeOf(rank, isStrict), 0, { rank, isStrict, alert });
  }

  remove(alert: T, isStrict: boolean): void {
    const rank = alert.level * this.#sign;
    for (let at = this.#placeOf(rank, isStrict); at < this.#entries.length; at++) {
      const entry = this.#entries[at];
      if (entry === undefined || entry.rank !== rank || entry.isStrict !== isStrict) return;
      if (entry.alert.id !== alert.id) continue;
      this.#entries.splice(at, 1);
      return;
    }
  }

  /** Removes and adds to `into` all whose trigger the value reaches. */
  takeReached(value: number, into: T[]): void {
    const reached = value * this.#sign;
    for (let last = this.#entries.at(-1); last !== undefined; last = this.#entries.at(-1)) {
      if (last.rank > reached || (last.rank === reached && last.isStrict)) return;
      this.#entries.pop();
      into.push(last.alert);
    }
  }
}

/**
 * Alerts on one value, sorted by the level that changes them next: a value touches only the alerts that it can change, however many there
 * are.
 */
export class LevelIndex<T extends Indexed> {
  readonly #up = new Ladder<T>(1);
  readonly #down = new Ladder<T>(-1);
  readonly #undecided = new Map<string, T>();

  get size(): number {
    return this.#up.size + this.#down.size + this.#undecided.size;
  }

  add(alert: T): void {
    const trigger = triggerOf(alert.when, alert.side);
    if (trigger === null) this.#undecided.set(alert.id, alert);
    else (trigger.direction === 'up' ? this.#up : this.#down).add(alert, trigger.isStrict);
  }

  remove(alert: T): void {
    const trigger = triggerOf(alert.when, alert.side);
    if (trigger === null) this.#undecided.delete(alert.id);
    else (trigger.direction === 'up' ? this.#up : this.#down).remove(alert, trigger.isStrict);
  }

  /** Takes the alerts that values between `low` and `high` can change out of the index. The caller adds those that stay. */
  take(low: number, high: number): T[] {
    const taken: T[] = [];
    if (this.#undecided.size > 0) {
      taken.push(...this.#undecided.values());
      this.#undecided.clear();
    }
    this.#up.takeReached(high, taken);
    this.#down.takeReached(low, taken);
    return taken;
  }
}
