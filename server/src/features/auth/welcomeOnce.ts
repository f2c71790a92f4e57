import { sql } from 'kysely';
import { type Db, withSystem } from '../../platform/db/scope.ts';
import { createSeal } from '../../platform/seal.ts';
import { demoEmailPattern } from './demoAccount.ts';

/** Providers that deliver an address with and without dots to the same person, by the name they are counted under. */
const dotless = new Map([
  ['gmail.com', 'gmail.com'],
  ['googlemail.com', 'gmail.com'],
]);
const batchMax = 500;

/** The mailbox behind an address: what follows a `+` only sorts mail, and some providers leave dots out. @param email lower case */
export function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@');
  const domain = email.slice(at + 1);
  const [name = ''] = email.slice(0, at).split('+', 1);
  const provider = dotless.get(domain);
  const shown = provider === undefined ? name : name.replaceAll('.', '');
  // Nothing before the `+`: the whole is the name.
  return `${shown === '' ? email.slice(0, at) : shown}@${provider ?? domain}`;
}

export type WelcomeHash = (email: string) => string;

/** Names a mailbox without saying which: a keyed hash. A new secret of the installation makes every mailbox a new one. */
export function createWelcomeHash(secret: string): WelcomeHash {
  const seal = createSeal(secret, 'welcome');
  return (email) => seal.hash(mailboxOf(email), 'mailbox');
}

/** Accounts from before grants were remembered, while they still have an address to remember. Gives how many were marked. */
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
