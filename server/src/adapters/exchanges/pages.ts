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
