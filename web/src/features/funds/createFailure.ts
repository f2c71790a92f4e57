import { ApiFailure, messageOf } from '../../api/failure.ts';

/** The provider's own words first, then the detail or message of our answer. Its `error` is a code and is not for the screen. */
export function createFailureText(failure: unknown): string {
  const fromProvider = failure instanceof ApiFailure ? failure.providerDetail : undefined;
  return fromProvider ?? messageOf(failure, 'Failed to create payment');
}
