export interface SextantErrorFields {
  /**
   * A code of the API (`GET /api/errors` lists them), or one of the client: `network`, `timeout`, `cancelled`, `bad_response`,
   * `webhook_old`, `webhook_signature`.
   */
  code: string;
  message: string;
  /** HTTP status; null without a response. */
  status?: number | null;
  /** The input to change, e.g. `params.entryThreshold`. */
  field?: string | undefined;
  /** Identifies the call in your call log. */
  requestId?: string | undefined;
  /** Seconds to wait before a retry, as the server stated them. */
  retryAfterS?: number | undefined;
}

/** Every failure of this package. Branch on `code`: codes are stable, texts may change. */
export class SextantError extends Error {
  override readonly name = 'SextantError';
  readonly code: string;
  readonly status: number | null;
  readonly field: string | undefined;
  readonly requestId: string | undefined;
  readonly retryAfterS: number | undefined;

  constructor({ code, message, status = null, field, requestId, retryAfterS }: SextantErrorFields) {
    super(message);
    this.code = code;
    this.status = status;
    this.field = field;
    this.requestId = requestId;
    this.retryAfterS = retryAfterS;
  }
}
