/** Seconds before each attempt after the one before it failed: three days in all. Standard Webhooks, section "Deliverability". */
export const pausesS = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400] as const;

const jitterFraction = 0.1;

/**
 * Seconds until the next attempt; undefined when there is none. A pause the other side asked for is kept, and never shortened; the
 * jitter (`random` is 0 to 1) keeps many deliveries that failed together from coming back together.
 */
export function nextPauseS(attemptCount: number, retryAfterS: number | undefined, random: number): number | undefined {
  const usual = pausesS[attemptCount - 1];
  if (usual === undefined) return undefined;
  return Math.ceil(Math.max(usual * (1 + jitterFraction * random), Math.min(retryAfterS ?? 0, 86_400)));
}
