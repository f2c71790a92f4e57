import type { UserTx } from '../../platform/db/scope.ts';
import type { NewsSettingsValue } from './contract.ts';

const standard: NewsSettingsValue = {
  hidden_sources: [],
  symbols: [],
  is_high_impact_only: false,
  shows_posts: true,
  shows_chart_marks: true,
};

export async function readSettings(tx: UserTx): Promise<NewsSettingsValue> {
  const row = await tx
    .selectFrom('news_settings')
    .select(['hidden_sources', 'symbols', 'is_high_impact_only', 'shows_posts', 'shows_chart_marks'])
    .executeTakeFirst();
  return row ?? standard;
}

export async function saveSettings(tx: UserTx, userId: string, settings: NewsSettingsValue): Promise<void> {
  const values = { ...settings, updated_at: new Date() };
  await tx
    .insertInto('news_settings')
    .values({ user_id: userId, ...values })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
    .execute();
}
