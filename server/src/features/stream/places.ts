import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { type Db, type SystemTx, withSystem } from '../../platform/db/scope.ts';

/** Streams of one key and of one account on all nodes together, and of one node. */
export const openMax = { perKey: 5, perUser: 10, ofNode: 2000 };

/** A node that has not told for so long that it lives is dead: its streams count no more. Three tellings may be lost. */
const deadAfterMs = 7000;
/** Rows of dead nodes are deleted after this. */
const keptMs = 60_000;

export interface StreamOwner {
  userId: string;
  keyId: string;
}

export interface StreamPlaces {
  /** Takes a place; undefined when all of the key, the account or the node are taken. The returned function gives it back. */
  take: (owner: StreamOwner) => Promise<(() => void) | undefined>;
  /** Tells that this node lives and what it holds; to be called every second or two. */
  tell: () => Promise<void>;
  /** Resolves when the database holds no place of this node. */
  close: () => Promise<void>;
}

const lockUser = (tx: SystemTx, userId: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`api_streams ${userId}`}, 0))`.execute(tx);

/**
 * Places of the streams of this node, counted together with those of all other nodes. What this node holds is in memory; a row that a
 * lost write left wrong is mended when the node tells that it lives. The lock of the account lets one stream in at a time.
 */
class SharedPlaces implements StreamPlaces {
  readonly #db: Db;
  readonly #onError: (error: unknown) => void;
  readonly #node = randomUUID();
  readonly #held = new Map<string, { userId: string; streams: number }>();
  readonly #writing = new Set<Promise<void>>();
  #total = 0;
  /** The database may hold rows of this node. */
  #isKnown = false;

  constructor(db: Db, onError: (error: unknown) => void) {
    this.#db = db;
    this.#onError = onError;
  }

  async take(owner: StreamOwner): Promise<(() => void) | undefined> {
    const asked = { isIn: false };
    try {
      await withSystem(this.#db, async (tx) => {
        asked.isIn = await this.#enter(tx, owner);
        if (asked.isIn) await this.#store(tx, owner);
      });
    } catch (error) {
      if (asked.isIn) this.#add(owner, -1);
      throw error;
    }
    if (!asked.isIn) return undefined;
    let isHeld = true;
    return () => {
      if (isHeld) this.#giveBack(owner);
      isHeld = false;
    };
  }

  async tell(): Promise<void> {
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

  /** Looks at all nodes and takes the place in memory. */
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

  /** Writes what this node holds of one key at this moment. */
  async #store(tx: SystemTx, { userId, keyId }: StreamOwner): Promise<void> {
    const streams = this.#held.get(keyId)?.streams ?? 0;
    if (streams === 0)
      await sql`delete from api_stream_places where node = ${this.#node} and key_id = ${keyId}`.execute(tx);
    else
      await sql`insert into api_stream_places (node, key_id, user_id, streams)
        select ${this.#node}, id, ${userId}, ${streams} from api_keys where id = ${keyId}
        on conflict (node, key_id) do update set streams = excluded.streams, seen_at = now()`.execute(tx);
  }

  /** Under the lock of the account, so that writes are in the order of the moments they look at memory. */
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

  /** Tells that the node lives, deletes rows of dead ones, and finds keys whose row is not what memory holds: a write was lost. */
  async #findWrong(tx: SystemTx): Promise<StreamOwner[]> {
    await sql`delete from api_stream_places where (node, key_id) in (select node, key_id from api_stream_places
      where seen_at < now() - make_interval(secs => ${keptMs / 1000}) and node <> ${this.#node}
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

export const createStreamPlaces = (db: Db, onError: (error: unknown) => void): StreamPlaces =>
  new SharedPlaces(db, onError);
