import { AsyncLocalStorage } from 'node:async_hooks';

/** Priority and patience of a read from an exchange. */
export interface ReadPriority {
  /** Warming, sampling and measuring: user reads are sent first. Becomes false when a user joins the read. */
  isBackground: boolean;
  /** One of many series that a user reads at once, by a scan or a saved strategy: single reads are sent first. Becomes false when one joins. */
  isBulk: boolean;
  /** Longest wait for a slot in the budget of an exchange or a user; limited by the read's own deadline. */
  patienceMs: number;
  /** The caller retries a read that was rejected because no slot was free: its slot is held. */
  heldFor: string | null;
}

const priorities = new AsyncLocalStorage<ReadPriority>();
const usual: ReadPriority = { isBackground: false, isBulk: false, patienceMs: Infinity, heldFor: null };

/** Priority of the current read. */
export const readPriority = (): ReadPriority => priorities.getStore() ?? usual;

/** Runs reads that no user waits for. @param patienceMs for callers that retry soon: a longer wait rejects at once and blocks no other reader */
export const inBackground = <T>(work: () => T, patienceMs = Infinity): T =>
  priorities.run({ isBackground: true, isBulk: false, patienceMs, heldFor: null }, work);

/** Runs one of the many reads of a scan. */
export const inBulk = <T>(work: () => T): T => priorities.run({ ...readPriority(), isBulk: true }, work);

/** Runs reads whose caller gets an error for longer waits and retries after the stated time. */
export const withPatience = <T>(patienceMs: number, heldFor: string, work: () => T): T =>
  priorities.run({ isBackground: false, isBulk: false, patienceMs, heldFor }, work);

/** Runs a read with the priority it has on another node. */
export const withPriority = <T>(priority: ReadPriority, work: () => T): T => priorities.run(priority, work);

/** Running reads that share one result. A user who joins moves background reads to the front, a single read those of scans. */
export class SharedReads {
  readonly #priorities = new Set<ReadPriority>();

  /** Joins the running reads; call the result when the own read has ended. */
  join(): () => void {
    const own = readPriority();
    if (!own.isBackground)
      for (const each of this.#priorities) {
        each.isBulk = own.isBulk && (each.isBackground || each.isBulk);
        each.isBackground = false;
      }
    this.#priorities.add(own);
    return () => this.#priorities.delete(own);
  }

  get isEmpty(): boolean {
    return this.#priorities.size === 0;
  }
}
