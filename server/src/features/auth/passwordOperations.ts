import { failWith, ok } from '@sextant/workers/src/core/result.ts';
import type { AuthenticatedUser } from '../../platform/auth/requireUser.ts';
import { type SystemTx, withSystem } from '../../platform/db/scope.ts';
import { type Outcome, reject } from '../../platform/errors.ts';
import { hasActiveKeys, revokeAllKeys } from '../apiKeys/keys.ts';
import { confirmEmail, endSessions, findAccount, setPassword } from './accountRepository.ts';
import { keysText, type Notice, noticeEmail, resetEmail } from './accountEmails.ts';
import type { AuthContext } from './context.ts';
import { checkFresh } from './freshness.ts';
import { rememberNetwork } from './knownNetworks.ts';
import { openSession } from './openSession.ts';
import { passwordRejection } from './passwordPolicy.ts';
import type { AuthProvider, Client, NewSession } from './provider.ts';
import { isPasswordOf } from './signInOperations.ts';
import { dropTokens, findToken, makeToken, takeToken } from './tokenRepository.ts';

export const resetChore = 'password reset';

interface Replacement {
  passwordHash: string;
  notice: Notice;
  isRevokingKeys: boolean;
}

/** Sets a password, ends all sessions and everything authorised by the old password, and notifies the owner. */
async function replacePassword(
  { outbox }: AuthContext,
  tx: SystemTx,
  { id, email }: { id: string; email: string },
  { passwordHash, notice, isRevokingKeys }: Replacement,
): Promise<void> {
  await setPassword(tx, id, passwordHash);
  await endSessions(tx, id);
  await dropTokens(tx, id, ['reset', 'email', 'second_factor']);
  const hasKeys = isRevokingKeys ? (await revokeAllKeys(tx, id)) > 0 : await hasActiveKeys(tx, id);
  await outbox.add(tx, noticeEmail(email, notice, hasKeys ? keysText(isRevokingKeys) : ''));
}

export async function changePassword(
  context: AuthContext,
  user: AuthenticatedUser,
  { currentPassword, password, isRevokingKeys = false }: Parameters<AuthProvider['updateUser']>[1],
  client: Client,
): Promise<Outcome<NewSession>> {
  const account = await withSystem(context.db, (tx) => findAccount(tx, { id: user.id }));
  if (account === undefined || !(await isPasswordOf(context, account, currentPassword))) {
    return reject('validation_failed', 'The current password is wrong.', { field: 'current_password' });
  }
  // The password is sufficient proof, unless the owner turned two-factor on.
  const stale = account.hasTwoFactor ? await checkFresh(context, user) : undefined;
  const rejection = (await passwordRejection(password, account.email)) ?? stale;
  if (rejection !== undefined) return failWith(rejection);
  const passwordHash = await context.passwords.hash(password);
  await withSystem(context.db, (tx) =>
    replacePassword(context, tx, account, { passwordHash, notice: 'passwordChanged', isRevokingKeys }),
  );
  context.cache.endUser(user.id);
  context.forgetKeys(user.id);
  context.outbox.wake();
  return openSession(context, user.id, client, { proof: { passwordHash } });
}

/** The request only stores the address. prepareReset looks the account up later, so response times do not reveal it. */
export async function requestReset({ db, outbox }: AuthContext, email: string): Promise<Outcome<null>> {
  if (!outbox.isOn) return reject('mail_unavailable');
  await withSystem(db, (tx) => outbox.addChore(tx, resetChore, email));
  outbox.wake();
  return ok(null);
}

/** Creates the link when the address has an account with a password; does nothing for unknown addresses. */
export async function prepareReset({ outbox, baseUrl }: AuthContext, tx: SystemTx, email: string): Promise<void> {
  const account = await findAccount(tx, { email });
  if (account?.passwordHash == null) return;
  await outbox.add(tx, resetEmail(baseUrl, email, await makeToken(tx, 'reset', { userId: account.id })), 1);
}

/** @returns the address of the account */
export async function resetPassword(
  context: AuthContext,
  { token, password, isRevokingKeys = true }: Parameters<AuthProvider['resetPassword']>[0],
  client: Client,
): Promise<Outcome<{ email: string }>> {
  const { db } = context;
  const account = await withSystem(db, async (tx) => {
    const match = await findToken(tx, 'reset', token);
    return match === undefined ? undefined : findAccount(tx, { id: match.userId });
  });
  if (account === undefined) return reject('link_invalid');
  const weak = await passwordRejection(password, account.email);
  if (weak !== undefined) return failWith(weak);
  const passwordHash = await context.passwords.hash(password);
  const isTaken = await withSystem(db, async (tx) => {
    if ((await takeToken(tx, 'reset', token)) === undefined) return false;
    await replacePassword(context, tx, account, { passwordHash, notice: 'passwordReset', isRevokingKeys });
    // The link proves access to this mailbox.
    await confirmEmail(tx, account.id);
    await dropTokens(tx, account.id, ['confirm']);
    return true;
  });
  if (!isTaken) return reject('link_invalid');
  context.cache.endUser(account.id);
  context.forgetKeys(account.id);
  context.outbox.wake();
  // Continued guessing by others must not lock the owner out of the network where the email was read.
  await rememberNetwork(db, account.id, client.ip);
  return ok({ email: account.email });
}
