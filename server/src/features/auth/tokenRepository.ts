import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { SystemTx } from '../../platform/db/scope.ts';

export type TokenKind = 'reset' | 'confirm' | 'email' | 'second_factor';

export interface FoundToken {
  userId: string;
  email: string | null;
  sessionId: string | null;
}

/** Long enough to read a mail, short enough that an old one opens nothing. */
const minutesOf: Record<TokenKind, number> = { reset: 60, confirm: 24 * 60, email: 60, second_factor: 10 };

/** 256 random bits: a plain hash is enough to make a stolen table worthless. */
const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url');

/** Makes a one-time token; only its hash is stored. A newer mail makes the older one of its kind worthless. */
export async function makeToken(
  tx: SystemTx,
  kind: TokenKind,
  { userId, email, sessionId }: { userId: string; email?: string; sessionId?: string },
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  // Two devices may stand between password and code at once.
  if (kind !== 'second_factor') {
    // One after the other, or two that come at once would leave two.
    await tx.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute();
    await dropTokens(tx, userId, [kind]);
  }
  await sql`
    insert into auth_tokens (user_id, kind, token_hash, email, session_id, expires_at)
    values (${userId}, ${kind}, ${hashOf(token)}, ${email ?? null}, ${sessionId ?? null},
      now() + make_interval(mins => ${minutesOf[kind]}))`.execute(tx);
  return token;
}

const found = (row: { user_id: string; email: string | null; session_id: string | null } | undefined) =>
  row === undefined ? undefined : { userId: row.user_id, email: row.email, sessionId: row.session_id };

/** Looks at a token without using it up. */
export async function findToken(tx: SystemTx, kind: TokenKind, token: string): Promise<FoundToken | undefined> {
  return found(
    await tx
      .selectFrom('auth_tokens')
      .select(['user_id', 'email', 'session_id'])
      .where('token_hash', '=', hashOf(token))
      .where('kind', '=', kind)
      .where('expires_at', '>', sql<Date>`now()`)
      .executeTakeFirst(),
  );
}

/** Uses a token up. Of two who come at once one finds nothing. */
export async function takeToken(tx: SystemTx, kind: TokenKind, token: string): Promise<FoundToken | undefined> {
  return found(
    await tx
      .deleteFrom('auth_tokens')
      .where('token_hash', '=', hashOf(token))
      .where('kind', '=', kind)
      .where('expires_at', '>', sql<Date>`now()`)
      .returning(['user_id', 'email', 'session_id'])
      .executeTakeFirst(),
  );
}

export async function dropTokens(tx: SystemTx, userId: string, kinds: TokenKind[]): Promise<void> {
  await tx.deleteFrom('auth_tokens').where('user_id', '=', userId).where('kind', 'in', kinds).execute();
}

/** Whether an unexpired link of this kind exists for the user. */
export async function hasToken(tx: SystemTx, userId: string, kind: TokenKind): Promise<boolean> {
  const row = await tx
    .selectFrom('auth_tokens')
    .select('id')
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst();
  return row !== undefined;
}
