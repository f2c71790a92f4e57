import type { ApiErrorCode, Rejection } from '../errors.ts';
import { apiErrors } from '../errors.ts';

/** An error thrown where no return value can carry it: in a hook or deep inside a driver. The error handler sends it as a problem. */
export class RejectionError extends Error {
  override name = 'RejectionError';
  readonly rejection: Rejection;

  constructor(rejection: Rejection, options?: ErrorOptions) {
    super(rejection.message, options);
    this.rejection = rejection;
  }
}

export const rejectionError = (code: ApiErrorCode, message: string = apiErrors[code].title): RejectionError =>
  new RejectionError({ code, message });
