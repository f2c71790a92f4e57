import { createHash } from 'node:crypto';
import { CALL_RETENTION_DAYS } from '@sextant/workers/src/core/apiAccess.ts';
import { sql } from 'kysely';
import { type Db, type SystemTx, withSystem } from '../../platform/db/scope.ts';
import { clientKey } from '../../platform/limits/clientKey.ts';
import { createRejectedCalls, type RejectedCalls } from './rejectedCalls.ts';

/** A finished call with an API key. */
export interface LoggedCall {
  atMs: number;
  requestId: string;
  userId: string;
  keyId: string;
  method: string;
  /** The pattern of the route, e.g. `/api/scan/:id`. */
  route: string;
  /** As requested, without the query. */
  path: string;
  status: number;
  durationMs: number;
  ip: string;
  credits: number;
}

/** A key was used from a network for the first time. */
export interface NewNetwork {
  userId: string;
  keyId: string;
  ip: string;
}

export interface CallLog {
  /** Queues a call in memory; it is stored within a second. Rejected calls beyond a rate are only counted. */
  add: (call: LoggedCall) => void;
  flush: () => Promise<void>;
  close: () => Promise<void>;
}

export interface CallLogOptions {
  db: Db;
  /** Runs in the transaction that stores the network. */
  onNewNetwork: (tx: SystemTx, network: NewNetwork) => Promise<void>;
  onError: (error: unknown) => void;
}

/** Half of the second that a killed node may lose; the other half is for the write. */
const flushMs = 500;
const batchMax = 1000;
/** Calls queued while the database is down; beyond that the oldest are dropped. */
const waitingMax = 20_000;
const dayMs = 86_400_000;
const networksMax = 50_000;

/** Hash of key and network together, so that equal networks of two keys differ. */
export const networkHash = (keyId: string, ip: string): string =>
  createHash('sha256')
    .update(`${keyId} ${clientKey(ip)}`)
    .digest('hex');

/** Sent as one JSON text: encoding arrays for PostgreSQL takes ten times the processor time. */
async function insertCalls(tx: SystemTx, calls: readonly LoggedCall[]): Promise<void> {
  const rows = calls.map(({ atMs, requestId, userId, keyId, method, route, path, status, durationMs, ip, credits }) => {
    const names = { request_id: requestId, user_id: userId, key_id: keyId, method, route, path: path.slice(0, 500) };
    return { at_ms: atMs, ...names, status, duration_ms: durationMs, ip, credits };
  });
  await sql`insert into api_calls
      (created_at, request_id, user_id, key_id, method, route, path, status, duration_ms, ip, credits)
    select to_timestamp(c.at_ms / 1000), c.request_id, c.user_id, c.key_id, c.method, c.route, c.path, c.status, c.duration_ms, c.ip,
      c.credits
    from json_to_recordset(${JSON.stringify(rows)}::json) as c (at_ms float8, request_id uuid, user_id uuid, key_id uuid, method text,
      route text, path text, status int, duration_ms float8, ip text, credits int)
    where exists (select from users where id = c.user_id)
    on conflict do nothing`.execute(tx);
}

/** At most once a minute for each key, unless the address changes. Rows are locked in one order to avoid deadlocks between nodes. */
async function noteUse(tx: SystemTx, calls: readonly LoggedCall[]): Promise<void> {
  const latest = [...new Map(calls.map((call) => [call.keyId, call])).values()];
  await sql`with used as (
      select u.* from unnest(${latest.map(({ keyId }) => keyId)}::uuid[], ${latest.map(({ atMs }) => new Date(atMs))}::timestamptz[],
        ${latest.map(({ ip }) => ip)}::text[]) as u (id, at, ip)
    ), due as (
      select k.id, used.at, used.ip from api_keys k join used on used.id = k.id
      where k.last_used_at is null or k.last_used_ip is distinct from used.ip
        or k.last_used_at < used.at - interval '60 seconds'
      order by k.id for update of k
    ) update api_keys k set last_used_at = due.at, last_used_ip = due.ip from due where k.id = due.id`.execute(tx);
}

/** Stores a network of a key. Returns false when it was known. */
export async function rememberKeyNetwork(tx: SystemTx, { userId, keyId, ip }: NewNetwork): Promise<boolean> {
  const row = { key_id: keyId, user_id: userId, network_hash: networkHash(keyId, ip) };
  const done = await tx
    .insertInto('api_key_networks')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return (done.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** Stores batches: partitions of the day, rows, last use of keys and their networks. */
function createCallStore({ db, onNewNetwork }: Pick<CallLogOptions, 'db' | 'onNewNetwork'>, rejected: RejectedCalls) {
  let partitionsOfDay = -1;
  const knownNetworks = new Set<string>();

  async function keepPartitions(): Promise<void> {
    const day = Math.floor(Date.now() / dayMs);
    if (partitionsOfDay === day) return;
    await withSystem(db, async (tx) => {
      await sql`select api_log.keep_days(${CALL_RETENTION_DAYS})`.execute(tx);
    });
    await rejected.deleteOld();
    partitionsOfDay = day;
  }

  async function noteNetworks(tx: SystemTx, calls: readonly LoggedCall[]): Promise<string[]> {
    // Rejected calls do not count as use of a key.
    const used = calls.filter(({ status }) => status !== 401 && status !== 403);
    // Most calls of a batch come from few networks: hashing each call would cost more than all the rest.
    const places = new Map(used.map((call) => [`${call.keyId} ${call.ip}`, call]));
    const unknown = new Map([...places.values()].map((call) => [networkHash(call.keyId, call.ip), call]));
    for (const hash of unknown.keys()) if (knownNetworks.has(hash)) unknown.delete(hash);
    for (const call of unknown.values()) if (await rememberKeyNetwork(tx, call)) await onNewNetwork(tx, call);
    return [...unknown.keys()];
  }

  return async (calls: LoggedCall[]): Promise<void> => {
    await keepPartitions();
    const hashes = await withSystem(db, async (tx) => {
      await insertCalls(tx, calls);
      await noteUse(tx, calls);
      return noteNetworks(tx, calls);
    });
    if (knownNetworks.size > networksMax) knownNetworks.clear();
    for (const hash of hashes) knownNetworks.add(hash);
  };
}

/** Calls with API keys, stored in batches outside the request path. A killed node loses at most the last second of them. */
export function createCallLog({ db, onNewNetwork, onError }: CallLogOptions): CallLog {
  const rejected = createRejectedCalls(db);
  const store = createCallStore({ db, onNewNetwork }, rejected);
  let waiting: LoggedCall[] = [];
  let timer: NodeJS.Timeout | undefined;
  let flushing: Promise<void> = Promise.resolve();

  async function storeAll(): Promise<void> {
    if (rejected.hasCounts()) {
      await rejected.store().catch((error: unknown) => {
        schedule();
        throw error;
      });
    }
    while (waiting.length > 0) {
      const calls = waiting.slice(0, batchMax);
      waiting = waiting.slice(batchMax);
      try {
        await store(calls);
      } catch (error) {
        waiting = [...calls, ...waiting].slice(-waitingMax);
        schedule();
        throw error;
      }
    }
  }

  const flush = (): Promise<void> => {
    flushing = flushing.catch(() => undefined).then(storeAll);
    return flushing;
  };

  function schedule(): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      flush().catch(onError);
    }, flushMs).unref();
  }

  return {
    add(call) {
      schedule();
      if (rejected.count(call)) return;
      waiting.push(call);
      if (waiting.length > waitingMax) waiting.shift();
    },
    flush,
    async close() {
      clearTimeout(timer);
      timer = undefined;
      await flush();
    },
  };
}
