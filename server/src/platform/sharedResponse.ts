/**
 * Shares one result, failures included, among all callers within `freshMs`.
 * @param nowMs a monotonic clock in milliseconds
 */
export function createSharedResponse<T>(
  freshMs: number,
  load: () => Promise<T>,
  nowMs: () => number,
): () => Promise<T> {
  let last: { atMs: number; answer: Promise<T> } | undefined;
  return () => {
    if (last === undefined || nowMs() - last.atMs >= freshMs) last = { atMs: nowMs(), answer: load() };
    return last.answer;
  };
}
