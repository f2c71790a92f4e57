import { createHash } from 'node:crypto';

/** A cached session. */
export interface CachedSession<S> {
  value: S;
  sessionId: string;
  userId: string;
  expiresAtMs: number;
}

export interface SessionCache<S> {
  /** The cached session of these credentials, or the result of `load`. Missing sessions are not cached. */
  get: (credentials: string, load: () => Promise<CachedSession<S> | null>) => Promise<S | null>;
  endSession: (sessionId: string) => void;
  endUser: (userId: string) => void;
}

interface Entry<S> extends CachedSession<S> {
  staleAtMs: number;
}

const hash = (text: string): string => createHash('sha256').update(text).digest('base64');

/**
 * Caches the user of a session for a short time. Ending a session here takes effect at once: the result of a load that overlaps the end
 * of a session is not cached.
 */
export function createSessionCache<S>({
  freshMs,
  entriesMax,
  nowMs,
}: {
  freshMs: number;
  entriesMax: number;
  nowMs: () => number;
}): SessionCache<S> {
  const entries = new Map<string, Entry<S>>();
  const loading = new Map<string, { endCount: number; session: Promise<CachedSession<S> | null> }>();
  let endCount = 0;
  const end = (isEnded: (entry: Entry<S>) => boolean) => {
    endCount += 1;
    for (const [key, entry] of entries) if (isEnded(entry)) entries.delete(key);
  };
  /** Concurrent requests of one session share one read. A request after the end of a session does not join a read from before. */
  function loadOnce(key: string, load: () => Promise<CachedSession<S> | null>): Promise<CachedSession<S> | null> {
    const running = loading.get(key);
    if (running?.endCount === endCount) return running.session;
    const entry = { endCount, session: load() };
    loading.set(key, entry);
    const forget = () => {
      if (loading.get(key) === entry) loading.delete(key);
    };
    entry.session.then(forget, forget);
    return entry.session;
  }
  return {
    get: async (credentials, load) => {
      const key = hash(credentials);
      const match = entries.get(key);
      const now = nowMs();
      if (match !== undefined && match.staleAtMs > now && match.expiresAtMs > now) return match.value;
      entries.delete(key);
      const endCountBefore = endCount;
      const session = await loadOnce(key, load);
      if (session === null) return null;
      if (endCount === endCountBefore) {
        const oldest = entries.size >= entriesMax ? entries.keys().next() : undefined;
        if (oldest?.done === false) entries.delete(oldest.value);
        entries.set(key, { ...session, staleAtMs: nowMs() + freshMs });
      }
      return session.value;
    },
    endSession: (sessionId) => end((entry) => entry.sessionId === sessionId),
    endUser: (userId) => end((entry) => entry.userId === userId),
  };
}
