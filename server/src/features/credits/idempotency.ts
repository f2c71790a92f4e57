import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { z } from 'zod';
import type { SystemTx } from '../../platform/db/scope.ts';
import { type Db, withSystem } from '../../platform/db/scope.ts';
import { failWith, ok, type Result } from '@sextant/workers/src/core/result.ts';
import type { Rejection } from '../../platform/errors.ts';
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
  const bodyHash = hashBody(body);
  // Held until this transaction ends: a second call with this key waits here, then finds the stored response.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${userId} ${route} ${key}`}, 0))`.execute(tx);
  const before = await readStored<T>(tx, { userId, route, key, bodyHash });
  if (before !== null) return { ...before, isReplay: true };
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

/** A key of any allowed length at the length of a stored one. */
export const hashKey = (key: string): string => createHash('sha256').update(key).digest('hex');

const hashBody = (body: unknown): string => createHash('sha256').update(JSON.stringify(body)).digest('hex');

/** The response that is stored for a key; null: there is none. Throws `conflict` when the key came with another body. */
async function readStored<T>(
  tx: SystemTx,
  { userId, route, key, bodyHash }: Omit<KeyedCall, 'key' | 'body'> & { key: string; bodyHash: string },
): Promise<KeyedResponse<T> | null> {
  const before = await tx
    .selectFrom('idempotency_keys')
    .select(['body_hash', 'status', 'answer'])
    .where('user_id', '=', userId)
    .where('route', '=', route)
    .where('key', '=', key)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst();
  if (before === undefined) return null;
  if (before.body_hash !== bodyHash)
    throw rejectionError('conflict', 'This Idempotency-Key was used with another body. Use a new key.');
  return { status: before.status, answer: before.answer as T };
}

/** The stored response of a call, for callers that would otherwise do work first; null: there is none. Throws as `runOncePerKey`. */
export async function findResponse<T>(tx: SystemTx, { key, body, ...call }: KeyedCall): Promise<T | null> {
  if (key === undefined) return null;
  return (await readStored<T>(tx, { ...call, key, bodyHash: hashBody(body) }))?.answer ?? null;
}

/** Rolls the transaction of a rejected call back, and carries its rejection. */
class RejectedCall extends Error {
  readonly rejection: Rejection;
  constructor(rejection: Rejection) {
    super(rejection.message);
    this.rejection = rejection;
  }
}

/** Runs work in a transaction once per key. A rejection rolls it back and is not stored, so that a retry runs it again. */
export async function settleOncePerKey<T extends object, R extends Rejection = Rejection>(
  db: Db,
  call: KeyedCall,
  work: (tx: SystemTx) => Promise<Result<T, R>>,
): Promise<Result<T, R>> {
  try {
    const { answer } = await withSystem(db, (tx) =>
      runOncePerKey<T>(tx, call, async () => {
        const done = await work(tx);
        if (!done.ok) throw new RejectedCall(done.error);
        return { status: 200, answer: done.value };
      }),
    );
    return ok(answer);
  } catch (error) {
    if (error instanceof RejectedCall) return failWith(error.rejection as R);
    throw error;
  }
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
