/** A run of bars one request can carry; both ends are bar opens, inclusive. */
export interface Page {
  fromMs: number;
  toMs: number;
}

/** Cuts a span of bars into pages of at most `pageSize` bars, youngest last. */
export function pagesOf(fromMs: number, toMs: number, intervalMs: number, pageSize: number): Page[] {
  const pages: Page[] = [];
  for (let start = fromMs; start <= toMs; start += pageSize * intervalMs) {
    pages.push({ fromMs: start, toMs: Math.min(toMs, start + (pageSize - 1) * intervalMs) });
  }
  return pages;
}

/** Runs `work` over `items`, at most `width` at a time; results keep their places. Rejects with the first failure. */
export async function mapLimited<T, R>(
  items: readonly T[],
  width: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results = new Array<R>(items.length);
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++) results[index] = await work(items[index] as T);
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, lane));
  return results;
}
