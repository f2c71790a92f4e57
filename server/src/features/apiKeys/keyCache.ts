import {
  type ApiPlanName,
  type ApiScope,
  apiPlans,
  defaultScopes,
  type KeyMode,
} from '@sextant/workers/src/core/apiAccess.ts';
import { sql } from 'kysely';
import { type Db, withSystem } from '../../platform/db/scope.ts';
import { createAddressList } from './addressList.ts';

/** A secret of a key with everything needed to authorise a call. */
export interface CachedKey {
  id: string;
  mode: KeyMode;
  /** Returned by `whoami`, with some of the fields below. */
  name: string;
  creditCap: number | null;
  username: string | null;
  userId: string;
  email: string;
  secretHash: Buffer;
  /** Epoch ms; Infinity unless a rotation ends this secret. */
  expiresAtMs: number;
  isRevoked: boolean;
  scopes: ReadonlySet<ApiScope>;
  /** Scopes the user selected; empty means the defaults. */
  listedScopes: readonly ApiScope[];
  isAllowedFrom: (address: string) => boolean;
  boughtPlan: { name: ApiPlanName; expiresAtMs: number } | null;
}

export interface KeyCache {
  /** The key with this public id, cached for at most `storedMs`; null when there is none. */
  find: (publicId: string) => Promise<CachedKey | null>;
  /** Whether `find` would query the database. */
  isCold: (publicId: string) => boolean;
  /** Drops cached keys after a change of this user's keys or plan; without an id, those of all users. */
  forget: (userId: string | null) => void;
}

/** Maximum delay of a revocation whose notification is lost. */
const storedMs = 4500;
/** A used key is refreshed in the background from this age on, so that no call waits for it. */
const refreshMs = 3000;
const entriesMax = 20_000;

interface Row {
  id: string;
  user_id: string;
  mode: KeyMode;
  name: string;
  credit_cap: number | null;
  username: string | null;
  email: string;
  secret_hash: string;
  expires_at: Date | null;
  revoked_at: Date | null;
  scopes: string[];
  ip_allowlist: string[];
  plan: string | null;
  plan_expires_at: Date | null;
}

function toCachedKey(row: Row): CachedKey {
  const scopes = row.scopes.length === 0 ? defaultScopes : (row.scopes as ApiScope[]);
  const plan = apiPlans.find(({ name }) => name === row.plan);
  return {
    id: row.id,
    mode: row.mode,
    name: row.name,
    creditCap: row.credit_cap,
    username: row.username,
    userId: row.user_id,
    email: row.email,
    secretHash: Buffer.from(row.secret_hash, 'hex'),
    expiresAtMs: row.expires_at?.getTime() ?? Infinity,
    isRevoked: row.revoked_at !== null,
    scopes: new Set(scopes),
    listedScopes: row.scopes as ApiScope[],
    isAllowedFrom: createAddressList(row.ip_allowlist),
    boughtPlan:
      plan === undefined || row.plan_expires_at === null
        ? null
        : { name: plan.name, expiresAtMs: row.plan_expires_at.getTime() },
  };
}

const load = (db: Db, publicId: string): Promise<CachedKey | null> =>
  withSystem(db, async (tx) => {
    const { rows } = await sql<Row>`
      select k.id, k.user_id, k.mode, k.name, k.credit_cap, u.username, u.email, s.secret_hash, s.expires_at, k.revoked_at, k.scopes, k.ip_allowlist,
        p.plan, p.expires_at as plan_expires_at
      from api_key_secrets s join api_keys k on k.id = s.key_id join users u on u.id = k.user_id
      left join lateral (select plan, expires_at from api_subscriptions
        where user_id = k.user_id and ended_at is null order by expires_at desc limit 1) p on true
      where s.public_id = ${publicId}`.execute(tx);
    return rows[0] === undefined ? null : toCachedKey(rows[0]);
  });

interface Entry {
  key: CachedKey | null;
  readAtMs: number;
}

export function createKeyCache(db: Db, nowMs: () => number = () => performance.now()): KeyCache {
  const entries = new Map<string, Entry>();
  const loading = new Map<string, Promise<CachedKey | null>>();

  function keep(publicId: string, key: CachedKey | null, readAtMs: number): void {
    entries.delete(publicId);
    entries.set(publicId, { key, readAtMs });
    const [oldest] = entries.keys();
    if (entries.size > entriesMax && oldest !== undefined) entries.delete(oldest);
  }

  /** Concurrent calls share one read. A read that started before a change is neither cached nor joined. */
  function read(publicId: string): Promise<CachedKey | null> {
    const running = loading.get(publicId);
    if (running !== undefined) return running;
    const startedMs = nowMs();
    const reading = load(db, publicId)
      .then((key) => {
        if (loading.get(publicId) === reading) keep(publicId, key, startedMs);
        return key;
      })
      .finally(() => {
        if (loading.get(publicId) === reading) loading.delete(publicId);
      });
    loading.set(publicId, reading);
    return reading;
  }

  const fresh = (publicId: string): Entry | undefined => {
    const entry = entries.get(publicId);
    return entry !== undefined && nowMs() - entry.readAtMs < storedMs ? entry : undefined;
  };

  return {
    find(publicId) {
      const entry = fresh(publicId);
      if (entry === undefined) return read(publicId);
      // A failed refresh is ignored: the entry is valid until it is too old.
      if (nowMs() - entry.readAtMs > refreshMs) read(publicId).catch(() => undefined);
      return Promise.resolve(entry.key);
    },
    isCold: (publicId) => fresh(publicId) === undefined,
    forget(userId) {
      loading.clear();
      for (const [publicId, { key }] of entries)
        if (userId === null || key === null || key.userId === userId) entries.delete(publicId);
    },
  };
}
