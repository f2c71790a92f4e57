import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { type Db, type SystemTx, withSystem } from '../../platform/db/scope.ts';

/** Maximum streams of one key and of one account on all nodes, and of one node. */
export const openMax = { perKey: 5, perUser: 10, ofNode: 2000 };

/** A node without a heartbeat for this long is dead: its streams no longer count. Allows three lost heartbeats. */
const deadAfterMs = 7000;
/** Rows of dead nodes are deleted after this. */
const storedMs = 60_000;

export interface StreamOwner {
  userId: string;
  keyId: string;
}

export interface StreamSlots {
  /** Acquires a slot; undefined when the key, the account or the node has none left. Call the result to release it. */
  take: (owner: StreamOwner) => Promise<(() => void) | undefined>;
  /** Slots of this node that are taken. */
  count: () => number;
  /** Sends a heartbeat with the slots of this node; call it every second or two. */
  sendHeartbeat: () => Promise<void>;
  /** Resolves when the database has no slot of this node. */
  close: () => Promise<void>;
}

const lockUser = (tx: SystemTx, userId: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`api_streams ${userId}`}, 0))`.execute(tx);

/**
 * Stream slots of this node, counted together with those of all other nodes. This node's slots are in memory; the heartbeat repairs a row
 * that a lost write left wrong. The lock of the account admits one stream at a time.
 */
class SharedSlots implements StreamSlots {
  readonly #db: Db;
  readonly #onError: (error: unknown) => void;
  readonly #node = randomUUID();
  readonly #held = new Map<string, { userId: string; streams: number }>();
  readonly #writing = new Set<Promise<void>>();
  #total = 0;
  /** The database may have rows of this node. */
  #isKnown = false;
  readonly count = (): number => this.#total;

  constructor(db: Db, onError: (error: unknown) => void) {
    this.#db = db;
    this.#onError = onError;
  }

  async take(owner: StreamOwner): Promise<(() => void) | undefined> {
    const requested = { isIn: false };
    try {
      await withSystem(this.#db, async (tx) => {
        requested.isIn = await this.#enter(tx, owner);
        if (requested.isIn) await this.#store(tx, owner);
      });
    } catch (error) {
      if (requested.isIn) this.#add(owner, -1);
      throw error;
    }
    if (!requested.isIn) return undefined;
    let isHeld = true;
    return () => {
      if (isHeld) this.#giveBack(owner);
      isHeld = false;
    };
  }

  async sendHeartbeat(): Promise<void> {
    if (!this.#isKnown) return;
    this.#isKnown = this.#held.size > 0;
    const wrong = await withSystem(this.#db, (tx) => this.#findWrong(tx));
    for (const owner of wrong) await this.#write(owner);
  }

  async close(): Promise<void> {
    await Promise.all(this.#writing);
    if (!this.#isKnown && this.#total === 0) return;
    await withSystem(this.#db, (tx) => sql`delete from api_stream_places where node = ${this.#node}`.execute(tx));
  }

  #add({ userId, keyId }: StreamOwner, change: number): void {
    this.#total += change;
    const streams = (this.#held.get(keyId)?.streams ?? 0) + change;
    if (streams > 0) this.#held.set(keyId, { userId, streams });
    else this.#held.delete(keyId);
    this.#isKnown = true;
  }

  /** Counts the slots of all nodes and acquires one in memory. */
  async #enter(tx: SystemTx, owner: StreamOwner): Promise<boolean> {
    const { userId, keyId } = owner;
    await lockUser(tx, userId);
    const { rows } = await sql<{ of_key: number; of_user: number }>`
      select coalesce(sum(streams) filter (where key_id = ${keyId}), 0)::int as of_key, coalesce(sum(streams), 0)::int as of_user
      from api_stream_places where user_id = ${userId} and node <> ${this.#node}
        and seen_at > now() - make_interval(secs => ${deadAfterMs / 1000})`.execute(tx);
    const here = [...this.#held.values()].reduce((sum, each) => sum + (each.userId === userId ? each.streams : 0), 0);
    const ofKey = (rows[0]?.of_key ?? 0) + (this.#held.get(keyId)?.streams ?? 0);
    const ofUser = (rows[0]?.of_user ?? 0) + here;
    if (ofKey >= openMax.perKey || ofUser >= openMax.perUser || this.#total >= openMax.ofNode) return false;
    this.#add(owner, 1);
    return true;
  }

  /** Writes this node's current slots of one key. */
  async #store(tx: SystemTx, { userId, keyId }: StreamOwner): Promise<void> {
    const streams = this.#held.get(keyId)?.streams ?? 0;
    if (streams === 0)
      await sql`delete from api_stream_places where node = ${this.#node} and key_id = ${keyId}`.execute(tx);
    else
      await sql`insert into api_stream_places (node, key_id, user_id, streams)
        select ${this.#node}, id, ${userId}, ${streams} from api_keys where id = ${keyId}
        on conflict (node, key_id) do update set streams = excluded.streams, seen_at = now()`.execute(tx);
  }

  /** Under the lock of the account, so that writes are in the order of their memory reads. */
  #write(owner: StreamOwner): Promise<void> {
    return withSystem(this.#db, async (tx) => {
      await lockUser(tx, owner.userId);
      await this.#store(tx, owner);
    });
  }

  #giveBack(owner: StreamOwner): void {
    this.#add(owner, -1);
    const written = this.#write(owner)
      .catch(this.#onError)
      .finally(() => this.#writing.delete(written));
    this.#writing.add(written);
  }

  /** Sends the heartbeat, deletes rows of dead nodes, and finds keys whose row differs from memory after a lost write. */
  async #findWrong(tx: SystemTx): Promise<StreamOwner[]> {
    await sql`delete from api_stream_places where (node, key_id) in (select node, key_id from api_stream_places
      where seen_at < now() - make_interval(secs => ${storedMs / 1000}) and node <> ${this.#node}
      for update skip locked)`.execute(tx);
    const { rows } = await sql<{ key_id: string; user_id: string; streams: number }>`update api_stream_places
      set seen_at = now() where node = ${this.#node} returning key_id, user_id, streams`.execute(tx);
    const stored = new Set(rows.map((row) => row.key_id));
    const wrong = rows.filter((row) => row.streams !== this.#held.get(row.key_id)?.streams);
    const missing = [...this.#held].filter(([keyId]) => !stored.has(keyId));
    return [
      ...wrong.map((row) => ({ keyId: row.key_id, userId: row.user_id })),
      ...missing.map(([keyId, { userId }]) => ({ keyId, userId })),
    ];
  }
}

export const createStreamSlots = (db: Db, onError: (error: unknown) => void): StreamSlots =>
  new SharedSlots(db, onError);
