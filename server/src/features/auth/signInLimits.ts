import type { FastifyRequest } from 'fastify';
import { createHash } from 'node:crypto';
import type { ApiErrorCode, Refusal } from '../../platform/errors.ts';
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
/** What many networks together may guess at one account. Far above what its owner needs. */
const guessesTogether = { hitMax: 100, windowS: 60 * minuteS };
/** Guesses at a code. Three of a million are right at any time, so 20 in an hour find one in 17,000. */
const codes = { hitMax: 5, windowS: 15 * minuteS };
const codesTogether = { hitMax: 20, windowS: 60 * minuteS };
const resetsOfAccount = { hitMax: 3, windowS: 60 * minuteS };
const resets = { hitMax: 20, windowS: addressWindowS };
const signIns = { hitMax: 100, windowS: addressWindowS };
const signUps = { hitMax: 30, windowS: addressWindowS };
/** Mails that sign-ups with one address cause: from one network, so that a stranger cannot use up the owner's, and from all together. */
const signUpMails = { hitMax: 3, windowS: 60 * minuteS };
const signUpMailsTogether = { hitMax: 20, windowS: 60 * minuteS };
/** Each entry makes an account with credits. */
const demoEntries = { hitMax: 20, windowS: 60 * minuteS };

/** A hash: the table of limits must not be a list of who tried to sign in. */
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

/** Counts one hit and refuses with `code` when it is one too many. `what` is the beginning of the message. */
async function admit(
  limiter: RateLimiter,
  limit: Limit,
  code: ApiErrorCode,
  what: string,
): Promise<Refusal | undefined> {
  const blocked = await limiter.hit([limit]);
  if (blocked === undefined) return undefined;
  const { retryAfterS } = blocked;
  return { code, message: `${what}. Try again in ${waitText(retryAfterS)}.`, retryAfterS };
}

export interface Guess {
  email: string;
  ip: string;
  /** The account was entered from this network before: the count of all networks together does not hold its owner off here. */
  isKnownNetwork: boolean;
}

/**
 * Counts a guess at a password before it is checked. Known and unknown addresses are treated alike, and a locked account says
 * the same whether the guess was right or wrong. In this order, and only until one refuses: who is blocked already must not
 * count against others.
 */
export async function admitGuess(
  limiter: RateLimiter,
  { email, ip, isKnownNetwork }: Guess,
): Promise<Refusal | undefined> {
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

/** A right password, or a new one set with the link of a mail, ends the count. */
export async function forgetGuesses(limiter: RateLimiter, email: string, ip: string): Promise<void> {
  const { here, together } = guessKeys(email, ip);
  await limiter.forget(here);
  await limiter.forget(together);
}

/** Counts wrong current passwords of a signed-in user, apart from failed sign-ins by others. */
export const admitChange = (limiter: RateLimiter, userId: string): Promise<Refusal | undefined> =>
  admit(limiter, { key: changeKey(userId), ...guesses }, 'account_locked', 'Too many wrong passwords');

export const forgetChanges = (limiter: RateLimiter, userId: string): Promise<void> => limiter.forget(changeKey(userId));

/** Bounds how many accounts one network can make. */
export const admitSignUp = (limiter: RateLimiter, ip: string): Promise<Refusal | undefined> =>
  admit(limiter, { key: `signup:${clientKey(ip)}`, ...signUps }, 'rate_limited', 'Too many sign-ups from your network');

/** Whether a sign-up may send a mail to its address. The answer must be the same without one: it would tell of an earlier sign-up. */
export async function admitSignUpMail(limiter: RateLimiter, email: string, ip: string): Promise<boolean> {
  const key = `signup-mail:${accountKey(mailboxOf(email))}`;
  return (
    (await limiter.hit([{ key: `${key}:${clientKey(ip)}`, ...signUpMails }])) === undefined &&
    (await limiter.hit([{ key, ...signUpMailsTogether }])) === undefined
  );
}

/** Bounds how often one network enters the demo: each time makes an account. */
export const admitDemo = (limiter: RateLimiter, ip: string): Promise<Refusal | undefined> =>
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
export async function admitCode(limiter: RateLimiter, userId: string, ip: string): Promise<Refusal | undefined> {
  const tooMany = 'Too many wrong codes';
  return (
    (await admit(limiter, { key: `code:${userId}:${clientKey(ip)}`, ...codes }, 'account_locked', tooMany)) ??
    (await admit(limiter, { key: `code:${userId}`, ...codesTogether }, 'account_locked', tooMany))
  );
}

/** A right code ends the count. */
export async function forgetCodes(limiter: RateLimiter, userId: string, ip: string): Promise<void> {
  await limiter.forget(`code:${userId}:${clientKey(ip)}`);
  await limiter.forget(`code:${userId}`);
}

/**
 * Bounds mails about one address, known or not, and how many one network causes. `isSilent`: answer as if a mail was sent,
 * which protects the inbox from floods and reveals no earlier attempt.
 */
export async function admitReset(
  limiter: RateLimiter,
  email: string,
  ip: string,
): Promise<{ refusal?: Refusal | undefined; isSilent: boolean }> {
  const key = `reset:${clientKey(ip)}`;
  const refusal = await admit(
    limiter,
    { key, ...resets },
    'rate_limited',
    'Too many mails asked for from your network',
  );
  if (refusal !== undefined) return { refusal, isSilent: false };
  const blocked = await limiter.hit([{ key: `reset:${accountKey(email)}`, ...resetsOfAccount }]);
  return { isSilent: blocked !== undefined };
}

const emailChanges = { hitMax: 5, windowS: 60 * minuteS };

/** Bounds how many inboxes one account can write to, and how much all accounts together write to one inbox. */
export const admitEmailChange = async (
  limiter: RateLimiter,
  userId: string,
  email: string,
): Promise<Refusal | undefined> =>
  (await admit(limiter, { key: `email:${userId}`, ...emailChanges }, 'rate_limited', 'Too many changes of email')) ??
  (await admit(
    limiter,
    { key: `email-to:${accountKey(mailboxOf(email))}`, ...emailChanges },
    'rate_limited',
    'Too many mails to this address',
  ));

const mailedChanges = { hitMax: 20, windowS: 60 * minuteS };

/**
 * A hook before a change that a mail reports: password, second factor, deletion. An account can be made with an address that is not its
 * owner's, and repeated changes would flood that mailbox.
 */
export const boundMailedChanges =
  (limiter: RateLimiter) =>
  ({ user }: FastifyRequest): Promise<void> =>
    countHit(
      limiter,
      { key: `mailed:${user.id}`, ...mailedChanges },
      'Too many changes of your account. Try again later.',
    );

/** Counts guesses at a link by one network. A token of 256 bits cannot be guessed; the limit bounds the work of refusing guesses. */
export const admitLink = (limiter: RateLimiter, ip: string): Promise<Refusal | undefined> =>
  admit(limiter, { key: `link:${clientKey(ip)}`, ...signIns }, 'rate_limited', 'Too many tries from your network');
