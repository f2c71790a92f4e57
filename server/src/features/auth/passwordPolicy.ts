import { createRejection, type Rejection } from '../../platform/errors.ts';
import { once } from '../../platform/once.ts';

/** About 49,000 common passwords in lower case, from public leaks as listed by zxcvbn. Loaded at the first use. */
const loadCommon = once(async (): Promise<ReadonlySet<string>> => {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common']);
});

const rejection = (message: string): Rejection => createRejection('validation_failed', message, { field: 'password' });

/** Why a new password is rejected, apart from its length (contract.ts); undefined when it is accepted. */
export async function passwordRejection(password: string, email: string): Promise<Rejection | undefined> {
  const commonPasswords = await loadCommon();
  const folded = password.normalize('NFKC').toLowerCase().trim();
  if (commonPasswords.has(password.toLowerCase()) || commonPasswords.has(folded))
    return rejection('Password must not be one of the most common ones');
  const localPart = email.slice(0, email.lastIndexOf('@'));
  if (folded === localPart || folded === email) return rejection('Password must not be your email address');
  return undefined;
}
