import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { SystemTx } from '../../platform/db/scope.ts';

export type TokenKind = 'reset' | 'confirm' | 'email' | 'second_factor';

export interface StoredToken {
  userId: string;
  email: string | null;
  sessionId: string | null;
}

/** Long enough to read an email, short enough to invalidate old ones. */
const minutesOf: Record<TokenKind, number> = { reset: 60, confirm: 24 * 60, email: 60, second_factor: 10 };

/** 256 random bits: a plain hash is enough to make a stolen table worthless. */
const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url');

/** Creates a one-time token and stores only its hash. A newer email invalidates the older one of its kind. */
export async function makeToken(
  tx: SystemTx,
  kind: TokenKind,
  { userId, email, sessionId }: { userId: string; email?: string; sessionId?: string },
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  // Two devices may be between password and code at once.
  if (kind !== 'second_factor') {
    // Serialised: two concurrent calls would otherwise leave two tokens.
    await tx.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute();
    await dropTokens(tx, userId, [kind]);
  }
  await sql`
    insert into auth_tokens (user_id, kind, token_hash, email, session_id, expires_at)
    values (${userId}, ${kind}, ${hashOf(token)}, ${email ?? null}, ${sessionId ?? null},
      now() + make_interval(mins => ${minutesOf[kind]}))`.execute(tx);
  return token;
}

const resultOf = (row: { user_id: string; email: string | null; session_id: string | null } | undefined) =>
  row === undefined ? undefined : { userId: row.user_id, email: row.email, sessionId: row.session_id };

/** Reads a token without consuming it. */
export async function findToken(tx: SystemTx, kind: TokenKind, token: string): Promise<StoredToken | undefined> {
  return resultOf(
    await tx
      .selectFrom('auth_tokens')
      .select(['user_id', 'email', 'session_id'])
      .where('token_hash', '=', hashOf(token))
      .where('kind', '=', kind)
      .where('expires_at', '>', sql<Date>`now()`)
      .executeTakeFirst(),
  );
}

/** Consumes a token. Only one of two concurrent calls finds it. */
export async function takeToken(tx: SystemTx, kind: TokenKind, token: string): Promise<StoredToken | undefined> {
  return resultOf(
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
