import { failWith, type Result } from '@sextant/workers/src/core/result.ts';

/** All errors of the API. `code` is stable; a test keeps this list equal to docs/errors.md in both directions. */
export const apiErrors = {
  validation_failed: { status: 400, title: 'The request is not valid.' },
  signature_invalid: { status: 401, title: 'The signature of the notification is not valid.' },
  not_authenticated: { status: 401, title: 'Sign in, or send a valid token.' },
  invalid_code: { status: 400, title: 'The code is wrong or already used.' },
  invalid_credentials: { status: 401, title: 'Invalid email or password.' },
  insufficient_credits: { status: 402, title: 'Insufficient credits' },
  charge_failed: { status: 409, title: 'Failed to consume credit' },
  credits_owed: {
    status: 402,
    title: 'A refunded payment left a debt. Buy credits to settle it.',
  },
  key_cap_reached: { status: 402, title: 'Monthly credit cap of this API key reached.' },
  forbidden: { status: 403, title: 'This request is not allowed.' },
  origin_refused: { status: 403, title: 'The request came from another site.' },
  step_up_required: { status: 403, title: 'Confirm your identity to continue.' },
  not_in_sandbox: { status: 403, title: 'Test keys cannot call this: the sandbox has no such data.' },
  not_found: { status: 404, title: 'Not found.' },
  symbol_unknown: { status: 404, title: 'The symbol is not traded here.' },
  method_not_allowed: { status: 405, title: 'The method is not allowed here.' },
  request_timeout: { status: 408, title: 'The request took too long to arrive.' },
  conflict: { status: 409, title: 'The request conflicts with what is stored.' },
  plan_locked: { status: 409, title: 'Until your plan ends, you can only change to FREE.' },
  position_refused: { status: 409, title: 'The position was not opened.' },
  order_refused: { status: 409, title: 'The order was not placed.' },
  email_taken: { status: 409, title: 'An account with this email already exists.' },
  quota_exceeded: { status: 409, title: 'File limit reached. Remove one first.' },
  username_taken: { status: 409, title: 'This username is taken.' },
  ai_rejected: { status: 409, title: 'AI: not approved' },
  link_invalid: { status: 410, title: 'This link was already used or has expired.' },
  payload_too_large: { status: 413, title: 'The request body is too large.' },
  unsupported_media_type: { status: 415, title: 'Send application/json.' },
  too_few_candles: { status: 422, title: 'Too few candles.' },
  market_not_trading: { status: 422, title: 'This market does not trade.' },
  image_refused: { status: 422, title: 'The image is invalid.' },
  payment_refused: { status: 422, title: 'The payment provider rejected the payment.' },
  no_result: { status: 422, title: 'The scan has no such result.' },
  rate_limited: { status: 429, title: 'Too many requests.' },
  ai_checks_used: { status: 429, title: 'All AI checks of this scan are used.' },
  account_locked: { status: 429, title: 'Too many failed sign-ins. Try again later.' },
  internal: { status: 500, title: 'Something failed on our side. Nothing was charged.' },
  upstream_unavailable: { status: 502, title: 'The exchange sent a faulty response.' },
  payment_provider_unavailable: { status: 502, title: 'The payment provider sent a faulty response.' },
  payment_unconfirmed: {
    status: 503,
    title: 'Payment creation is not yet confirmed. Try again shortly.',
  },
  payments_unavailable: { status: 503, title: 'This payment method is not enabled.' },
  mail_unavailable: { status: 503, title: 'This installation sends no email.' },
  starting: { status: 503, title: 'The server is starting. Try again shortly.' },
  overloaded: { status: 503, title: 'The server is busy. Try again shortly.' },
  database_unavailable: { status: 503, title: 'The database is unavailable. Try again shortly.' },
  price_stale: { status: 503, title: 'No fresh price. Try again shortly.' },
  upstream_rate_limited: { status: 503, title: 'Requests to the exchange are waiting.' },
  storage_unavailable: { status: 503, title: 'File storage is unavailable. Try again shortly.' },
  telegram_unavailable: { status: 503, title: 'Telegram is not available here.' },
  ai_offline: { status: 503, title: 'The AI check gave no verdict.' },
  deadline_exceeded: { status: 504, title: 'The work took too long and was stopped.' },
  storage_full: { status: 507, title: 'Our file storage is full.' },
} as const;

export type ApiErrorCode = keyof typeof apiErrors;

/**
 * Extra fields of an error. `field` is the input to change, `retryAfterS` becomes the Retry-After header. `exchange`: the request waits for
 * a slot at that exchange and can be repeated after `retryAfterS`.
 */
export interface Rejection {
  code: ApiErrorCode;
  message: string;
  field?: string;
  retryAfterS?: number;
  exchange?: string;
  /** Our own request limit, not the exchange's error; never sent to a client. */
  isOwnLimit?: boolean;
}

/** An error the caller can act on is a value. Bugs stay exceptions and become a 500 without detail. */
export type Outcome<T> = Result<T, Rejection>;

export const createRejection = (
  code: ApiErrorCode,
  message: string = apiErrors[code].title,
  more: Omit<Rejection, 'code' | 'message'> = {},
): Rejection => ({ code, message, ...more });
export const reject = (...rejection: Parameters<typeof createRejection>): Outcome<never> =>
  failWith(createRejection(...rejection));
