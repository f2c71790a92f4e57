import type { ApiErrorCode, Refusal } from '../errors.ts';
import { apiErrors } from '../errors.ts';

/** An error thrown where no return value can carry it: in a hook or deep inside a driver. The error handler sends it as a problem. */
export class RefusalError extends Error {
  override name = 'RefusalError';
  readonly refusal: Refusal;

  constructor(refusal: Refusal, options?: ErrorOptions) {
    super(refusal.message, options);
    this.refusal = refusal;
  }
}

export const refusalError = (code: ApiErrorCode, message: string = apiErrors[code].title): RefusalError =>
  new RefusalError({ code, message });
