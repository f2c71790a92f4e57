import { sql } from 'kysely';
import type { MarketMode } from '../../config.ts';
import type { SystemTx, UserTx } from '../../platform/db/scope.ts';
import { newDisplayName } from '../auth/contract.ts';
import type { Profile, ProfileChange, PublicProfile } from './contract.ts';
import type { FileKind } from './fileRepository.ts';

const columns = ['display_name', 'username', 'bio', 'avatar_url', 'cover_url', 'created_at'] as const;

type Row = Record<(typeof columns)[number], string | Date | null> & { display_name: string; created_at: Date };

/** A name in an old format is stored but not shown. */
const shownUsername = (name: unknown): string | null =>
  typeof name === 'string' && /^[a-z0-9_]{3,20}$/.test(name) ? name : null;

const textOf = (value: string | Date | null): string | null => (typeof value === 'string' ? value : null);

const toProfile = (row: Row): Profile => ({
  display_name: row.display_name,
  username: shownUsername(row.username),
  bio: textOf(row.bio),
  avatar_url: textOf(row.avatar_url),
  cover_url: textOf(row.cover_url),
  created_at: row.created_at.toISOString(),
});

/** Undefined for an account without a profile row, which an older version may have created. */
export async function readProfile(tx: UserTx): Promise<Profile | undefined> {
  const row = await tx.selectFrom('profiles').select(columns).executeTakeFirst();
  return row === undefined ? undefined : toProfile(row);
}

/** Writes the changes; creates a missing row. */
export async function saveProfile(tx: UserTx, userId: string, change: ProfileChange): Promise<Profile> {
  const values = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  const row = await tx
    .insertInto('profiles')
    .values({ user_id: userId, display_name: newDisplayName, ...values })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ ...values, updated_at: new Date() }))
    .returning(columns)
    .executeTakeFirstOrThrow();
  return toProfile(row);
}

/** Sets or clears the picture of the profile. */
export async function setPicture(
  tx: UserTx,
  kind: FileKind,
  url: string | null,
  path: string | null,
): Promise<Profile> {
  const picture = kind === 'avatar' ? { avatar_url: url, avatar_path: path } : { cover_url: url, cover_path: path };
  const row = await tx
    .updateTable('profiles')
    .set({ ...picture, updated_at: new Date() })
    .returning(columns)
    .executeTakeFirstOrThrow();
  return toProfile(row);
}

/** Paths of the pictures the profile shows. */
export async function usedPaths(tx: UserTx): Promise<Set<string>> {
  const row = await tx.selectFrom('profiles').select(['avatar_path', 'cover_path']).executeTakeFirst();
  return new Set([row?.avatar_path, row?.cover_path].filter((path) => typeof path === 'string'));
}

/** A public profile with its stats. Undefined for an account that is being deleted. */
export async function findPublicProfile(
  tx: SystemTx,
  username: string,
  market: MarketMode,
): Promise<PublicProfile | undefined> {
  const row = await tx
    .selectFrom('profiles as p')
    .innerJoin('privacy_settings as s', 's.user_id', 'p.user_id')
    .select(['p.user_id', ...columns.map((column) => `p.${column}` as const)])
    .where('p.username', '=', username)
    .where('s.public_stats', '=', true)
    .where(sql<boolean>`not exists (select from deletion_requests d where d.user_id = p.user_id)`)
    .executeTakeFirst();
  return row === undefined ? undefined : { ...toProfile(row), stats: await readStats(tx, row.user_id, market) };
}

async function readStats(tx: SystemTx, userId: string, market: MarketMode): Promise<PublicProfile['stats']> {
  const { count, wins, net } = await tx
    .selectFrom('positions')
    .select([
      sql<number>`count(*)::int`.as('count'),
      sql<number>`(count(*) filter (where net_pnl > 0))::int`.as('wins'),
      sql<number>`coalesce(sum(net_pnl), 0)::float8`.as('net'),
    ])
    .where('user_id', '=', userId)
    .where('market', '=', market)
    .where('closed_at', 'is not', null)
    .executeTakeFirstOrThrow();
  return { closed_positions: count, win_rate: count === 0 ? null : wins / count, net_pnl_usdt: net };
}
