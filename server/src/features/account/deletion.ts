import { ok } from '@sextant/workers/src/core/result.ts';
import { type Db, withSystem, withUser } from '../../platform/db/scope.ts';
import { type Outcome, reject } from '../../platform/errors.ts';
import { isDemoEmail } from '../../platform/auth/demoAccount.ts';
import type { Message } from '../mail/letter.ts';
import type { Outbox } from '../mail/outbox.ts';
import type { FileStore } from '../profile/files/port.ts';
import type { Deletion } from './contract.ts';
import {
  startErasing,
  cancelDeletion,
  eraseAccount,
  readDeletion,
  requestDeletion,
  type StoredDeletion,
} from './deletionRepository.ts';

export interface DeletionDeps {
  db: Db;
  files: FileStore;
  /** Days a request can be cancelled. */
  graceDays: number;
  /** Drops the cached sessions of a user in this process; they are already deleted from the database. */
  forgetSessions: (userId: string) => void;
}

/** Dependencies of a deletion request: those of the erasure plus the confirmation email. */
export interface DeletionRequestDeps extends DeletionDeps {
  outbox: Outbox;
  /** Origin of the links in emails. */
  baseUrl: string;
  /** Drops the cached keys of a user in this process at once; other nodes get a database notification. */
  forgetKeys: (userId: string) => void;
}

interface AccountUser {
  id: string;
  email: string;
}

/** Accounts erased per run of the sweep; the rest wait for the next run. */
const erasedPerRun = 20;

function toResponse(stored: StoredDeletion | null, { email }: AccountUser, graceDays: number): Deletion {
  return {
    requested_at: stored?.requestedAt.toISOString() ?? null,
    erase_after: stored?.eraseAfter.toISOString() ?? null,
    can_cancel: stored !== null && !stored.isErasing,
    is_deletable: !isDemoEmail(email),
    grace_days: graceDays,
  };
}

export const currentDeletion = async ({ db, graceDays }: DeletionDeps, user: AccountUser): Promise<Deletion> =>
  toResponse(await withUser(db, user.id, readDeletion), user, graceDays);

const deletionEmail = (baseUrl: string, to: string, eraseAfter: Date): Message => {
  const stamp = eraseAfter.toISOString();
  const until = `${stamp.slice(0, 10)} ${stamp.slice(11, 16)} UTC`;
  return {
    to,
    subject: 'Your Sextant account will be deleted',
    paragraphs: [
      `You requested the deletion of your Sextant account. On ${until} we erase it for good: profile, pictures, preferences, backtests, positions and credits. Receipts of purchases stay in our books without your name, email or order.`,
      `Until ${until} you can undo this: sign in and press “Keep my account” at the top of the page.`,
      'You are signed out everywhere. API keys, scans, searches and messages have stopped. Your profile, pictures and rank are hidden. If you keep the account they return, except the keys: create new ones.',
      'Not you? Sign in now, keep the account and change its password.',
    ],
    link: { label: 'Sign in', url: `${baseUrl}/login` },
  };
};

/** Queues the deletion, ends all sessions and keys of the account, stops its background work and sends a confirmation email. */
export async function scheduleDeletion(
  deps: DeletionRequestDeps,
  user: AccountUser,
  typed: string,
): Promise<Outcome<Deletion>> {
  if (isDemoEmail(user.email)) {
    return reject('forbidden', 'Demo accounts are deleted one day after their last use.');
  }
  if (typed.trim().normalize('NFKC').toLowerCase() !== user.email) {
    return reject('validation_failed', 'Enter the email address of your account.', { field: 'email' });
  }
  const { db, outbox, baseUrl, graceDays } = deps;
  const stored = await withSystem(db, async (tx) => {
    const { stored: request, isNew } = await requestDeletion(tx, user.id, graceDays);
    if (isNew) await outbox.add(tx, deletionEmail(baseUrl, user.email, request.eraseAfter), graceDays * 24);
    return request;
  });
  outbox.wake();
  deps.forgetSessions(user.id);
  deps.forgetKeys(user.id);
  return ok(toResponse(stored, user, deps.graceDays));
}

export async function keepAccount(deps: DeletionDeps, user: AccountUser): Promise<Outcome<Deletion>> {
  const isStored = await withSystem(deps.db, (tx) => cancelDeletion(tx, user.id));
  if (!isStored) return reject('conflict', 'The deletion has started and can no longer be cancelled.');
  return ok(toResponse(null, user, deps.graceDays));
}

async function eraseFiles(files: FileStore, userId: string): Promise<void> {
  for (const path of await files.list(userId)) await files.remove(path);
}

/**
 * Erases an account: files, then rows. Every step is idempotent and the request row is deleted last, so the next run finishes an
 * erasure whose process was killed.
 */
async function erase({ db, files, forgetSessions }: DeletionDeps, userId: string): Promise<void> {
  await eraseFiles(files, userId);
  await withSystem(db, (tx) => eraseAccount(tx, userId));
  forgetSessions(userId);
  // An upload in progress failed because the account is gone; delete a file that it had already written.
  await eraseFiles(files, userId);
}

/** Erases the accounts whose grace period is over. A failed erasure does not block the others. */
export async function sweepDeletions(deps: DeletionDeps): Promise<void> {
  const due = await withSystem(deps.db, (tx) => startErasing(tx, erasedPerRun));
  const failures: unknown[] = [];
  for (const userId of due) await erase(deps, userId).catch((error: unknown) => failures.push(error));
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} of ${due.length} accounts not erased`);
}
