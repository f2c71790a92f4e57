/**
 * Creates a value at first use and caches it. A rejected promise is not cached: the next use tries again.
 */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    if (made !== undefined) return made.value;
    const kept = { value: make() };
    made = kept;
    if (kept.value instanceof Promise) {
      kept.value.catch(() => {
        if (made === kept) made = undefined;
      });
    }
    return kept.value;
  };
}
