import { failureText } from '../api/failure.ts';
import { isCancelled } from './stepUp.ts';
import { toastRefusal } from './toasts.ts';

/** Tells what failed and why. A dialog that was closed is no failure, so nothing is said about it. */
export function toastFailure(what: string, failure: unknown): void {
  if (!isCancelled(failure)) toastRefusal(failureText(what, failure), failure);
}
