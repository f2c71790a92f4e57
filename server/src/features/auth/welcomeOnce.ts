import { sql } from 'kysely';
import { type Db, withSystem } from '../../platform/db/scope.ts';
import { createSeal } from '../../platform/seal.ts';
import { demoEmailPattern } from '../../platform/auth/demoAccount.ts';

/** Providers that ignore dots in an address, with the domain used for counting. */
const dotless = new Map([
  ['gmail.com', 'gmail.com'],
  ['googlemail.com', 'gmail.com'],
]);
const batchMax = 500;

/** The mailbox of an address: without the tag after `+`, and without dots for some providers. @param email lower case */
export function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@');
  const domain = email.slice(at + 1);
  const [name = ''] = email.slice(0, at).split('+', 1);
  const provider = dotless.get(domain);
  const shown = provider === undefined ? name : name.replaceAll('.', '');
  // Nothing before the `+`: use the whole name.
  return `${shown === '' ? email.slice(0, at) : shown}@${provider ?? domain}`;
}

export type WelcomeHash = (email: string) => string;

/** Keyed hash of a mailbox. Changing the secret of the installation makes every mailbox a new one. */
export function createWelcomeHash(secret: string): WelcomeHash {
  const seal = createSeal(secret, 'welcome');
  return (email) => seal.hash(mailboxOf(email), 'mailbox');
}

/** Marks accounts created before grants were stored, while their address exists. Returns how many were marked. */
export async function markWelcomed(db: Db, hashOf: WelcomeHash): Promise<number> {
  let markedCount = 0;
  for (;;) {
    const count = await withSystem(db, async (tx) => {
      const users = await tx
        .selectFrom('users')
        .select(['id', 'email'])
        .where('welcome_hash', 'is', null)
        .where('email', 'not like', demoEmailPattern)
        .orderBy('created_at')
        .limit(batchMax)
        .forUpdate()
        .skipLocked()
        .execute();
      const marks = JSON.stringify(users.map(({ id, email }) => ({ id, hash: hashOf(email) })));
      await sql`
        with marks as (select * from jsonb_to_recordset(${marks}::jsonb) as m (id uuid, hash text)),
        given as (insert into welcome_grants (email_hash) select distinct hash from marks on conflict do nothing)
        update users set welcome_hash = hash from marks where users.id = marks.id`.execute(tx);
      return users.length;
    });
    markedCount += count;
    if (count < batchMax) return markedCount;
  }
}
