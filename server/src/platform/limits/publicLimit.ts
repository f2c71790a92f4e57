import type { FastifyRequest } from 'fastify';
import { RejectionError } from '../http/rejectionError.ts';
import { clientKey } from './clientKey.ts';

export interface PublicLimit {
  /** Counts one request of a client. Returns the seconds to wait when the limit is exceeded. */
  hit: (client: string) => number | undefined;
}

export interface PublicLimitOptions {
  hitMax: number;
  windowMs: number;
  now: () => number;
}

const clientsMax = 20_000;

/**
 * Request limit per client on routes that need no session, counted in this process's memory: prices are read from memory too, so a
 * database round trip would cost more than the protected work. Each node counts separately.
 */
export function createPublicLimit({ hitMax, windowMs, now }: PublicLimitOptions): PublicLimit {
  let windowIndex = -1;
  const counts = new Map<string, number>();
  return {
    hit(client) {
      const nowMs = now();
      const index = Math.floor(nowMs / windowMs);
      // Bounds memory when a flood uses ever new addresses; an early reset only lets a few more requests through.
      if (index !== windowIndex || counts.size >= clientsMax) counts.clear();
      windowIndex = index;
      const count = (counts.get(client) ?? 0) + 1;
      counts.set(client, count);
      return count > hitMax ? Math.ceil(((index + 1) * windowMs - nowMs) / 1000) : undefined;
    },
  };
}

/** Requests a minute of one client without an API key, per group of routes: four a second, more than any page sends. */
export const ANONYMOUS_PER_MINUTE = 240;

/** Hook of routes that need no session: limits the requests of a client. A call with a key counts against the hour of the key instead. */
export function limitAnonymous(now: () => number): (request: Pick<FastifyRequest, 'headers' | 'ip'>) => Promise<void> {
  const limit = createPublicLimit({ hitMax: ANONYMOUS_PER_MINUTE, windowMs: 60_000, now });
  return ({ headers, ip }) => {
    if (headers['x-api-key'] !== undefined) return Promise.resolve();
    const retryAfterS = limit.hit(clientKey(ip));
    if (retryAfterS === undefined) return Promise.resolve();
    const message = `At most ${ANONYMOUS_PER_MINUTE} requests a minute without an API key.`;
    throw new RejectionError({ code: 'rate_limited', message, retryAfterS });
  };
}
