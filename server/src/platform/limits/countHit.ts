import { RefusalError } from '../http/refusalError.ts';
import type { Limit, RateLimiter } from './rateLimiter.ts';

/** Counts one hit, for a route that says `message` when there were too many. @throws RefusalError `rate_limited`, with the wait */
export async function countHit(limiter: Pick<RateLimiter, 'hit'>, limit: Limit, message: string): Promise<void> {
  const blocked = await limiter.hit([limit]);
  if (blocked === undefined) return;
  throw new RefusalError({ code: 'rate_limited', message, retryAfterS: blocked.retryAfterS });
}
