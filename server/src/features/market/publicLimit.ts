export interface PublicLimit {
  /** Counts one request of a client; seconds to wait when it is one too many. */
  hit: (client: string) => number | undefined;
}

export interface PublicLimitOptions {
  hitMax: number;
  windowMs: number;
  now: () => number;
}

const clientsMax = 20_000;

/**
 * Requests per client on routes that need no session, counted in this process's memory: prices are read from memory too, so a
 * database round trip would cost more than what it protects. Each node counts for itself.
 */
export function createPublicLimit({ hitMax, windowMs, now }: PublicLimitOptions): PublicLimit {
  let windowIndex = -1;
  const counts = new Map<string, number>();
  return {
    hit(client) {
      const nowMs = now();
      const index = Math.floor(nowMs / windowMs);
      // A flood from ever new addresses must not fill the memory; forgetting early lets a few more through, no more.
      if (index !== windowIndex || counts.size >= clientsMax) counts.clear();
      windowIndex = index;
      const count = (counts.get(client) ?? 0) + 1;
      counts.set(client, count);
      return count > hitMax ? Math.ceil(((index + 1) * windowMs - nowMs) / 1000) : undefined;
    },
  };
}
