import type { Agent } from 'undici';
import { request } from 'undici';
import { z } from 'zod';
import type { ProviderFailure, ProviderResult } from '../../features/payments/port.ts';

export interface ProviderCall {
  url: URL;
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  body?: object;
  dispatcher: Agent;
  timeoutMs: number;
}

const answerBytesMax = 4 * 1024 * 1024;
const retryAfterS = 10;

const ErrorBody = z.object({ message: z.string().min(1).max(2000) });
/** Failures that come before the request was sent: it was not carried out. */
const unsent = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);
const belowMinimum = /minim|too small|less than/i;

const unclear = (message: string): { ok: false; failure: ProviderFailure } => ({
  ok: false,
  failure: { kind: 'unclear', message },
});
const busy = (message: string, waitS = retryAfterS): { ok: false; failure: ProviderFailure } => ({
  ok: false,
  failure: { kind: 'busy', message, retryAfterS: waitS },
});

/**
 * One call with a deadline for the whole answer and without redirects. Whether a failed call was carried out is kept apart: only a
 * `refused` or `busy` one was not.
 */
export async function callProvider(call: ProviderCall): Promise<ProviderResult<unknown>> {
  try {
    const response = await request(call.url, {
      method: call.method,
      dispatcher: call.dispatcher,
      signal: AbortSignal.timeout(call.timeoutMs),
      headers: call.body === undefined ? call.headers : { ...call.headers, 'content-type': 'application/json' },
      body: call.body === undefined ? null : JSON.stringify(call.body),
    });
    let text = '';
    for await (const chunk of response.body) {
      text += String(chunk);
      if (text.length > answerBytesMax) return unclear('The answer is too long.');
    }
    return judge(response.statusCode, response.headers['retry-after'], text);
  } catch (error) {
    // An error of the client may name the URL, and with it a key: only its code is passed on.
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'no answer';
    return unsent.has(code)
      ? busy(`The payment provider is not reachable (${code}).`)
      : unclear(`No answer in time (${code}).`);
  }
}

function judge(status: number, retryAfter: string | string[] | undefined, text: string): ProviderResult<unknown> {
  const body = parseJson(text);
  if (status >= 200 && status < 300) {
    return body === undefined ? unclear('The answer cannot be read.') : { ok: true, value: body };
  }
  const waitS = Number(retryAfter);
  if (status === 429)
    return busy('The payment provider asked us to slow down.', waitS > 0 && waitS < 3600 ? waitS : retryAfterS);
  // The keys of this installation are wrong, or its address is not allowed: nothing a buyer could change.
  if (status === 401 || status === 403)
    return busy(`The payment provider does not accept this installation (${status}).`, 60);
  if (status >= 500) return unclear(`The payment provider failed (${status}).`);
  if (status >= 300 && status < 400) return busy('The payment provider has moved.', 60);
  const said = ErrorBody.safeParse(body);
  if (!said.success) return busy(`The payment provider refused without a reason (${status}).`);
  const message = said.data.message.slice(0, 300);
  return { ok: false, failure: { kind: 'refused', status, message, isBelowMinimum: belowMinimum.test(message) } };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
