import { createHash, createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';
import type { ProofKeys, UnsignedProof } from '@sextant/workers/src/proof/contract.ts';
import { sql } from 'kysely';
import { type Db, type SystemTx, withSystem } from '../../../platform/db/scope.ts';
import type { Seal } from '../../../platform/seal.ts';

const context = 'proof key';

export interface ProofKeyDeps {
  db: Db;
  seal: Seal;
}

/** The key that signs now. */
export interface ProofKey {
  header: UnsignedProof['key'];
  /** Signature of the bytes, lower-case hex. */
  sign: (bytes: Uint8Array) => string;
}

/**
 * Reads the current key. The first call of an installation makes it; so does the first one after the key was retired or can no longer be
 * opened, as after a change of the installation's secret. Read each time, because another node may have retired it.
 */
export function readProofKey({ db, seal }: ProofKeyDeps): Promise<ProofKey> {
  return withSystem(db, async (tx) => {
    await lockKeys(tx);
    const row = await tx
      .selectFrom('proof_keys')
      .select(['id', 'public_key', 'sealed'])
      .where('retired_at', 'is', null)
      .executeTakeFirst();
    const opened = row === undefined ? undefined : open(seal, row.sealed);
    if (row !== undefined && opened !== undefined) return keyOf(row.id, row.public_key, opened);
    await retireKey(tx);
    return makeKey(tx, seal);
  });
}

/**
 * Retires the current key and makes a new one, in one transaction. Proofs of the old key verify as before: its public part stays
 * published. Returns the ids of both; `before` is null when there was no key.
 */
export function rotateProofKey({ db, seal }: ProofKeyDeps): Promise<{ before: string | null; now: string }> {
  return withSystem(db, async (tx) => {
    await lockKeys(tx);
    const before = await retireKey(tx);
    const { header } = await makeKey(tx, seal);
    return { before, now: header.id };
  });
}

/** Held until the transaction ends, so that two nodes do not make a key each. */
async function lockKeys(tx: SystemTx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('proof key', 0))`.execute(tx);
}

async function retireKey(tx: SystemTx): Promise<string | null> {
  const row = await tx
    .updateTable('proof_keys')
    .set({ retired_at: sql`now()` })
    .where('retired_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return row?.id ?? null;
}

async function makeKey(tx: SystemTx, seal: Seal): Promise<ProofKey> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const bytes = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');
  const id = createHash('sha256').update(bytes).digest('hex');
  const text = privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
  const row = { id, public_key: bytes.toString('hex'), sealed: seal.seal(text, context) };
  await tx.insertInto('proof_keys').values(row).execute();
  return keyOf(id, row.public_key, text);
}

function keyOf(id: string, publicKey: string, privateText: string): ProofKey {
  const key = createPrivateKey({ key: Buffer.from(privateText, 'base64'), format: 'der', type: 'pkcs8' });
  return {
    header: { algorithm: 'Ed25519', id, publicKey },
    sign: (bytes) => sign(null, bytes, key).toString('hex'),
  };
}

/** The private key; undefined when it was sealed with another secret. */
function open(seal: Seal, sealed: string): string | undefined {
  try {
    return seal.open(sealed, context);
  } catch {
    return undefined;
  }
}

/** The public keys, the current one first. Makes the first one; rotation is left to signing. */
export async function readPublicKeys(deps: ProofKeyDeps): Promise<ProofKeys> {
  const stored = await readRows(deps.db);
  if (stored.length === 0) await readProofKey(deps);
  const rows = stored.length === 0 ? await readRows(deps.db) : stored;
  return {
    algorithm: 'Ed25519',
    keys: rows.map((row) => ({
      ...row,
      created_at: row.created_at.toISOString(),
      retired_at: row.retired_at?.toISOString() ?? null,
    })),
  };
}

const readRows = (db: Db) =>
  withSystem(db, (tx) =>
    tx
      .selectFrom('proof_keys')
      .select(['id', 'public_key', 'created_at', 'retired_at'])
      .orderBy(sql`retired_at is not null`)
      .orderBy('created_at', 'desc')
      .execute(),
  );
