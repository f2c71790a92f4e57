import { sql } from 'kysely';
import { z } from 'zod';
import { type Db, type SystemTx, withSystem } from '../../platform/db/scope.ts';
import type { Seal } from '../../platform/seal.ts';
import { letterOf, type Message } from './letter.ts';
import type { Mailer, MailFailure } from './port.ts';

/** Work done before an email is written, or instead of one. Runs once, in the transaction that removes the row. */
export type Chore = (tx: SystemTx, subject: string) => Promise<void>;

export interface Outbox {
  /** Whether this installation sends email. Without it nothing is stored. */
  isOn: boolean;
  /** Stores an email in the caller's transaction: it is sent at least once if that commits, and never otherwise. */
  add: (tx: SystemTx, message: Message, keepHours?: number) => Promise<void>;
  /** Stores a chore. The caller does the same work for every outcome of the chore. */
  addChore: (tx: SystemTx, name: string, subject: string) => Promise<void>;
  onChore: (name: string, chore: Chore) => void;
  /** Wakes the loop after a commit; otherwise it polls every few seconds. */
  wake: () => void;
  /** Sends due emails. Several nodes may run it concurrently. */
  sendDue: () => Promise<void>;
  start: () => void;
  stop: () => Promise<void>;
}

export interface OutboxOptions {
  db: Db;
  mailer: Mailer | undefined;
  seal: Seal;
  onFailure: (failure: MailFailure & { mailId: string; isGivenUp: boolean }) => void;
}

const batchMax = 10;
/** A claimed email is due again after this time if its node died. Longer than the deadline of an attempt. */
const leaseS = 60;
const waitS = { first: 5, max: 900 };
const pollMs = 2000;

const LetterFields = z.object({ to: z.string(), subject: z.string(), text: z.string(), html: z.string() });
const Content = z.union([z.object({ letter: LetterFields }), z.object({ chore: z.string(), subject: z.string() })]);
type Content = z.infer<typeof Content>;

interface Claimed {
  id: string;
  sealed: string;
  attempt_count: number;
  is_expired: boolean;
}

/** Claims due emails for this node by moving their due time, so that other nodes skip them. */
const claim = (db: Db): Promise<Claimed[]> =>
  withSystem(db, async (tx) => {
    const { rows } = await sql<Claimed>`
      update mails set attempt_count = attempt_count + 1, next_attempt_at = now() + make_interval(secs => ${leaseS})
      where id in (
        select id from mails where next_attempt_at <= now() order by next_attempt_at limit ${batchMax} for update skip locked)
      returning id, sealed, attempt_count, expires_at <= now() as is_expired`.execute(tx);
    return rows;
  });

const remove = (db: Db, id: string): Promise<void> =>
  withSystem(db, async (tx) => {
    await tx.deleteFrom('mails').where('id', '=', id).execute();
  });

const postpone = (db: Db, { id, attempt_count: attempts }: Claimed): Promise<void> =>
  withSystem(db, async (tx) => {
    const seconds = Math.min(waitS.first * 2 ** Math.min(attempts - 1, 10), waitS.max);
    await sql`update mails set next_attempt_at = now() + make_interval(secs => ${seconds}) where id = ${id}`.execute(
      tx,
    );
  });

async function store(tx: SystemTx, seal: Seal, content: Content, keepHours: number): Promise<void> {
  const sealed = seal.seal(JSON.stringify(content), 'mail');
  await sql`insert into mails (sealed, expires_at) values (${sealed}, now() + make_interval(hours => ${keepHours}))`.execute(
    tx,
  );
}

/**
 * Outgoing emails of this installation. Stored in the transaction that causes them, sent by a loop that retries with growing pauses until
 * the email expires, deleted once the mail server has accepted them (docs/operations.md).
 */
export function createOutbox({ db, mailer, seal, onFailure }: OutboxOptions): Outbox {
  const chores = new Map<string, Chore>();

  async function doChore(id: string, name: string, subject: string): Promise<void> {
    const chore = chores.get(name);
    if (chore === undefined) throw new Error(`no chore ${name}`);
    await withSystem(db, async (tx) => {
      const done = await tx.deleteFrom('mails').where('id', '=', id).executeTakeFirst();
      if (done.numDeletedRows > 0n) await chore(tx, subject);
    });
  }

  async function send(row: Claimed): Promise<void> {
    if (mailer === undefined) return;
    const content = Content.parse(JSON.parse(seal.open(row.sealed, 'mail')));
    if ('chore' in content) return doChore(row.id, content.chore, content.subject);
    const failure = await mailer.send(content.letter, row.id);
    if (failure === undefined) return remove(db, row.id);
    const isGivenUp = failure.isFinal || row.is_expired;
    onFailure({ ...failure, mailId: row.id, isGivenUp });
    await (isGivenUp ? remove(db, row.id) : postpone(db, row));
  }

  /** An email that cannot be decrypted or prepared must not block the others; it is retried until it expires. */
  async function trySend(row: Claimed): Promise<void> {
    try {
      await send(row);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      onFailure({ kind: 'refused', isFinal: false, message, mailId: row.id, isGivenUp: row.is_expired });
      await (row.is_expired ? remove(db, row.id) : postpone(db, row)).catch(() => undefined);
    }
  }

  async function sendDue(): Promise<void> {
    for (;;) {
      const rows = await claim(db);
      await Promise.all(rows.map(trySend));
      if (rows.length === 0) return;
    }
  }

  const loop = createLoop(sendDue, (error) => {
    // The database is unavailable: the next poll finds the emails.
    onFailure({ kind: 'unreachable', isFinal: false, message: String(error), mailId: '', isGivenUp: false });
  });
  const isOn = mailer !== undefined;
  return {
    isOn,
    add: async (tx, message, keepHours = 72) => {
      if (isOn) await store(tx, seal, { letter: letterOf(message) }, keepHours);
    },
    addChore: async (tx, name, subject) => {
      if (isOn) await store(tx, seal, { chore: name, subject }, 1);
    },
    onChore: (name, chore) => void chores.set(name, chore),
    sendDue,
    wake: loop.wake,
    start: () => {
      if (isOn) loop.start();
    },
    stop: async () => {
      await loop.stop();
      mailer?.close();
    },
  };
}

/** Runs `work` periodically, and at once when woken; never concurrently. */
function createLoop(work: () => Promise<void>, onError: (error: unknown) => void) {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isStarted = false;
  let isWanted = false;
  const run = (): void => {
    isWanted = true;
    running ??= (async () => {
      while (isWanted && isStarted) {
        isWanted = false;
        await work().catch(onError);
      }
      running = undefined;
    })();
  };
  return {
    wake: () => {
      if (isStarted) run();
    },
    start: () => {
      isStarted = true;
      timer = setInterval(run, pollMs);
      timer.unref();
      run();
    },
    stop: async () => {
      isStarted = false;
      clearInterval(timer);
      await running;
    },
  };
}
