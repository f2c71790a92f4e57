import { failWith } from '@sextant/workers/src/core/result.ts';
import { z } from 'zod';
import type { ProviderFailure, ProviderResult } from '../../features/payments/port.ts';
import { createHttpPool } from '../../platform/httpPool.ts';

export interface ProviderCall {
  /** Relative to the base URL. */
  path: string;
  /** POST when present, GET otherwise. */
  body?: object;
  headers?: Record<string, string>;
}

export interface ProviderClient {
  call: (call: ProviderCall) => Promise<ProviderResult<unknown>>;
  close: () => Promise<void>;
}

const responseBytesMax = 4 * 1024 * 1024;
const retryAfterS = 10;

const ErrorBody = z.object({ message: z.string().min(1).max(2000) });
/** Errors before the request was sent: it was not executed. */
const unsent = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);
const belowMinimum = /minim|too small|less than/i;

type Failed = ProviderResult<never>;
const unclear = (message: string): Failed => failWith<ProviderFailure>({ kind: 'unclear', message });
const busy = (status: number | null, message: string, waitS = retryAfterS): Failed =>
  failWith<ProviderFailure>({ kind: 'busy', status, message, retryAfterS: waitS });

/**
 * HTTP client of one provider. The deadline of a call covers the whole response; redirects are not followed. Only failures of the kinds
 * `refused` and `busy` guarantee that the call was not executed.
 */
export function createProviderClient(options: {
  /** Its name in metrics. */
  service?: string;
  baseUrl: string;
  timeoutMs: number;
  connections: number;
}): ProviderClient {
  const { service = 'payments', baseUrl, timeoutMs, connections } = options;
  const pool = createHttpPool(service, { connect: { timeout: 5000 }, keepAliveTimeout: 10_000, connections });

  async function call({ path, body, headers = {} }: ProviderCall): Promise<ProviderResult<unknown>> {
    try {
      const response = await pool.request(new URL(path, baseUrl), {
        method: body === undefined ? 'GET' : 'POST',
        signal: AbortSignal.timeout(timeoutMs),
        headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
        body: body === undefined ? null : JSON.stringify(body),
      });
      let text = '';
      for await (const chunk of response.body) {
        text += String(chunk);
        if (text.length > responseBytesMax) return unclear('The response is too long.');
      }
      return judge(response.statusCode, response.headers['retry-after'], text);
    } catch (error) {
      // The client's error may contain the URL and with it a key: pass on only its code.
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'no response';
      return unsent.has(code)
        ? busy(null, `The payment provider is not reachable (${code}).`)
        : unclear(`The payment provider timed out (${code}).`);
    }
  }

  return { call, close: pool.destroy };
}

/** Parses a response with its schema. */
export function readResponse<T extends z.ZodType>(
  schema: T,
  result: ProviderResult<unknown>,
): ProviderResult<z.output<T>> {
  if (!result.ok) return result;
  const read = schema.safeParse(result.value);
  return read.success ? { ok: true, value: read.data } : unclear('The response has an unexpected format.');
}

function judge(status: number, retryAfter: string | string[] | undefined, text: string): ProviderResult<unknown> {
  const body = parseJson(text);
  if (status >= 200 && status < 300) {
    return body === undefined ? unclear('The response is unreadable.') : { ok: true, value: body };
  }
  const waitS = Number(retryAfter);
  if (status === 429)
    return busy(status, 'The payment provider limits our requests.', waitS > 0 && waitS < 3600 ? waitS : retryAfterS);
  // Our keys are wrong or our IP address is not allowed: the buyer can do nothing about it.
  if (status === 401 || status === 403)
    return busy(status, `The payment provider rejected our credentials (${status}).`, 60);
  if (status >= 500) return unclear(`The payment provider failed (${status}).`);
  if (status >= 300 && status < 400) return busy(status, 'The payment provider has moved.', 60);
  const said = ErrorBody.safeParse(body);
  if (!said.success) return busy(status, `The payment provider rejected the request without a reason (${status}).`);
  const message = said.data.message.slice(0, 300);
  return failWith({ kind: 'refused', status, message, isBelowMinimum: belowMinimum.test(message) });
}

/** Undefined when the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
