import type { FastifyRequest } from 'fastify';
import { createHash } from 'node:crypto';
import type { ApiErrorCode, Rejection } from '../../platform/errors.ts';
import { clientKey } from '../../platform/limits/clientKey.ts';
import { countHit } from '../../platform/limits/countHit.ts';
import type { Limit, RateLimiter } from '../../platform/limits/rateLimiter.ts';
import { mailboxOf } from './welcomeOnce.ts';

const minuteS = 60;
const addressWindowS = 10 * minuteS;

/**
 * Windows are fixed, so any 15 minutes touch at most two of them: never more than 20 guesses at an account from one network.
 * Counted per network, so that a stranger cannot lock the owner out.
 */
export const guesses = { hitMax: 10, windowS: 15 * minuteS };
/** Guesses at one account by all networks together. Far above the owner's needs. */
const guessesTogether = { hitMax: 100, windowS: 60 * minuteS };
/** Guesses at a code. Three of a million codes are valid at any time, so 20 guesses in an hour succeed once in 17,000. */
const codes = { hitMax: 5, windowS: 15 * minuteS };
const codesTogether = { hitMax: 20, windowS: 60 * minuteS };
const resetsOfAccount = { hitMax: 3, windowS: 60 * minuteS };
const resets = { hitMax: 20, windowS: addressWindowS };
const signIns = { hitMax: 100, windowS: addressWindowS };
const signUps = { hitMax: 30, windowS: addressWindowS };
/** Emails caused by sign-ups with one address: per network, so that others cannot use up the owner's limit, and in total. */
const signUpEmails = { hitMax: 3, windowS: 60 * minuteS };
const signUpEmailsTogether = { hitMax: 20, windowS: 60 * minuteS };
/** Each entry creates an account with credits. */
const demoEntries = { hitMax: 20, windowS: 60 * minuteS };

/** A hash, so that the table of limits does not list who tried to sign in. */
const accountKey = (email: string): string => `guess:${createHash('sha256').update(email).digest('base64url')}`;
const guessKeys = (email: string, ip: string) => ({
  here: `${accountKey(email)}:${clientKey(ip)}`,
  together: accountKey(email),
});
const changeKey = (userId: string): string => `change:${userId}`;

const waitText = (seconds: number): string => {
  const minutes = Math.ceil(seconds / minuteS);
  return minutes === 1 ? 'one minute' : `${minutes} minutes`;
};

/** Counts one hit and rejects with `code` above the limit. `what` is the start of the message. */
async function admit(
  limiter: RateLimiter,
  limit: Limit,
  code: ApiErrorCode,
  what: string,
): Promise<Rejection | undefined> {
  const blocked = await limiter.hit([limit]);
  if (blocked === undefined) return undefined;
  const { retryAfterS } = blocked;
  return { code, message: `${what}. Try again in ${waitText(retryAfterS)}.`, retryAfterS };
}

export interface Guess {
  email: string;
  ip: string;
  /** The account was used from this network before: the limit of all networks together does not apply. */
  isKnownNetwork: boolean;
}

/**
 * Counts a guess at a password before it is checked. Known and unknown addresses are treated alike, and a locked account returns the
 * same error for right and wrong guesses. Stops at the first exceeded limit: a blocked client must not count against others.
 */
export async function admitGuess(
  limiter: RateLimiter,
  { email, ip, isKnownNetwork }: Guess,
): Promise<Rejection | undefined> {
  const { here, together } = guessKeys(email, ip);
  const tooMany = 'Too many failed sign-ins';
  return (
    (await admit(
      limiter,
      { key: `signin:${clientKey(ip)}`, ...signIns },
      'rate_limited',
      'Too many sign-ins from your network',
    )) ??
    (await admit(limiter, { key: here, ...guesses }, 'account_locked', tooMany)) ??
    (isKnownNetwork
      ? undefined
      : await admit(limiter, { key: together, ...guessesTogether }, 'account_locked', tooMany))
  );
}

/** Resets the count after a correct password, or a new one set with an email link. */
export async function forgetGuesses(limiter: RateLimiter, email: string, ip: string): Promise<void> {
  const { here, together } = guessKeys(email, ip);
  await limiter.forget(here);
  await limiter.forget(together);
}

/** Counts wrong current passwords of a signed-in user, apart from failed sign-ins by others. */
export const admitChange = (limiter: RateLimiter, userId: string): Promise<Rejection | undefined> =>
  admit(limiter, { key: changeKey(userId), ...guesses }, 'account_locked', 'Too many wrong passwords');

