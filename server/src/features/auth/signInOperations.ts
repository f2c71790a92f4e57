import { failWith, ok } from '@sextant/workers/src/core/result.ts';
import { withSystem } from '../../platform/db/scope.ts';
import { type Outcome, reject } from '../../platform/errors.ts';
import {
  confirmEmail,
  findAccount,
  insertAccount,
  type NewAccount,
  readPasswordHash,
  setPassword,
  type StoredAccount,
} from './accountRepository.ts';
import { alreadySignedUpEmail, confirmationEmail } from './accountEmails.ts';
import type { AuthContext } from './context.ts';
import { newDisplayName } from './contract.ts';
import { openSession } from './openSession.ts';
import { passwordRejection } from './passwordPolicy.ts';
import type { Challenge, Client, NewSession } from './provider.ts';
import { admitSignUpEmail } from './signInLimits.ts';
import { findToken, hasToken, makeToken, takeToken } from './tokenRepository.ts';
import { useCode } from './twoFactorCodes.ts';

const newAccount = ({ welcomeHashOf }: AuthContext, email: string, passwordHash: string): NewAccount => ({
  email,
  name: newDisplayName,
  passwordHash,
  welcomeHash: welcomeHashOf(email),
});

/** Whether this is the account's password. Does the same work when there is no account. */
export async function isPasswordOf(
  { passwords, hashOfUnknownUser }: AuthContext,
  account: StoredAccount | undefined,
  password: string,
): Promise<boolean> {
  const isRight = await passwords.verify(account?.passwordHash ?? (await hashOfUnknownUser), password);
  return isRight && account?.passwordHash != null;
}

/**
 * With confirmation on, the same error for every failed sign-in, so that signing up and in with another user's address reveals nothing
 * about it (the immediate sign-in fails with this message).
 */
const signInRejection = ({ isSignUpConfirmed }: AuthContext): Outcome<never> =>
  isSignUpConfirmed
    ? reject('invalid_credentials', 'Invalid email or password, or unconfirmed email: open the emailed link.')
    : reject('invalid_credentials');

/**
 * Creates an account that is confirmed by an email link. Signing up again before that replaces password and link, a few times an hour:
 * each sends an email to an unconfirmed address.
 */
async function signUpForConfirmation(
  context: AuthContext,
  email: string,
  passwordHash: string,
  { ip }: Client,
): Promise<Outcome<null>> {
  const { db, limiter, outbox, baseUrl } = context;
  if (!(await admitSignUpEmail(limiter, email, ip))) return ok(null);
  await withSystem(db, async (tx) => {
    const madeId = await insertAccount(tx, newAccount(context, email, passwordHash));
    const account = await findAccount(tx, { email });
    if (account === undefined) throw new Error('the account is gone');
    // Accounts created before addresses were confirmed need no link; a new sign-up with the address does not change their password.
    const isWaiting = madeId !== undefined || (await hasToken(tx, account.id, 'confirm'));
    if (account.isConfirmed || account.passwordHash === null || !isWaiting)
      return outbox.add(tx, alreadySignedUpEmail(baseUrl, email));
    if (madeId === undefined) await setPassword(tx, account.id, passwordHash);
    await outbox.add(tx, confirmationEmail(baseUrl, email, await makeToken(tx, 'confirm', { userId: account.id })), 24);
  });
  outbox.wake();
  return ok(null);
}

export async function signUp(
  context: AuthContext,
  email: string,
  password: string,
  client: Client,
): Promise<Outcome<NewSession | null>> {
  const weak = await passwordRejection(password, email);
  if (weak !== undefined) return failWith(weak);
  const passwordHash = await context.passwords.hash(password);
  if (context.isSignUpConfirmed) return signUpForConfirmation(context, email, passwordHash, client);
  const userId = await withSystem(context.db, (tx) => insertAccount(tx, newAccount(context, email, passwordHash)));
  if (userId === undefined) return reject('email_taken');
  return openSession(context, userId, client, { proof: { passwordHash } });
}

/** Requires the password again, so that a click on an email caused by another user's sign-up does not give them the account. */
export async function confirmSignUp(
  context: AuthContext,
  token: string,
  password: string,
  client: Client,
): Promise<Outcome<NewSession>> {
  const { db } = context;
  const account = await withSystem(db, async (tx) => {
    const match = await findToken(tx, 'confirm', token);
    return match === undefined ? undefined : findAccount(tx, { id: match.userId });
  });
  if (account === undefined) return reject('link_invalid');
  if (!(await isPasswordOf(context, account, password))) {
    return reject('validation_failed', 'Enter the password of your sign-up.', { field: 'password' });
  }
  const isTaken = await withSystem(db, async (tx) => {
    if ((await takeToken(tx, 'confirm', token)) === undefined) return false;
    await confirmEmail(tx, account.id);
    return true;
  });
  return isTaken ? openSession(context, account.id, client, { proof: account }) : reject('link_invalid');
}

export async function signIn(
  context: AuthContext,
  email: string,
  password: string,
  client: Client,
): Promise<Outcome<NewSession | Challenge>> {
  const { db, isSignUpConfirmed } = context;
  const account = await withSystem(db, (tx) => findAccount(tx, { email }));
  const isRight = await isPasswordOf(context, account, password);
  if (!isRight || account === undefined) return signInRejection(context);
  if (isSignUpConfirmed && !account.isConfirmed) return signInRejection(context);
  if (!account.hasTwoFactor) return openSession(context, account.id, client, { proof: account });
  const challenge = await withSystem(db, (tx) => makeToken(tx, 'second_factor', { userId: account.id }));
  return ok({ challenge });
}

export async function finishSignIn(
  context: AuthContext,
  challenge: string,
  code: string,
  client: Client,
): Promise<Outcome<NewSession>> {
  const { db } = context;
  const match = await withSystem(db, (tx) => findToken(tx, 'second_factor', challenge));
  if (match === undefined) return reject('link_invalid', 'The sign-in has expired. Start again.');
  const outcome = await useCode(context, match.userId, code, client);
  if (!outcome.ok) return outcome;
  // Replacing the password deletes the challenge, so an existing challenge means the password is unchanged.
  const passwordHash = await withSystem(db, async (tx) => {
    const standing = await readPasswordHash(tx, match.userId);
    return (await takeToken(tx, 'second_factor', challenge)) === undefined ? undefined : standing;
  });
  if (passwordHash === undefined) return reject('link_invalid', 'The sign-in has expired. Start again.');
  return openSession(context, match.userId, client, { proof: { passwordHash } });
}
