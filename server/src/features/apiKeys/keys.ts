import type { ApiScope, KeyMode } from '@sextant/workers/src/core/apiAccess.ts';
import { sql } from 'kysely';
import type { z } from 'zod';
import { isUuid, type SystemTx, type UserTx } from '../../platform/db/scope.ts';
import { notifyUser } from '../../platform/events/notify.ts';
import { RejectionError } from '../../platform/http/rejectionError.ts';
import { spentThisMonth } from '../credits/ledger.ts';
import { rememberKeyNetwork } from './callLog.ts';
import type { ApiKey, ApiKeyChange, ApiKeyRequest, RotateRequest } from './contract.ts';
import { createKey, maskKey, type NewKey } from './keyFormat.ts';

type ApiKeyWire = z.output<typeof ApiKey>;

/** Maximum active keys per user. */
export const KEYS_MAX = 20;
/** How long a revoked key is listed. */
const revokedDays = 30;

interface Row {
  id: string;
  created_at: Date;
  name: string;
  mode: KeyMode;
  revoked_at: Date | null;
  last_used_at: Date | null;
  last_used_ip: string | null;
  scopes: string[];
  ip_allowlist: string[];
  credit_cap: number | null;
  spent: number;
  secrets: { public_id: string; last4: string; expires_at: string | null }[];
}

function toWire(row: Row): ApiKeyWire {
  const [newest, previous] = row.secrets;
  return {
    id: row.id,
    created_at: row.created_at.toISOString(),
    name: row.name,
    mode: row.mode,
    active: row.revoked_at === null,
    last_used_at: row.last_used_at?.toISOString() ?? null,
    last_used_ip: row.last_used_ip,
    scopes: row.scopes as ApiScope[],
    ip_allowlist: row.ip_allowlist,
    credit_cap: row.credit_cap,
    credits_this_month: row.spent,
    masked: newest === undefined ? '' : maskKey(row.mode, newest.public_id, newest.last4),
    previous:
      previous?.expires_at == null || row.revoked_at !== null
        ? null
        : {
            masked: maskKey(row.mode, previous.public_id, previous.last4),
            expires_at: new Date(previous.expires_at).toISOString(),
          },
  };
}

/** The user's keys, newest first; or the one of this id. */
export async function readKeys(tx: SystemTx, userId: string, id?: string): Promise<ApiKeyWire[]> {
  const { rows } = await sql<Row>`
    select k.id, k.created_at, k.name, k.mode, k.revoked_at, k.last_used_at, k.last_used_ip, k.scopes, k.ip_allowlist, k.credit_cap,
      ${spentThisMonth} as spent,
      (select coalesce(json_agg(json_build_object('public_id', s.public_id, 'last4', s.last4, 'expires_at', s.expires_at)
          order by s.expires_at desc nulls first), '[]')
        from api_key_secrets s where s.key_id = k.id and (s.expires_at is null or s.expires_at > now())) as secrets
    from api_keys k
    where k.user_id = ${userId} and (${id ?? null}::uuid is null or k.id = ${id ?? null}::uuid)
      and (k.revoked_at is null or k.revoked_at > now() - make_interval(days => ${revokedDays}))
    order by (k.revoked_at is null) desc, k.created_at desc, k.id`.execute(tx);
  return rows.map(toWire);
}

async function storeSecret(tx: SystemTx, userId: string, keyId: string, made: NewKey): Promise<void> {
  await tx
    .insertInto('api_key_secrets')
    .values({
      public_id: made.publicId,
      key_id: keyId,
      user_id: userId,
      secret_hash: made.secretHash,
      last4: made.last4,
    })
    .execute();
}

async function readOne(tx: SystemTx, userId: string, id: string): Promise<ApiKeyWire> {
  const [key] = await readKeys(tx, userId, id);
  if (key === undefined) throw new Error(`the key ${id} is not there`);
  return key;
}

