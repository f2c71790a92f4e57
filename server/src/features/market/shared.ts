import { ok } from '@sextant/workers/src/result.ts';
import { type Outcome, refuse } from '../../platform/errors.ts';

/** Work that several callers want at the same time, done once. */
export function createFlights<T>(): (key: string, work: () => Promise<T>) => Promise<T> {
  const flights = new Map<string, Promise<T>>();
  return (key, work) => {
    const running = flights.get(key);
    if (running !== undefined) return running;
    const flight = work().finally(() => flights.delete(key));
    flights.set(key, flight);
    return flight;
  };
}

/** Work on the same thing one after the other; work on different things side by side. */
export function createTurns(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  return (key, work) => {
    const before = last.get(key) ?? Promise.resolve();
    const turn = before.then(work, work);
    last.set(key, turn);
    const forget = (): void => {
      if (last.get(key) === turn) last.delete(key);
    };
    turn.then(forget, forget);
    return turn;
  };
}

/** One caller leaving must not end work that others share: it stops waiting, the work goes on to its own deadline. */
export async function unlessAborted<T>(
  work: Promise<Outcome<T>>,
  signal: AbortSignal | undefined,
): Promise<Outcome<T>> {
  if (signal === undefined) return work;
  const left = refuse('deadline_exceeded', 'The request was cancelled.');
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

export interface Kept<T> {
  value: T;
  fetchedAtMs: number;
}

export interface KeepRules {
  /** Younger than this it is answered without asking. */
  freshMs: number;
  /** Up to this age it is better than a failure; the answer says how old it is. */
  staleMs: number;
  now: () => number;
}

/** One value that is fetched when it is too old, once for all who wait; an old one outlives a short failure. */
export function createKept<T>(load: () => Promise<Outcome<T>>, { freshMs, staleMs, now }: KeepRules) {
  let kept: Kept<T> | undefined;
  let flight: Promise<Outcome<Kept<T>>> | undefined;

  async function renew(): Promise<Outcome<Kept<T>>> {
    const loaded = await load();
    if (loaded.ok) {
      kept = { value: loaded.value, fetchedAtMs: now() };
      return ok(kept);
    }
    return kept !== undefined && now() - kept.fetchedAtMs < staleMs ? ok(kept) : loaded;
  }

  /** `admit` is asked when the answer costs a fetch. */
  return async (admit?: () => Outcome<null>): Promise<Outcome<Kept<T>>> => {
    if (kept !== undefined && now() - kept.fetchedAtMs < freshMs) return ok(kept);
    const admitted = flight === undefined ? admit?.() : undefined;
    if (admitted?.ok === false) return admitted;
    flight ??= renew().finally(() => (flight = undefined));
    return flight;
  };
}
