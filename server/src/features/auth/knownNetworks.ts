import { type RawBuilder, sql } from 'kysely';
import { type Db, withSystem } from '../../platform/db/scope.ts';
import { clientKey } from '../../platform/limits/clientKey.ts';

/** Stored networks per account, and days since the last sign-in from there. */
const NETWORKS_MAX = 20;
const RETENTION_DAYS = 180;

/** Hash of account and network together, so that equal networks of two accounts differ. */
const hashOf = (userId: RawBuilder<unknown>, ip: string): RawBuilder<string> =>
  sql<string>`encode(sha256(convert_to(${userId}::text || ' ' || ${clientKey(ip)}::text, 'UTF8')), 'hex')`;

/** Whether the account of this address was used from this network before. Does the same work for an address without an account. */
export const isKnownNetwork = (db: Db, email: string, ip: string): Promise<boolean> =>
  withSystem(db, async (tx) => {
    const { rows } = await sql<{ is_known: boolean }>`
      select exists (
        select from users u join sign_in_networks n on n.user_id = u.id
        where u.email = ${email} and n.network_hash = ${hashOf(sql`u.id`, ip)}
          and n.used_at > now() - make_interval(days => ${RETENTION_DAYS})) as is_known`.execute(tx);
    return rows[0]?.is_known === true;
  });

/** Stores the network of an account's owner, proven by a complete sign-in or an email link. */
export const rememberNetwork = (db: Db, userId: string, ip: string): Promise<void> =>
  withSystem(db, async (tx) => {
    await sql`insert into sign_in_networks (user_id, network_hash) values (${userId}, ${hashOf(sql`${userId}`, ip)})
      on conflict (user_id, network_hash) do update set used_at = now()`.execute(tx);
    await sql`delete from sign_in_networks where user_id = ${userId} and network_hash not in (
      select network_hash from sign_in_networks where user_id = ${userId}
      order by used_at desc limit ${NETWORKS_MAX})`.execute(tx);
  });
