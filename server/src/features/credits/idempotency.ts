import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { z } from 'zod';
import type { SystemTx } from '../../platform/db/scope.ts';
import { type Db, withSystem } from '../../platform/db/scope.ts';
import { rejectionError } from '../../platform/http/rejectionError.ts';

/** How long a response is stored for a repeated call. */
export const IDEMPOTENCY_HOURS = 24;

/** The header as clients send it: a structured-field string in quotes, or the bare key. */
export const IdempotencyHeaders = z.looseObject({
  'idempotency-key': z
    .string()
    .transform((text) => /^"(.*)"$/.exec(text)?.[1] ?? text)
    .pipe(z.string().regex(/^[\x21-\x7e]{1,255}$/, 'must be 1 to 255 printable ASCII characters without spaces'))
    .optional()
    .meta({
      description: `Makes retries safe: the same key and body return the first response for ${IDEMPOTENCY_HOURS} hours.`,
    }),
});

export interface KeyedCall {
  userId: string;
  /** e.g. `POST /api/scan`: a key is valid for one route. */
  route: string;
  /** The Idempotency-Key of the caller; without one the work runs every time. */
  key: string | undefined;
  body: unknown;
}

export interface KeyedResponse<T> {
  status: number;
  answer: T;
}

/**
 * Runs paid work once per key. The response is stored in the transaction of the work: both exist or neither. Of two concurrent calls with
 * one key the second waits for the first. Throws `conflict` when the key was used with another body.
 */
export async function runOncePerKey<T extends object>(
  tx: SystemTx,
  { userId, route, key, body }: KeyedCall,
  work: () => Promise<KeyedResponse<T>>,
): Promise<KeyedResponse<T> & { isReplay: boolean }> {
  if (key === undefined) return { ...(await work()), isReplay: false };
  const bodyHash = createHash('sha256').update(JSON.stringify(body)).digest('hex');
  // Held until this transaction ends: a second call with this key waits here, then finds the stored response.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${userId} ${route} ${key}`}, 0))`.execute(tx);
  const before = await tx
    .selectFrom('idempotency_keys')
    .select(['body_hash', 'status', 'answer'])
    .where('user_id', '=', userId)
    .where('route', '=', route)
    .where('key', '=', key)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst();
  if (before !== undefined) {
    if (before.body_hash !== bodyHash)
      throw rejectionError('conflict', 'This Idempotency-Key was used with another body. Use a new key.');
    return { status: before.status, answer: before.answer as T, isReplay: true };
  }
  const done = await work();
  await tx
    .deleteFrom('idempotency_keys')
    .where('user_id', '=', userId)
    .where('route', '=', route)
    .where('key', '=', key)
    .execute();
  await tx
    .insertInto('idempotency_keys')
    .values({
      user_id: userId,
      route,
      key,
      body_hash: bodyHash,
      status: done.status,
      answer: JSON.stringify(done.answer),
      expires_at: sql<Date>`now() + make_interval(hours => ${IDEMPOTENCY_HOURS})`,
    })
    .execute();
  return { ...done, isReplay: false };
}

/** Deletes the key of a call that failed, so that a retry runs it again. @param id of the stored response */
export async function forgetKeyOf(
  tx: SystemTx,
  { userId, route }: Pick<KeyedCall, 'userId' | 'route'>,
  id: string,
): Promise<void> {
  await sql`delete from idempotency_keys where user_id = ${userId} and route = ${route} and answer ->> 'id' = ${id}`.execute(
    tx,
  );
}

export const deleteExpiredKeys = (db: Db): Promise<void> =>
  withSystem(db, async (tx) => {
    await sql`delete from idempotency_keys where expires_at <= now()`.execute(tx);
  });
