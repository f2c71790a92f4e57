import type { ApiErrorCode, Refusal } from '../errors.ts';
import { apiErrors } from '../errors.ts';

/** A refusal thrown where no return value can carry it: a hook, or deep inside a driver. The error handler turns it into a problem. */
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