export const forgetChanges = (limiter: RateLimiter, userId: string): Promise<void> => limiter.forget(changeKey(userId));

/** Bounds how many accounts one network can make. */
export const admitSignUp = (limiter: RateLimiter, ip: string): Promise<Rejection | undefined> =>
  admit(limiter, { key: `signup:${clientKey(ip)}`, ...signUps }, 'rate_limited', 'Too many sign-ups from your network');

/** Whether a sign-up may email its address. The caller responds the same either way, so that earlier sign-ups are not revealed. */
export async function admitSignUpEmail(limiter: RateLimiter, email: string, ip: string): Promise<boolean> {
  const key = `signup-mail:${accountKey(mailboxOf(email))}`;
  return (
    (await limiter.hit([{ key: `${key}:${clientKey(ip)}`, ...signUpEmails }])) === undefined &&
    (await limiter.hit([{ key, ...signUpEmailsTogether }])) === undefined
  );
}

/** Bounds how often one network enters the demo: each time creates an account. */
export const admitDemo = (limiter: RateLimiter, ip: string): Promise<Rejection | undefined> =>
  admit(
    limiter,
    { key: `demo:${clientKey(ip)}`, ...demoEntries },
    'rate_limited',
    'Too many demo sign-ins from your network',
  );

/**
 * Counts wrong codes per account and network, and per account. Only a client that knows the password gets this far, so a stranger
 * cannot lock the owner out.
 */
export async function admitCode(limiter: RateLimiter, userId: string, ip: string): Promise<Rejection | undefined> {
  const tooMany = 'Too many wrong codes';
  return (
    (await admit(limiter, { key: `code:${userId}:${clientKey(ip)}`, ...codes }, 'account_locked', tooMany)) ??
    (await admit(limiter, { key: `code:${userId}`, ...codesTogether }, 'account_locked', tooMany))
  );
}

/** Resets the count after a correct code. */
export async function forgetCodes(limiter: RateLimiter, userId: string, ip: string): Promise<void> {
  await limiter.forget(`code:${userId}:${clientKey(ip)}`);
  await limiter.forget(`code:${userId}`);
}

/**
 * Bounds emails to one address, known or not, and how many one network causes. `isSilent`: respond as if an email was sent,
 * which protects the inbox from floods and reveals no earlier attempt.
 */
export async function admitReset(
  limiter: RateLimiter,
  email: string,
  ip: string,
): Promise<{ rejection?: Rejection | undefined; isSilent: boolean }> {
  const key = `reset:${clientKey(ip)}`;
  const rejection = await admit(
    limiter,
    { key, ...resets },
    'rate_limited',
    'Too many email requests from your network',
  );
  if (rejection !== undefined) return { rejection, isSilent: false };
  const blocked = await limiter.hit([{ key: `reset:${accountKey(email)}`, ...resetsOfAccount }]);
  return { isSilent: blocked !== undefined };
}

const emailChanges = { hitMax: 5, windowS: 60 * minuteS };

/** Bounds how many inboxes one account can write to, and how many emails all accounts together send to one inbox. */
export const admitEmailChange = async (
  limiter: RateLimiter,
  userId: string,
  email: string,
): Promise<Rejection | undefined> =>
  (await admit(limiter, { key: `email:${userId}`, ...emailChanges }, 'rate_limited', 'Too many changes of email')) ??
  (await admit(
    limiter,
    { key: `email-to:${accountKey(mailboxOf(email))}`, ...emailChanges },
    'rate_limited',
    'Too many emails to this address',
  ));

const emailedChanges = { hitMax: 20, windowS: 60 * minuteS };

/**
 * Hook before a change that is reported by email: password, second factor, deletion. The address of an account may belong to someone
 * else, and repeated changes would flood that mailbox.
 */
export const limitEmailedChanges =
  (limiter: RateLimiter) =>
  ({ user }: FastifyRequest): Promise<void> =>
    countHit(limiter, { key: `mailed:${user.id}`, ...emailedChanges }, 'Too many account changes. Try again later.');

/** Counts guesses at a link by one network. A token of 256 bits cannot be guessed; the limit bounds the work of rejecting guesses. */
export const admitLink = (limiter: RateLimiter, ip: string): Promise<Rejection | undefined> =>
  admit(limiter, { key: `link:${clientKey(ip)}`, ...signIns }, 'rate_limited', 'Too many attempts from your network');
