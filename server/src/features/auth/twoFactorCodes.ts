import { randomInt } from 'node:crypto';
import { failWith, ok } from '@sextant/workers/src/core/result.ts';
import { sql } from 'kysely';
import { type SystemTx, withSystem } from '../../platform/db/scope.ts';
import { type Outcome, reject } from '../../platform/errors.ts';
import { findAccount } from './accountRepository.ts';
import { noticeEmail } from './accountEmails.ts';
import type { AuthContext } from './context.ts';
import type { Client } from './provider.ts';
import { admitCode, forgetCodes } from './signInLimits.ts';
import { matchStep } from './totp.ts';

const recoveryCodeCount = 10;
/** Excludes letters and digits that look alike. 31^10 is 49 bits; the hash is keyed, so a stolen table cannot be searched. */
const recoveryAlphabet = '23456789abcdefghjkmnpqrstuvwxyz';

const newRecoveryCode = (): string => {
  const letters = Array.from({ length: 10 }, () => recoveryAlphabet[randomInt(recoveryAlphabet.length)]).join('');
  return `${letters.slice(0, 5)}-${letters.slice(5)}`;
};

const folded = (code: string): string => code.toLowerCase().replace(/[^a-z0-9]/g, '');

/** Consumes a code of the authenticator if it is correct and newer than the last one. Of two concurrent calls one succeeds. */
export async function useTotp(
  { seal, nowMs }: AuthContext,
  tx: SystemTx,
  userId: string,
  code: string,
  { isPending }: { isPending: boolean },
): Promise<boolean> {
  const row = await tx
    .selectFrom('two_factors')
    .select(['secret', 'last_step'])
    .where('user_id', '=', userId)
    .where('confirmed_at', isPending ? 'is' : 'is not', null)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) return false;
  const step = matchStep(seal.open(row.secret, userId), code, nowMs(), row.last_step);
  if (step === undefined) return false;
  await tx
    .updateTable('two_factors')
    .set({ last_step: step, ...(isPending ? { confirmed_at: sql<Date>`now()` } : {}) })
    .where('user_id', '=', userId)
    .execute();
  return true;
}

async function useRecoveryCode({ seal }: AuthContext, tx: SystemTx, userId: string, code: string): Promise<boolean> {
  const done = await tx
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('code_hash', '=', seal.hash(folded(code), userId))
    .executeTakeFirst();
  return done.numDeletedRows > 0n;
}

/** Consumes a code of an account with two-factor on: six digits of the authenticator, or a recovery code. Wrong ones are counted. */
export async function useCode(
  context: AuthContext,
  userId: string,
  code: string,
  { ip }: Client,
): Promise<Outcome<null>> {
  const { db, outbox, limiter } = context;
  const blocked = await admitCode(limiter, userId, ip);
  if (blocked !== undefined) return failWith(blocked);
  const digits = code.replace(/\s/g, '');
  const isRight = await withSystem(db, async (tx) => {
    if (/^\d{6}$/.test(digits)) return useTotp(context, tx, userId, digits, { isPending: false });
    const account = await findAccount(tx, { id: userId });
    if (account?.hasTwoFactor !== true || !(await useRecoveryCode(context, tx, userId, code))) return false;
    await outbox.add(tx, noticeEmail(account.email, 'recoveryUsed'));
    return true;
  });
  if (!isRight) return reject('invalid_code', undefined, { field: 'code' });
  outbox.wake();
  await forgetCodes(limiter, userId, ip);
  return ok(null);
}

/** Replaces the recovery codes of an account. The returned codes are stored only as hashes. */
export async function replaceRecoveryCodes({ seal }: AuthContext, tx: SystemTx, userId: string): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodeCount }, newRecoveryCode);
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  const rows = codes.map((code) => ({ user_id: userId, code_hash: seal.hash(folded(code), userId) }));
  await tx.insertInto('recovery_codes').values(rows).execute();
  return codes;
}
