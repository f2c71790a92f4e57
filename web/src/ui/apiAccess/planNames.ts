import { apiPlans, type ApiPlanName } from '@sextant/workers/src/apiAccess.ts';
import type { ApiSubscription } from '../../api/types.ts';

/** Shown where the server names no limit; it is enforced nowhere. */
const LIMIT_UNKNOWN = 10;

export const hourlyLimitOf = (current: Partial<ApiSubscription['current']> | undefined): number =>
  current?.hourly_limit ?? LIMIT_UNKNOWN;

/** The plans as the server sells them; the usual ones while it names none. */
export const plansOf = (subscription: ApiSubscription | undefined): ApiSubscription['plans'] =>
  subscription !== undefined && subscription.plans.length > 0
    ? subscription.plans
    : apiPlans.map(({ name, hourlyLimit, priceCredits }) => ({
        plan: name,
        hourly_limit: hourlyLimit,
        price_credits_month: priceCredits,
      }));

/** The name of the account type. */
export const accountTypeOf = (plan: ApiPlanName): string =>
  plan === 'FREE' ? 'Free Tier' : `${plan[0] ?? ''}${plan.slice(1).toLowerCase()}`;
