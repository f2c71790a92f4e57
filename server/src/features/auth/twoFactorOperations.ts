import { failWith, ok } from '@sextant/workers/src/core/result.ts';
import { sql } from 'kysely';
import type { AuthenticatedUser } from '../../platform/auth/requireUser.ts';
import { withSystem } from '../../platform/db/scope.ts';
import { type Outcome, reject } from '../../platform/errors.ts';
import { noticeEmail } from './accountEmails.ts';
import type { AuthContext } from './context.ts';
import type { Client, SecurityState, TwoFactorSetup } from './provider.ts';
import { admitCode, forgetCodes } from './signInLimits.ts';
import { newTotpSecret, otpauthUrl } from './totp.ts';
import { replaceRecoveryCodes, useTotp } from './twoFactorCodes.ts';

export async function startTwoFactor(
  { db, seal }: AuthContext,
  { id, email }: AuthenticatedUser,
): Promise<Outcome<TwoFactorSetup>> {
  const secret = newTotpSecret();
  const sealed = seal.seal(secret, id);
  const isStored = await withSystem(db, async (tx) => {
    // Active two-factor must be turned off first: otherwise an unattended screen could replace the owner's authenticator.
    const { rows } = await sql`
      insert into two_factors (user_id, secret) values (${id}, ${sealed})
      on conflict (user_id) do update set secret = excluded.secret, last_step = 0, created_at = now()
      where two_factors.confirmed_at is null returning user_id`.execute(tx);
    return rows.length > 0;
  });
  if (!isStored) return reject('conflict', 'Two-factor sign-in is already on. Turn it off first.');
  return ok({ secret, url: otpauthUrl(secret, email) });
}

export async function confirmTwoFactor(
  context: AuthContext,
  { id, email }: AuthenticatedUser,
  code: string,
  { ip }: Client,
): Promise<Outcome<string[]>> {
  const { db, outbox, limiter } = context;
  const blocked = await admitCode(limiter, id, ip);
  if (blocked !== undefined) return failWith(blocked);
  const codes = await withSystem(db, async (tx) => {
    if (!(await useTotp(context, tx, id, code.replace(/\s/g, ''), { isPending: true }))) return undefined;
    await outbox.add(tx, noticeEmail(email, 'twoFactorOn'));
    return replaceRecoveryCodes(context, tx, id);
  });
  if (codes === undefined) return reject('invalid_code', undefined, { field: 'code' });
  outbox.wake();
  await forgetCodes(limiter, id, ip);
  return ok(codes);
}

export async function endTwoFactor(
  { db, outbox }: AuthContext,
  { id, email }: AuthenticatedUser,
): Promise<Outcome<null>> {
  await withSystem(db, async (tx) => {
    const done = await tx.deleteFrom('two_factors').where('user_id', '=', id).executeTakeFirst();
    await tx.deleteFrom('recovery_codes').where('user_id', '=', id).execute();
    if (done.numDeletedRows > 0n) await outbox.add(tx, noticeEmail(email, 'twoFactorOff'));
  });
  outbox.wake();
  return ok(null);
}

export async function renewRecoveryCodes(
  context: AuthContext,
  { id, email }: AuthenticatedUser,
): Promise<Outcome<string[]>> {
  const { db, outbox } = context;
  const codes = await withSystem(db, async (tx) => {
    const factor = tx.selectFrom('two_factors').select('user_id').where('user_id', '=', id);
    if ((await factor.where('confirmed_at', 'is not', null).executeTakeFirst()) === undefined) return undefined;
    await outbox.add(tx, noticeEmail(email, 'codesRenewed'));
    return replaceRecoveryCodes(context, tx, id);
  });
  if (codes === undefined) return reject('conflict', 'Two-factor sign-in is off.');
  outbox.wake();
  return ok(codes);
}

export async function readSecurity({ db }: AuthContext, { id }: AuthenticatedUser): Promise<SecurityState> {
  return withSystem(db, async (tx) => {
    const { rows } = await sql<{ has_password: boolean; has_factor: boolean; codes: number; pending: string | null }>`
      select
        exists (select from accounts where user_id = ${id} and password is not null) as has_password,
        exists (select from two_factors where user_id = ${id} and confirmed_at is not null) as has_factor,
        (select count(*)::int from recovery_codes where user_id = ${id}) as codes,
        (select email from auth_tokens where user_id = ${id} and kind = 'email' and expires_at > now()
          order by expires_at desc limit 1) as pending`.execute(tx);
    const [row] = rows;
    return {
      hasPassword: row?.has_password === true,
      hasTwoFactor: row?.has_factor === true,
      recoveryCodeCount: row?.codes ?? 0,
      pendingEmail: row?.pending ?? null,
    };
  });
}
