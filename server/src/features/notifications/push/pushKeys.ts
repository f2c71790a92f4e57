import { sql } from 'kysely';
import { type Db, withSystem } from '../../../platform/db/scope.ts';
import { once } from '../../../platform/once.ts';
import type { Seal } from '../../../platform/seal.ts';
import type { PushKeys } from '../port.ts';

const context = 'push keys';

export interface PushKeyDeps {
  db: Db;
  seal: Seal;
  createPair: () => PushKeys;
}

/** Reads the keys of this installation; made and stored sealed at the first call of any node. */
export const createPushKeys = ({ db, seal, createPair }: PushKeyDeps): (() => Promise<PushKeys>) =>
  once(() =>
    withSystem(db, async (tx) => {
      const { publicKey, privateKey } = createPair();
      await sql`insert into push_keys (public_key, sealed) values (${publicKey}, ${seal.seal(privateKey, context)})
        on conflict (id) do nothing`.execute(tx);
      const row = await tx.selectFrom('push_keys').select(['public_key', 'sealed']).executeTakeFirstOrThrow();
      return { publicKey: row.public_key, privateKey: seal.open(row.sealed, context) };
    }),
  );
