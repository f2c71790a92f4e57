export interface Recent<T> {
  set: (value: T) => void;
  /** The last value; undefined when it is too old. */
  get: () => T | undefined;
}

/** The newest value, for a limited time. @param nowMs a monotonic clock: it must not follow a step of the wall clock */
export function createRecent<T>(lifeMs: number, nowMs: () => number = () => performance.now()): Recent<T> {
  let last: { value: T; atMs: number } | undefined;
  return {
    set: (value) => (last = { value, atMs: nowMs() }),
    get: () => (last !== undefined && nowMs() - last.atMs < lifeMs ? last.value : undefined),
  };
}
