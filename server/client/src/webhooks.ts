import { SextantError } from './errors.ts';
import type { components } from './schema.gen.ts';

/** A message of your webhook. */
export interface WebhookMessage {
  type: components['schemas']['Webhook']['events'][number] | 'test';
  /** ISO 8601, UTC. */
  timestamp?: string;
  /** Counts the messages of a webhook: a gap means a missed message. */
  sequence?: number;
  data?: Record<string, unknown>;
  [field: string]: unknown;
}

export interface WebhookOptions {
  /** `whsec_...`, as shown when the webhook was made; two while you replace it. */
  secret: string | readonly string[];
  headers: Headers | Record<string, string | readonly string[] | undefined>;
  /** The body as it arrived: parsing and writing it changes its bytes. */
  body: string | Uint8Array;
  /** Largest difference between the clocks, seconds; 300 when absent. */
  toleranceS?: number;
  /** Epoch ms; the clock when absent. */
  nowMs?: number;
}

/**
 * Verifies a message of a webhook (Standard Webhooks) and returns it.
 * @throws {SextantError} `webhook_old` when it is outside the tolerance, `webhook_signature` when no signature fits
 */
export async function verifyWebhook(options: WebhookOptions): Promise<WebhookMessage> {
  const { secret, headers, body, toleranceS = 300, nowMs = Date.now() } = options;
  const read = (name: string): string => headerOf(headers, name);
  const [id, timestamp] = [read('webhook-id'), read('webhook-timestamp')];
  // Compared the other way round: a text that is no number is never within the tolerance.
  if (!(Math.abs(nowMs / 1000 - Number(timestamp || 'none')) <= toleranceS))
    throw new SextantError({ code: 'webhook_old', message: 'The message is old, or a clock is wrong.' });
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), bytes);
  const signatures = read('webhook-signature')
    .split(' ')
    .flatMap((each) => (each.startsWith('v1,') ? bytesOf(each.slice(3)) : []));
  for (const each of [secret].flat()) {
    const key = await hmacKey(each);
    for (const signature of signatures)
      // Web Crypto compares in constant time.
      if (await crypto.subtle.verify('HMAC', key, signature, signed))
        return JSON.parse(new TextDecoder().decode(bytes)) as WebhookMessage;
  }
  throw new SextantError({ code: 'webhook_signature', message: 'No signature fits the secret.' });
}

function headerOf(headers: WebhookOptions['headers'], name: string): string {
  if (headers instanceof Headers) return headers.get(name) ?? '';
  const entry = Object.entries(headers).find(([key]) => key.toLowerCase() === name);
  return [entry?.[1] ?? ''].flat().join(' ');
}

function hmacKey(secret: string): Promise<CryptoKey> {
  const [bytes] = bytesOf(secret.replace(/^whsec_/, ''));
  if (bytes === undefined) throw new TypeError('secret: must look like whsec_...');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

/** One array of the decoded bytes, or none when the text is not base64. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer>[] {
  try {
    return [Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0))];
  } catch {
    return [];
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(first.length + second.length);
  bytes.set(first);
  bytes.set(second, first.length);
  return bytes;
}
