interface FailureFields {
  code: string;
  /** HTTP status; 0 when there was no response. */
  status: number;
  message: string;
  /** The input to change, by its name in the request. */
  field?: string | undefined;
  requestId?: string | undefined;
  /** Message of an outside service, when the error came from it. */
  providerDetail?: string | undefined;
  /** Seconds to wait before a retry. */
  retryAfterS?: number | undefined;
  /** The exchange at which the request waits for a slot. */
  exchange?: string | undefined;
  /** Present state of what changed meanwhile, of a conflict that sends it. */
  current?: unknown;
}

/** An error whose message is written for the screen. Every other error is a bug, and its message stays in the console. */
export class WordedError extends Error {}

/** An error of the API. `code` is one of docs/errors.md or `unreachable`; `message` is fit for the screen. */
export class ApiFailure extends WordedError {
  readonly code: string;
  readonly status: number;
  readonly field: string | undefined;
  readonly requestId: string | undefined;
  readonly providerDetail: string | undefined;
  readonly retryAfterS: number | undefined;
  readonly exchange: string | undefined;
  readonly current: unknown;

  constructor(fields: FailureFields) {
    super(fields.message);
    this.name = 'ApiFailure';
    this.code = fields.code;
    this.status = fields.status;
    this.field = fields.field;
    this.requestId = fields.requestId;
    this.providerDetail = fields.providerDetail;
    this.retryAfterS = fields.retryAfterS;
    this.exchange = fields.exchange;
    this.current = fields.current;
  }
}

/** The server was not reached: the network is down, or the request timed out. */
export const isUnreachable = (thrown: unknown): boolean =>
  thrown instanceof ApiFailure && thrown.code === 'unreachable';

/** The request may have been carried out all the same: its response was lost, or is not that of the server's handler. */
export const isUnconfirmed = (thrown: unknown): boolean =>
  !(thrown instanceof ApiFailure) || thrown.status < 400 || thrown.status >= 500;

const textOf = (body: Record<string, unknown>, key: string): string | undefined => {
  const value = body[key];
  return typeof value === 'string' && value !== '' ? value : undefined;
};

/** Only the product's own server sends problem documents with a code; proxies and network sign-in pages send others. */
function problemOf(response: Response, body: unknown): Record<string, unknown> {
  const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json') === true;
  const isOurs = isProblem && typeof body === 'object' && body !== null && 'code' in body;
  return isOurs ? { ...body } : {};
}

/** Reads a problem document (RFC 9457 with our `code`). Other responses give no message: the caller's fallback is shown. */
export function failureOf(response: Response, problem: unknown): ApiFailure {
  const body = problemOf(response, problem);
  const wait = Number(response.headers.get('retry-after'));
  return new ApiFailure({
    code: textOf(body, 'code') ?? 'internal',
    status: response.status,
    message: textOf(body, 'detail') ?? textOf(body, 'message') ?? '',
    field: textOf(body, 'field'),
    exchange: textOf(body, 'exchange'),
    current: body.current,
    requestId: textOf(body, 'request_id'),
    providerDetail: textOf(body, 'provider_detail'),
    retryAfterS: Number.isFinite(wait) && wait > 0 ? wait : undefined,
  });
}

/** Text shown for any thrown value: its message when it is written for the screen, else `fallback`. */
export function messageOf(thrown: unknown, fallback: string): string {
  return thrown instanceof WordedError && thrown.message !== '' ? thrown.message : fallback;
}

/** `Failed to update username: this username is taken.`: what failed, then why, with the server's message. */
export function failureText(what: string, failure: unknown): string {
  const reason = messageOf(failure, '');
  return reason === '' ? what : `${what}: ${reason}`;
}