/** Serialises the creation of keys and the revocation of all keys of a user. */
const lockKeys = (tx: SystemTx, userId: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`api_keys ${userId}`}, 0))`.execute(tx);

/** Creates a key. Throws `conflict` when there are too many, and while the account is being deleted. */
export async function addKey(
  tx: SystemTx,
  { userId, ip }: { userId: string; ip: string },
  request: z.output<typeof ApiKeyRequest>,
): Promise<{ api_key: string; key: ApiKeyWire }> {
  await lockKeys(tx, userId);
  const { rows } = await sql<{ count: number; leaving: boolean }>`
    select count(*)::int as count, exists (select from deletion_requests where user_id = ${userId}) as leaving
    from api_keys where user_id = ${userId} and revoked_at is null`.execute(tx);
  if (rows[0]?.leaving === true) {
    const message = 'Your account is being deleted. Cancel the deletion to create a key.';
    throw new RejectionError({ code: 'conflict', message });
  }
  if ((rows[0]?.count ?? 0) >= KEYS_MAX) {
    const message = `Key limit reached (${KEYS_MAX}). Revoke one first.`;
    throw new RejectionError({ code: 'conflict', message });
  }
  const { name, mode, scopes, ip_allowlist, credit_cap } = request;
  const { id } = await tx
    .insertInto('api_keys')
    .values({
      user_id: userId,
      name,
      mode,
      scopes: [...new Set(scopes)],
      ip_allowlist: [...new Set(ip_allowlist)],
      credit_cap,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const made = createKey(mode);
  await storeSecret(tx, userId, id, made);
  // The owner is using this network: use of the key from it needs no notice.
  await rememberKeyNetwork(tx, { userId, keyId: id, ip });
  await notifyUser(tx, userId, 'api');
  return { api_key: made.key, key: await readOne(tx, userId, id) };
}

const isActive = sql<boolean>`revoked_at is null`;

/** Changes the permissions of a key. Undefined when the user has no such active key. */
export async function changeKey(
  tx: SystemTx,
  userId: string,
  id: string,
  change: z.output<typeof ApiKeyChange>,
): Promise<ApiKeyWire | undefined> {
  const row = await tx
    .updateTable('api_keys')
    .set({ ...change, name: change.name ?? sql<string>`name` })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where(isActive)
    .executeTakeFirst();
  if (row.numUpdatedRows === 0n) return undefined;
  await notifyUser(tx, userId, 'api');
  return readOne(tx, userId, id);
}

const overlapS = { no_longer: 0, hour: 3600, day: 86_400 } as const;

/** Gives a key a new secret. The previous one is valid until the end of the overlap, older ones end now. */
export async function rotateKey(
  tx: SystemTx,
  userId: string,
  id: string,
  { old_key_works: overlap }: z.output<typeof RotateRequest>,
): Promise<{ api_key: string; key: ApiKeyWire } | undefined> {
  const row = await tx
    .selectFrom('api_keys')
    .select(['id', 'mode'])
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where(isActive)
    .modifyEnd(sql`for update`)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  await sql`delete from api_key_secrets where key_id = ${id} and expires_at is not null`.execute(tx);
  if (overlap === 'no_longer') await sql`delete from api_key_secrets where key_id = ${id}`.execute(tx);
  else
    await sql`update api_key_secrets set expires_at = now() + make_interval(secs => ${overlapS[overlap]})
      where key_id = ${id}`.execute(tx);
  const made = createKey(row.mode as KeyMode);
  await storeSecret(tx, userId, id, made);
  await notifyUser(tx, userId, 'api');
  return { api_key: made.key, key: await readOne(tx, userId, id) };
}

/** Revokes a key on every node: at once where the notification arrives, within seconds elsewhere. False without such an active key. */
export async function revokeKey(tx: SystemTx, userId: string, id: string): Promise<boolean> {
  const row = await tx
    .updateTable('api_keys')
    .set({ revoked_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where(isActive)
    .executeTakeFirst();
  if (row.numUpdatedRows === 0n) return false;
  await notifyUser(tx, userId, 'api');
  return true;
}

/** Revokes every key of a user, like revokeKey. @returns how many were active */
export async function revokeAllKeys(tx: SystemTx, userId: string): Promise<number> {
  await lockKeys(tx, userId);
  const { numUpdatedRows } = await tx
    .updateTable('api_keys')
    .set({ revoked_at: sql<Date>`now()` })
    .where('user_id', '=', userId)
    .where(isActive)
    .executeTakeFirst();
  if (numUpdatedRows > 0n) await notifyUser(tx, userId, 'api');
  return Number(numUpdatedRows);
}

export async function hasActiveKeys(tx: SystemTx, userId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('api_keys')
    .select('id')
    .where('user_id', '=', userId)
    .where(isActive)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Name and permissions of the key of a call. */
export async function readOwnKey(tx: UserTx, id: string) {
  if (!isUuid(id)) return null;
  const row = await tx
    .selectFrom('api_keys')
    .select(['id', 'name', 'scopes', 'credit_cap'])
    .where('id', '=', id)
    .executeTakeFirst();
  return row === undefined ? null : { ...row, scopes: row.scopes as ApiScope[] };
}
