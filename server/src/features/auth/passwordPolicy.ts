import { createRefusal, type Refusal } from '../../platform/errors.ts';
import { isCommonPassword } from './commonPasswords.ts';

const refusal = (message: string): Refusal => createRefusal('validation_failed', message, { field: 'password' });

/** Why a new password is not taken, beyond its length (contract.ts): it is one of the first that is guessed. */
export function passwordRefusal(password: string, email: string): Refusal | undefined {
  const folded = password.normalize('NFKC').toLowerCase().trim();
  if (isCommonPassword(password) || isCommonPassword(folded))
    return refusal('Password must not be one of the most common ones');
  const localPart = email.slice(0, email.lastIndexOf('@'));
  if (folded === localPart || folded === email) return refusal('Password must not be your email address');
  return undefined;
}
