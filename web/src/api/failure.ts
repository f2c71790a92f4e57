interface FailureFields {
  code: string;
  /** HTTP status; 0 when there was no answer. */
  status: number;
  message: string;
  /** The input to change, in the request's own names. */
  field?: string | undefined;
  requestId?: string | undefined;
  /** Seconds the server asks to wait. */
  retryAfterS?: number | undefined;
}

/** A refusal of the API. `code` is one of docs/errors.md or `unreachable`; `message` can be shown as it is. */
export class ApiFailure extends Error {
  readonly code: string;
  readonly status: number;
  readonly field: string | undefined;
  readonly requestId: string | undefined;
  readonly retryAfterS: number | undefined;

  constructor(fields: FailureFields) {
    super(fields.message);
    this.name = 'ApiFailure';
    this.code = fields.code;
    this.status = fields.status;
    this.field = fields.field;
    this.requestId = fields.requestId;
    this.retryAfterS = fields.retryAfterS;
  }
}

/** The server was not reached: the network is away, or it took too long. */
export const isUnreachable = (thrown: unknown): boolean =>
  thrown instanceof ApiFailure && thrown.code === 'unreachable';

const textOf = (body: Record<string, unknown>, key: string): string | undefined => {
  const value = body[key];
  return typeof value === 'string' && value !== '' ? value : undefined;
};

/** Reads a problem document (RFC 9457 with our `code`); an answer of another kind, a proxy's page say, still gets words. */
export function failureOf(response: Response, problem: unknown): ApiFailure {
  const body = (typeof problem === 'object' && problem !== null ? problem : {}) as Record<string, unknown>;
  const wait = Number(response.headers.get('retry-after'));
  return new ApiFailure({
    code: textOf(body, 'code') ?? 'internal',
    status: response.status,
    message: textOf(body, 'message') ?? textOf(body, 'detail') ?? `The server answered with status ${response.status}.`,
    field: textOf(body, 'field'),
    requestId: textOf(body, 'request_id'),
    retryAfterS: Number.isFinite(wait) && wait > 0 ? wait : undefined,
  });
}

/** What to show for any thrown thing; `fallback` for what is not ours to explain. */
export function messageOf(thrown: unknown, fallback: string): string {
  return thrown instanceof ApiFailure && thrown.message !== '' ? thrown.message : fallback;
}
