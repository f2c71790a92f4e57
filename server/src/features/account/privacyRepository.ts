import type { UserTx } from '../../platform/db/scope.ts';
import { type Privacy, type PrivacyChange, privacyDefaults } from './contract.ts';

const columns = ['analytics', 'research_sharing', 'marketing', 'public_stats', 'leaderboard', 'allow_follow'] as const;

export async function readPrivacy(tx: UserTx): Promise<Privacy> {
  const row = await tx.selectFrom('privacy_settings').select(columns).executeTakeFirst();
  return row ?? { ...privacyDefaults };
}

/** Writes the changes and returns all six settings. */
export async function savePrivacy(tx: UserTx, userId: string, change: PrivacyChange): Promise<Privacy> {
  const values = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  return tx
    .insertInto('privacy_settings')
    .values({ user_id: userId, ...values })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ ...values, updated_at: new Date() }))
    .returning(columns)
    .executeTakeFirstOrThrow();
}
