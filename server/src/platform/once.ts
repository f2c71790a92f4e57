/**
 * Creates a value at first use and caches it. A rejected promise is not cached: the next use tries again.
 */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    if (made !== undefined) return made.value;
    const stored = { value: make() };
    made = stored;
    if (stored.value instanceof Promise) {
      stored.value.catch(() => {
        if (made === stored) made = undefined;
      });
    }
    return stored.value;
  };
}
