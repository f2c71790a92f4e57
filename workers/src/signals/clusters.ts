/** Detects signals that are the same bet. Pure arithmetic; docs/performance.md gives the reasons. */

/** Fields of a resolved signal used for clustering. */
export interface Bet {
  id: string;
  symbol: string;
  direction: string;
  /** Close of its candle and its end, epoch ms. */
  closeAtMs: number;
  exitAtMs: number;
  /** Known at creation; later information must not determine the order. */
  horizonMinutes: number;
}

/**
 * For each bet the index of the first bet of its symbol and direction that was still open when it started; its own index when there is
 * none. Among simultaneous bets the longest horizon comes first. A bet joins only the first bet, never a bet that joined it, so
 * a trend signalled for a week counts as more than one bet.
 */
export function clustersOf(bets: readonly Bet[]): number[] {
  const order = [...bets.keys()].sort((a, b) => compare(bets[a], bets[b]));
  const first = new Map<string, { index: number; exitAtMs: number }>();
  const clusters = new Array<number>(bets.length).fill(0);
  for (const index of order) {
    const bet = bets[index];
    if (bet === undefined) continue;
    const key = `${bet.symbol} ${bet.direction}`;
    const leader = first.get(key);
    if (leader !== undefined && bet.closeAtMs <= leader.exitAtMs) clusters[index] = leader.index;
    else {
      clusters[index] = index;
      first.set(key, { index, exitAtMs: bet.exitAtMs });
    }
  }
  return clusters;
}

function compare(a: Bet | undefined, b: Bet | undefined): number {
  if (a === undefined || b === undefined) return 0;
  return a.closeAtMs - b.closeAtMs || b.horizonMinutes - a.horizonMinutes || (a.id < b.id ? -1 : 1);
}

/** Only the first signal of each bet, in the given order. */
export function firstOfEach<T extends Bet>(bets: readonly T[]): T[] {
  const clusters = clustersOf(bets);
  return bets.filter((_, i) => clusters[i] === i);
}

/**
 * Effective number of independent signals when those of one bet always agree (Kish: n^2 over the sum of squared sizes): n when
 * every bet has one signal, 1 when all belong to one bet. 0 for none.
 */
export function effectiveCount(clusters: readonly number[]): number {
  const sizes = new Map<number, number>();
  for (const cluster of clusters) sizes.set(cluster, (sizes.get(cluster) ?? 0) + 1);
  const squares = [...sizes.values()].reduce((sum, size) => sum + size * size, 0);
  return squares === 0 ? 0 : clusters.length ** 2 / squares;
}
