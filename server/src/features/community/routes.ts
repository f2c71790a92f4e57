import type { MarketMode } from '../../config.ts';
import { type Db, withSystem } from '../../platform/db/scope.ts';
import type { App } from '../../platform/http/app.ts';
import { problems, sendProblem } from '../../platform/http/problem.ts';
import { createSharedResponse } from '../../platform/sharedResponse.ts';
import {
  FollowResponse,
  FollowParams,
  RankingResponse,
  rankingRules,
  ResearchResponse,
  researchUsersMin,
} from './contract.ts';
import { changeFollow } from './followers.ts';
import { readRanking, readResearch } from './repository.ts';

export interface CommunityDeps {
  db: Db;
  config: { market: MarketMode };
}

const tags = ['Account'];
/** The research figures are public, so they are computed at most once a minute. */
const researchMs = 60_000;

function followRoutes(app: App, { db }: CommunityDeps): void {
  for (const [method, isFollowed, summary] of [
    ['PUT', true, 'Follow a user of the ranking'],
    ['DELETE', false, 'Unfollow a user'],
  ] as const) {
    app.route({
      method,
      url: '/api/follows/:username',
      onRequest: app.requireUser,
      schema: {
        access: 'session',
        tags,
        summary,
        params: FollowParams,
        response: {
          200: FollowResponse,
          ...problems('validation_failed', 'origin_refused', 'not_authenticated', 'not_found', 'conflict'),
        },
      },
      handler: async (request, reply) => {
        const outcome = await changeFollow(db, request.user.id, request.params.username, isFollowed);
        return outcome.ok ? outcome.value : sendProblem(reply, outcome.error);
      },
    });
  }
}

/** Ranking, followers and aggregate figures of users who made them public. */
export function communityRoutes(app: App, deps: CommunityDeps): void {
  const { db, config } = deps;
  app.get(
    '/api/leaderboard',
    {
      onRequest: app.requireUser,
      schema: {
        access: 'read:account',
        sandbox: 'none',
        tags,
        summary: 'Rank users by simulated return on margin',
        response: { 200: RankingResponse, ...problems('not_authenticated') },
      },
    },
    async (request) => ({
      days: rankingRules.days,
      positions_min: rankingRules.positionsMin,
      rows: await withSystem(db, (tx) => readRanking(tx, request.user.id, config.market)),
    }),
  );
  followRoutes(app, deps);
  const research = createSharedResponse(researchMs, () => withSystem(db, readResearch), Date.now);
  app.get(
    '/api/research/backtests',
    {
      schema: {
        access: 'public',
        sandbox: 'none',
        tags: ['Service'],
        summary: 'Read aggregate backtest results of all users',
        response: { 200: ResearchResponse, ...problems('database_unavailable') },
      },
    },
    async () => ({ people_min: researchUsersMin, groups: await research() }),
  );
}
