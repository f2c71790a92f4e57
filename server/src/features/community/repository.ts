import { sql } from 'kysely';
import type { z } from 'zod';
import type { SystemTx, UserTx } from '../../platform/db/scope.ts';
import type { MarketMode } from '../../config.ts';
import { followsMax, type RankingResponse, rankingRules, type ResearchResponse, researchUsersMin } from './contract.ts';

export type RankingRow = z.infer<typeof RankingResponse>['rows'][number];
export type ResearchGroup = z.infer<typeof ResearchResponse>['groups'][number];

/**
 * The ranking for `userId`: users with a username who allow it and whose account is not being deleted. Simulated and real markets are
 * never mixed.
 */
export async function readRanking(tx: SystemTx, userId: string, market: MarketMode): Promise<RankingRow[]> {
  const { days, positionsMin, rowsMax } = rankingRules;
  const { rows } = await sql<RankingRow>`
    with closed as (
      select user_id, count(*)::int as positions, count(*) filter (where net_pnl > 0)::int as winners,
        sum(net_pnl) as net_pnl, sum(net_pnl) / sum(margin) as return_on_margin
      from positions where closed_at > now() - make_interval(days => ${days}) and market = ${market}
      group by user_id having count(*) >= ${positionsMin} and sum(margin) > 0
    ), ranked as (
      select rank() over (order by return_on_margin desc)::int as rank, users.username, positions, winners,
        net_pnl::float8 as net_pnl, (return_on_margin * 100)::float8 as return_on_margin_pct,
        users.id = ${userId} as is_you,
        coalesce(allowed.allow_follow, false) and users.id <> ${userId} as can_follow,
        coalesce(allowed.allow_follow, false)
          and exists (select from follows where user_id = ${userId} and followed_id = users.id) as is_followed
      from closed
      join users on users.id = closed.user_id
      left join privacy_settings allowed on allowed.user_id = users.id
      where users.username is not null and coalesce(allowed.leaderboard, true)
        and not exists (select from deletion_requests where deletion_requests.user_id = users.id)
    )
    select * from ranked where rank <= ${rowsMax} or is_you or is_followed order by rank, username`.execute(tx);
  return rows;
}

/** Id of the user with this name; undefined when the name is unknown or the user disabled followers. */
export async function findFollowable(tx: SystemTx, username: string): Promise<string | undefined> {
  const row = await tx
    .selectFrom('users')
    .innerJoin('privacy_settings', 'privacy_settings.user_id', 'users.id')
    .select('users.id')
    .where('users.username', '=', username)
    .where('privacy_settings.allow_follow', '=', true)
    .where(sql<boolean>`not exists (select from deletion_requests d where d.user_id = users.id)`)
    .executeTakeFirst();
  return row?.id;
}

/** False when the user follows the maximum already. */
export async function insertFollow(tx: UserTx, userId: string, followedId: string): Promise<boolean> {
  const { count } = await tx
    .selectFrom('follows')
    .select((row) => row.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  if (count >= followsMax) return false;
  const row = { user_id: userId, followed_id: followedId };
  await tx
    .insertInto('follows')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return true;
}

export async function deleteFollow(tx: UserTx, followedId: string): Promise<void> {
  await tx.deleteFrom('follows').where('followed_id', '=', followedId).execute();
}

/** Removes every follower of a user. */
export async function deleteFollowers(tx: SystemTx, userId: string): Promise<void> {
  await tx.deleteFrom('follows').where('followed_id', '=', userId).execute();
}

/** Counts of runs by market and interval, of users who share them and are not being deleted; only groups large enough for anonymity. */
export async function readResearch(tx: SystemTx): Promise<ResearchGroup[]> {
  const { rows } = await sql<ResearchGroup>`
    select symbol, interval, count(distinct backtests.user_id)::int as people, count(*)::int as runs,
      (count(*) filter (where is_profitable))::float8 / count(*) as profitable_fraction
    from backtests
    left join privacy_settings allowed on allowed.user_id = backtests.user_id
    where coalesce(allowed.research_sharing, true) and is_profitable is not null
      and not exists (select from deletion_requests d where d.user_id = backtests.user_id)
    group by symbol, interval having count(distinct backtests.user_id) >= ${researchUsersMin}
    order by runs desc, symbol, interval limit 500`.execute(tx);
  return rows;
}
