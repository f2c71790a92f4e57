/** Open event streams by kind: `page` of signed-in pages, `api` of keys. */
export interface StreamCounts {
  use: (kind: 'page' | 'api', count: () => number) => void;
  read: () => Record<string, number>;
}

export function createStreamCounts(): StreamCounts {
  const counts = new Map<string, () => number>();
  return {
    use: (kind, count) => void counts.set(kind, count),
    read: () => Object.fromEntries([...counts].map(([kind, count]) => [kind, count()])),
  };
}
