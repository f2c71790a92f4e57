import { RejectionError } from '../http/rejectionError.ts';
import type { Limit, RateLimiter } from './rateLimiter.ts';

/** Counts one hit. @throws RefusalError `rate_limited` with `message` and the wait when the limit is exceeded */
export async function countHit(limiter: Pick<RateLimiter, 'hit'>, limit: Limit, message: string): Promise<void> {
  const blocked = await limiter.hit([limit]);
  if (blocked === undefined) return;
  throw new RejectionError({ code: 'rate_limited', message, retryAfterS: blocked.retryAfterS });
}
