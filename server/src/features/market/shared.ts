import { ok } from '@sextant/workers/src/core/result.ts';
import { type Outcome, reject } from '../../platform/errors.ts';
import { SharedReads } from '../../platform/readPriority.ts';

/** The reads of each key. */
function createReadsByKey() {
  const byKey = new Map<string, SharedReads>();
  return {
    join(key: string): () => void {
      const reads = byKey.get(key) ?? new SharedReads();
      byKey.set(key, reads);
      const leave = reads.join();
      return () => {
        leave();
        if (reads.isEmpty && byKey.get(key) === reads) byKey.delete(key);
      };
    },
  };
}

/** Shares one run of a piece of work between concurrent callers. */
export function createFlights<T>(): (key: string, work: () => Promise<T>) => Promise<T> {
  const flights = new Map<string, Promise<T>>();
  const reads = createReadsByKey();
  return (key, work) => {
    const leave = reads.join(key);
    const running = flights.get(key);
    if (running !== undefined) return running.finally(leave);
    const flight = work().finally(() => {
      flights.delete(key);
      leave();
    });
    flights.set(key, flight);
    return flight;
  };
}

/** Runs work on the same key sequentially, on different keys concurrently. */
export function createTurns(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  const reads = createReadsByKey();
  return (key, work) => {
    const leave = reads.join(key);
    const before = last.get(key) ?? Promise.resolve();
    const turn = before.then(work, work);
    last.set(key, turn);
    const forget = (): void => {
      leave();
      if (last.get(key) === turn) last.delete(key);
    };
    turn.then(forget, forget);
    return turn;
  };
}

/** A caller that aborts stops waiting; work shared with others continues until its deadline. */
export async function unlessAborted<T>(
  work: Promise<Outcome<T>>,
  signal: AbortSignal | undefined,
): Promise<Outcome<T>> {
  if (signal === undefined) return work;
  const left = reject('deadline_exceeded', 'The request was cancelled.');
  if (signal.aborted) {
    work.catch(() => undefined);
    return left;
  }
  let onAbort: (() => void) | undefined;
  const aborted = new Promise<Outcome<never>>((resolve) => {
    onAbort = () => {
      resolve(left);
    };
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    if (onAbort !== undefined) signal.removeEventListener('abort', onAbort);
  }
}

export interface Cached<T> {
  value: T;
  fetchedAtMs: number;
}

export interface KeepRules {
  /** Up to this age the value is returned without a fetch. */
  freshMs: number;
  /** Up to this age the value is returned when a fetch fails; the response states its age. */
  staleMs: number;
  now: () => number;
}

/** One value, fetched when it is too old, once for all waiting callers; an old one bridges short failures. */
export function createCached<T>(load: () => Promise<Outcome<T>>, { freshMs, staleMs, now }: KeepRules) {
  let stored: Cached<T> | undefined;
  let flight: Promise<Outcome<Cached<T>>> | undefined;
  const reads = new SharedReads();

  async function renew(): Promise<Outcome<Cached<T>>> {
    const loaded = await load();
    if (loaded.ok) {
      stored = { value: loaded.value, fetchedAtMs: now() };
      return ok(stored);
    }
    return stored !== undefined && now() - stored.fetchedAtMs < staleMs ? ok(stored) : loaded;
  }

  /** `admit` is called when a fetch is needed. */
  return async (admit?: () => Promise<Outcome<null>>): Promise<Outcome<Cached<T>>> => {
    if (stored !== undefined && now() - stored.fetchedAtMs < freshMs) return ok(stored);
    const admitted = flight === undefined ? await admit?.() : undefined;
    if (admitted?.ok === false) return admitted;
    const leave = reads.join();
    flight ??= renew().finally(() => (flight = undefined));
    return flight.finally(leave);
  };
}
