import { ok } from '@sextant/workers/src/core/result.ts';
import { sql } from 'kysely';
import type { AuthenticatedUser } from '../../platform/auth/requireUser.ts';
import { violatedConstraint } from '../../platform/db/databaseError.ts';
import { type SystemTx, withSystem } from '../../platform/db/scope.ts';
import { type Outcome, reject } from '../../platform/errors.ts';
import { endSessions, findAccount } from './accountRepository.ts';
import { addressInUseEmail, emailChangeMessage, noticeEmail } from './accountEmails.ts';
import type { AuthContext } from './context.ts';
import { dropTokens, makeToken, takeToken } from './tokenRepository.ts';

/** Returns the same result with nearly the same work for an address that has an account: only its owner is notified. */
export async function requestEmailChange(
  { db, outbox, baseUrl }: AuthContext,
  user: AuthenticatedUser,
  email: string,
): Promise<Outcome<null>> {
  if (!outbox.isOn) return reject('mail_unavailable');
  if (email === user.email)
    return reject('validation_failed', 'Email must be different from the current one', { field: 'email' });
  await withSystem(db, async (tx) => {
    const isTaken = (await findAccount(tx, { email })) !== undefined;
    const token = await makeToken(tx, 'email', { userId: user.id, email, sessionId: user.sessionId });
    await outbox.add(tx, isTaken ? addressInUseEmail(email) : emailChangeMessage(baseUrl, email, token), 1);
    await outbox.add(tx, noticeEmail(user.email, 'emailRequested'));
  });
  outbox.wake();
  return ok(null);
}

async function moveAccount(tx: SystemTx, userId: string, email: string): Promise<void> {
  await tx
    .updateTable('users')
    .set({ email, email_verified: true, updated_at: sql<Date>`now()` })
    .where('id', '=', userId)
    .execute();
}

/** The email link confirms the new address, with or without a session. Ends all sessions except the requesting one. */
export async function confirmEmailChange(
  { db, outbox, cache }: AuthContext,
  token: string,
): Promise<Outcome<{ email: string }>> {
  try {
    const moved = await withSystem(db, async (tx) => {
      const match = await takeToken(tx, 'email', token);
      if (match?.email == null) return undefined;
      const before = await findAccount(tx, { id: match.userId });
      if (before === undefined) return undefined;
      await moveAccount(tx, before.id, match.email);
      await endSessions(tx, before.id, match.sessionId);
      // Links sent to the old address must no longer open the account.
      await dropTokens(tx, before.id, ['reset', 'confirm']);
      await outbox.add(tx, noticeEmail(before.email, 'emailChanged'));
      return { userId: before.id, email: match.email };
    });
    if (moved === undefined) return reject('link_invalid');
    cache.endUser(moved.userId);
    outbox.wake();
    return ok({ email: moved.email });
  } catch (error) {
    // Another account confirmed the address in the meantime.
    if (violatedConstraint(error) === 'users_email_key') return reject('link_invalid');
    throw error;
  }
}
