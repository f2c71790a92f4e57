import { createHash } from 'node:crypto';
import type { Refusal } from '../../platform/errors.ts';
import { clientKey } from '../../platform/limits/clientKey.ts';
import type { Limit, RateLimiter } from '../../platform/limits/rateLimiter.ts';

const minuteS = 60;

/** Windows are fixed, so any 15 minutes touch at most two of them: never more than 20 guesses. */
const guessesMax = 10;
const guessWindowS = 15 * minuteS;
const addressWindowS = 10 * minuteS;
const signInsPerAddressMax = 100;
const signUpsPerAddressMax = 30;

/** A hash: the table of limits must not be a list of who tried to sign in. */
const accountKey = (email: string): string => `guess:${createHash('sha256').update(email).digest('base64url')}`;

const addressLimit = (what: 'signin' | 'signup', ip: string): Limit => ({
  key: `${what}:${clientKey(ip)}`,
  hitMax: what === 'signin' ? signInsPerAddressMax : signUpsPerAddressMax,
  windowS: addressWindowS,
});

const waitText = (seconds: number): string => {
  const minutes = Math.ceil(seconds / minuteS);
  return minutes === 1 ? 'one minute' : `${minutes} minutes`;
};

/**
 * Counts a guess at a password before it is checked. Known and unknown addresses are treated alike, and a locked account says
 * the same whether the guess was right or wrong.
 */
export async function admitGuess(limiter: RateLimiter, email: string, ip: string): Promise<Refusal | undefined> {
  const guesses: Limit = { key: accountKey(email), hitMax: guessesMax, windowS: guessWindowS };
  const blocked = await limiter.hit([addressLimit('signin', ip), guesses]);
  if (blocked === undefined) return undefined;
  const { retryAfterS, key } = blocked;
  const isAccount = key === guesses.key;
  return {
    code: isAccount ? 'account_locked' : 'rate_limited',
    message: `${isAccount ? 'Too many failed sign-ins' : 'Too many sign-ins from your network'}. Try again in ${waitText(retryAfterS)}.`,
    retryAfterS,
  };
}

/** A right password ends the count. */
export const forgetGuesses = (limiter: RateLimiter, email: string): Promise<void> => limiter.forget(accountKey(email));

/** Bounds how many accounts one network can make. */
export async function admitSignUp(limiter: RateLimiter, ip: string): Promise<Refusal | undefined> {
  const blocked = await limiter.hit([addressLimit('signup', ip)]);
  if (blocked === undefined) return undefined;
  const message = `Too many sign-ups from your network. Try again in ${waitText(blocked.retryAfterS)}.`;
  return { code: 'rate_limited', message, retryAfterS: blocked.retryAfterS };
}
