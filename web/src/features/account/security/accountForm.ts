import { messageOf } from '../../../api/failure.ts';
import { isCancelled } from '../../../state/stepUp.ts';
import { toast } from '../../../state/toasts.ts';

const passwordLengthMin = 6;
const emailShape = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

export const usernameError = (username: string): string | undefined =>
  username.trim() === '' ? 'Username cannot be empty' : undefined;

export function emailError(email: string): string | undefined {
  if (email.trim() === '') return 'Email cannot be empty';
  return emailShape.test(email.trim()) ? undefined : 'Please enter a valid email address';
}

export function passwordError(password: string): string | undefined {
  if (password === '') return 'Password cannot be empty';
  return password.length < passwordLengthMin ? `Password must be at least ${passwordLengthMin} characters` : undefined;
}

/** `Failed to update username: this username is taken.`: what failed, then why, in the server's words. */
export function failureText(what: string, failure: unknown): string {
  const reason = messageOf(failure, '');
  return reason === '' ? what : `${what}: ${reason}`;
}

/** A dialog that was closed is no failure, so nothing is said about it. */
export function toastFailure(what: string, failure: unknown): void {
  if (!isCancelled(failure)) toast(failureText(what, failure), 'error');
}
