import { SextantError } from './errors.ts';

/** What is left of the key's hour. */
export interface RateLimit {
  /** Calls. */
  remaining: number;
  /** Seconds until the hour of the key resets. */
  resetS: number;
}

export interface RequestConfig {
  /** Address without a slash at its end. */
  baseUrl: string;
  key: string | undefined;
  timeoutMs: number;
  retryWaitMsMax: number;
  fetch: typeof fetch;
  onRateLimit: (limit: RateLimit) => void;
}

export interface Call {
  method: string;
  /** With its query. */
  path: string;
  headers: Record<string, string>;
  body: BodyInit | undefined;
  /** A second run does no harm: it only reads, or carries an idempotency key. */
  isRepeatable: boolean;
  signal: AbortSignal | undefined;
  timeoutMs: number;
}

const ATTEMPTS_MAX = 5;
const FIRST_PAUSE_MS = 250;
const PAUSE_MS_MAX = 8000;
/** The server did not do the work, or its response was lost on the way. */
const passing = new Set([502, 503, 504]);

/**
 * Sends a call, with retries. Returns the parsed body.
 * @throws {SextantError} the last failure
 */
export async function request(config: RequestConfig, call: Call): Promise<unknown> {
  const endsAtMs = performance.now() + config.retryWaitMsMax;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await sendOnce(config, call);
    } catch (error) {
      const waitMs = error instanceof SextantError ? waitBefore(error, attempt, call.isRepeatable) : undefined;
      if (waitMs === undefined || attempt === ATTEMPTS_MAX || performance.now() + waitMs > endsAtMs) throw error;
      await pause(waitMs, call.signal);
    }
  }
}

/** Ms before a retry; undefined for a failure that a retry does not change. */
function waitBefore(
  { code, status, retryAfterS }: SextantError,
  attempt: number,
  isRepeatable: boolean,
): number | undefined {
  const isLost = code === 'network' || code === 'timeout' || passing.has(status ?? 0);
  // 429 is sent before any work is done.
  if (status !== 429 && !(isLost && isRepeatable)) return undefined;
  return Math.max((retryAfterS ?? 0) * 1000, backoffMs(attempt));
}

/** Doubles from one attempt to the next; half of it is random, so that many clients do not return together. */
export function backoffMs(attempt: number): number {
  const wholeMs = Math.min(PAUSE_MS_MAX, FIRST_PAUSE_MS * 2 ** (attempt - 1));
  return wholeMs / 2 + (Math.random() * wholeMs) / 2;
}

/** @throws {SextantError} `cancelled` when the signal aborts first */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(cancelled());
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted === true) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}

const cancelled = (): SextantError => new SextantError({ code: 'cancelled', message: 'The call was cancelled.' });

async function sendOnce(config: RequestConfig, call: Call): Promise<unknown> {
  const { method, headers, body = null, signal, timeoutMs } = call;
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await config.fetch(`${config.baseUrl}${call.path}`, {
      method,
      headers: withKey(config, headers),
      body,
      // A redirect to another host would carry the key there.
      redirect: 'error',
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    });
    readRateLimit(config, response);
    if (!response.ok) throw await errorOf(response);
    return await readBody(response);
  } catch (error) {
    throw failureOf(error, { signal, timeout, timeoutMs });
  }
}

export const withKey = ({ key }: RequestConfig, headers: Record<string, string>): Record<string, string> =>
  key === undefined ? headers : { ...headers, 'x-api-key': key };

/** The failure of an attempt as an error of this package. */
export function failureOf(
  error: unknown,
  { signal, timeout, timeoutMs }: { signal: AbortSignal | undefined; timeout: AbortSignal; timeoutMs: number },
): SextantError {
  if (error instanceof SextantError) return error;
  if (signal?.aborted === true) return cancelled();
  if (timeout.aborted) return new SextantError({ code: 'timeout', message: `No response within ${timeoutMs} ms.` });
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return new SextantError({ code: 'network', message: cause instanceof Error ? cause.message : String(cause) });
}

export function readRateLimit({ onRateLimit }: RequestConfig, { headers }: Response): void {
  const [, remaining, resetS] = /;r=(\d+);t=(\d+)/.exec(headers.get('ratelimit') ?? '') ?? [];
  if (remaining !== undefined) onRateLimit({ remaining: Number(remaining), resetS: Number(resetS) });
}

async function readBody(response: Response): Promise<unknown> {
  const type = response.headers.get('content-type') ?? '';
  if (response.status === 204) return undefined;
  if (/^application\/([\w.-]+\+)?json\b/.test(type)) return parse(await response.text(), response);
  return type.startsWith('text/') ? response.text() : new Uint8Array(await response.arrayBuffer());
}

function parse(text: string, { status }: Response): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new SextantError({ code: 'bad_response', message: 'The response is not JSON.', status });
  }
}

/** The problem of a response (RFC 9457), or the status alone when a proxy sent it. */
export async function errorOf(response: Response): Promise<SextantError> {
  const { status, headers } = response;
  const text = await response.text();
  let problem: { code?: string; message?: string; field?: string; request_id?: string } = {};
  try {
    problem = JSON.parse(text) as typeof problem;
  } catch {
    // The status says enough.
  }
  return new SextantError({
    code: problem.code ?? 'bad_response',
    message: problem.message ?? `The server responded with status ${status}.`,
    status,
    field: problem.field,
    requestId: problem.request_id ?? headers.get('x-request-id') ?? undefined,
    retryAfterS: retryAfterOf(headers.get('retry-after')),
  });
}

/** Seconds of a `Retry-After`, which is a number or a date. */
export function retryAfterOf(text: string | null, nowMs = Date.now()): number | undefined {
  if (text === null || text.trim() === '') return undefined;
  const seconds = Number(text);
  if (Number.isFinite(seconds)) return Math.max(0, seconds);
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? undefined : Math.max(0, (atMs - nowMs) / 1000);
}

/** Lists are joined by commas, as the API reads them. */
export function queryOf(values: Record<string, unknown>): string {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  if (entries.length === 0) return '';
  return `?${new URLSearchParams(entries.map(([name, value]): [string, string] => [name, String(value)])).toString()}`;
}
