import type { ExchangeId } from '../../features/market/port.ts';
import { type Outcome, reject } from '../../platform/errors.ts';

/**
 * Why an exchange gave no usable response. `rateLimited`: the exchange limited us; `budgetUsed`: our own limit did, before any
 * request was sent. `refused`: the exchange rejected this one request (does not count against its health).
 * `cancelled`: the caller aborted; `tooLate`: too little of the caller's time was left for the trip.
 */
export type UpstreamFailure =
  | 'unavailable'
  | 'rateLimited'
  | 'budgetUsed'
  | 'tooManyHeld'
  | 'timedOut'
  | 'cancelled'
  | 'tooLate'
  | 'symbolUnknown'
  | 'refused';

/** Passes through ccxt unchanged: ccxt rethrows unknown errors. */
export class UpstreamError extends Error {
  override name = 'UpstreamError';
  readonly failure: UpstreamFailure;
  readonly retryAfterMs: number | undefined;

  constructor(failure: UpstreamFailure, message: string, retryAfterMs?: number) {
    super(message);
    this.failure = failure;
    this.retryAfterMs = retryAfterMs;
  }
}

export const regionRejection = (name: string, retryAfterMs: number): UpstreamError =>
  new UpstreamError('unavailable', `${name} does not serve the region of this server.`, retryAfterMs);

export const cancelled = (name: string): UpstreamError =>
  new UpstreamError('cancelled', `The request to ${name} was cancelled.`);
export const tooLate = (name: string): UpstreamError =>
  new UpstreamError('tooLate', `The time for this read of ${name} ran out. Try again.`);
export const timedOut = (name: string): UpstreamError => new UpstreamError('timedOut', `${name} timed out.`);

const codes = {
  unavailable: 'upstream_unavailable',
  rateLimited: 'upstream_rate_limited',
  budgetUsed: 'upstream_rate_limited',
  tooManyHeld: 'rate_limited',
  timedOut: 'deadline_exceeded',
  cancelled: 'deadline_exceeded',
  tooLate: 'deadline_exceeded',
  symbolUnknown: 'symbol_unknown',
  refused: 'upstream_unavailable',
} as const;

const limitedFailures: ReadonlySet<UpstreamFailure> = new Set(['rateLimited', 'budgetUsed', 'tooManyHeld']);

/** The error that a caller of the port receives. */
export function rejectionOf(error: UpstreamError, exchange: ExchangeId): Outcome<never> {
  const more = {
    ...(error.retryAfterMs === undefined ? {} : { retryAfterS: Math.ceil(error.retryAfterMs / 1000) }),
    ...(error.failure === 'symbolUnknown' ? { field: 'symbol' } : {}),
    ...(limitedFailures.has(error.failure) ? { exchange } : {}),
    ...(error.failure === 'budgetUsed' ? { isOwnLimit: true } : {}),
  };
  return reject(codes[error.failure], error.message, more);
}
