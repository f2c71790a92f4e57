import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { type Db, type SystemTx, withSystem } from '../../platform/db/scope.ts';
import type { Seal } from '../../platform/seal.ts';
import type { TelegramBot, TelegramUpdate } from './port.ts';
import { setTarget } from './targets.ts';

export interface TelegramLinkDeps {
  db: Db;
  telegram: TelegramBot;
  seal: Seal;
}

const linkMinutes = 10;
/** Longer than reading the updates may take. */
const leaseS = 20;

/**
 * Creates a one-time code for the bot's link. Sending the code links the sender's chat, so that another user's chat cannot be
 * entered. A new code replaces the previous one.
 */
export async function openLink(
  { db, seal }: Pick<TelegramLinkDeps, 'db' | 'seal'>,
  userId: string,
): Promise<{ code: string; expiresAt: Date }> {
  const code = randomBytes(24).toString('base64url');
  const expiresAt = await withSystem(db, async (tx) => {
    const { rows } = await sql<{ expires_at: Date }>`
      insert into telegram_links (user_id, code_hash, expires_at)
      values (${userId}, ${seal.hash(code, 'telegram')}, now() + make_interval(mins => ${linkMinutes}))
      on conflict (user_id) do update set code_hash = excluded.code_hash, expires_at = excluded.expires_at, created_at = now()
      returning expires_at`.execute(tx);
    return (rows as [{ expires_at: Date }])[0].expires_at;
  });
  return { code, expiresAt };
}

/**
 * Reads messages to the bot while any link code is open. One node at a time, because Telegram serves updates to one reader. The
 * position is stored in the transaction of its links, so that a node that takes over reads the same updates again.
 */
export async function takeLinks(deps: TelegramLinkDeps): Promise<number> {
  const offset = await withSystem(deps.db, lease);
  if (offset === undefined) return 0;
  const read = await deps.telegram.updates(offset);
  return withSystem(deps.db, async (tx) => {
    let linkedCount = 0;
    if (read.ok) {
      for (const message of read.value.messages) if (await link(tx, deps.seal, message)) linkedCount++;
      await sql`update telegram_cursor set next_update_id = ${read.value.nextOffset}`.execute(tx);
    }
    // After a failure the lease is not released, which delays the next attempt until it expires.
    if (read.ok) await sql`update telegram_cursor set leased_until = now()`.execute(tx);
    return linkedCount;
  });
}

async function lease(tx: SystemTx): Promise<number | undefined> {
  await sql`delete from telegram_links where expires_at <= now()`.execute(tx);
  const { rows } = await sql<{ next_update_id: string }>`
    update telegram_cursor set leased_until = now() + make_interval(secs => ${leaseS})
    where leased_until <= now() and exists (select from telegram_links) returning next_update_id`.execute(tx);
  return rows[0] === undefined ? undefined : Number(rows[0].next_update_id);
}

/** Sanitises the chat name, which is untrusted: text that cannot be stored would block the links of all users. */
const labelOf = (chatName: string): string =>
  chatName
    .toWellFormed()
    .replaceAll(/\p{C}+/gu, ' ')
    .trim()
    .slice(0, 100)
    .toWellFormed() || 'Telegram';

async function link(tx: SystemTx, seal: Seal, { text, chatId, chatName }: TelegramUpdate): Promise<boolean> {
  const code = /^\/start ([\w-]{32})$/.exec(text)?.[1];
  if (code === undefined) return false;
  const { rows } = await sql<{ user_id: string }>`
    delete from telegram_links where code_hash = ${seal.hash(code, 'telegram')} and expires_at > now()
    returning user_id`.execute(tx);
  if (rows[0] === undefined) return false;
  await setTarget(tx, rows[0].user_id, { channel: 'telegram', address: chatId, label: labelOf(chatName) });
  return true;
}
