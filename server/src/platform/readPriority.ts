import { AsyncLocalStorage } from 'node:async_hooks';

/** Who waits for a read of an exchange, and for how long. */
export interface ReadPriority {
  /** Warming, sampling and measuring: reads that users wait for are sent first. Becomes false when a user joins the read. */
  isBackground: boolean;
  /** Longest wait for a slot in the budget of an exchange or of a user; the read's own deadline when it is shorter. */
  patienceMs: number;
  /** The caller repeats a read that was refused for want of a slot: its slot is held. */
  willRepeat: boolean;
}

const priorities = new AsyncLocalStorage<ReadPriority>();
const usual: ReadPriority = { isBackground: false, patienceMs: Infinity, willRepeat: false };

/** Priority of the read that runs now. */
export const readPriority = (): ReadPriority => priorities.getStore() ?? usual;

/** Runs reads that no user waits for. */
export const inBackground = <T>(work: () => T): T =>
  priorities.run({ isBackground: true, patienceMs: Infinity, willRepeat: false }, work);

/** Runs reads of a caller that is told of a longer wait, and repeats the read after it. */
export const withPatience = <T>(patienceMs: number, work: () => T): T =>
  priorities.run({ isBackground: false, patienceMs, willRepeat: true }, work);

/** Reads under way for one answer. A user who joins moves those of the background to the front. */
export class SharedReads {
  readonly #priorities = new Set<ReadPriority>();

  /** Joins the reads under way; call the result when the own read has ended. */
  join(): () => void {
    const own = readPriority();
    if (!own.isBackground) for (const each of this.#priorities) if (each.isBackground) each.isBackground = false;
    this.#priorities.add(own);
    return () => this.#priorities.delete(own);
  }

  get isEmpty(): boolean {
    return this.#priorities.size === 0;
  }
}
