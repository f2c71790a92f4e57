import { z } from 'zod';
import { Text } from '../../platform/contract.ts';

/** Closed positions required for the ranking: below this a return is mostly luck. */
export const rankingRules = { days: 30, positionsMin: 10, rowsMax: 20 } as const;
/** Minimum sharing users in a group of runs before it is published. */
export const researchUsersMin = 5;
export const followsMax = 200;

export const RankingResponse = z
  .object({
    days: z.int(),
    positions_min: z.int().meta({ description: 'Fewest closed positions a user needs to be ranked.' }),
    rows: z.array(
      z.object({
        rank: z.int(),
        username: z.string(),
        positions: z.int().meta({ description: 'Simulated positions closed in the window.' }),
        winners: z.int(),
        net_pnl: z.number().meta({ description: 'USDT, simulated, after fees and funding.' }),
        return_on_margin_pct: z.number().meta({ description: 'Net PnL over the margin of all of them, percent.' }),
        is_you: z.boolean(),
        is_followed: z.boolean(),
        can_follow: z.boolean().meta({ description: 'Allows others to follow.' }),
      }),
    ),
  })
  .meta({ description: 'The first 20, you, and users you follow.' });

export const FollowParams = z.strictObject({ username: Text.min(1).max(100) });
export const FollowResponse = z.object({ username: z.string(), is_followed: z.boolean() });

export const ResearchResponse = z
  .object({
    people_min: z.int(),
    groups: z.array(
      z.object({
        symbol: z.string(),
        interval: z.string(),
        people: z.int(),
        runs: z.int(),
        profitable_fraction: z.number().meta({ description: 'Runs with a net profit over all runs, 0 to 1.' }),
      }),
    ),
  })
  .meta({ description: 'Server runs of users who share, in groups of at least `people_min` users.' });
