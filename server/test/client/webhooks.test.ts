import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { verifyWebhook, type WebhookOptions } from '../../client/src/webhooks.ts';

interface Vector {
  secret: string;
  id: string;
  timestamp: string;
  body: string;
  signature: string;
}
/** The test vectors that the help publishes. */
async function readVectors(): Promise<Vector[]> {
  const article = await readFile(new URL('../../../docs/help/webhook-signatures.md', import.meta.url), 'utf8');
  return JSON.parse(/```json\n([^]*?)```/.exec(article)?.[1] ?? '[]') as Vector[];
}
const optionsOf = ({ secret, id, timestamp, body, signature }: Vector): WebhookOptions => ({
  secret,
  headers: { 'Webhook-Id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature },
  body,
  nowMs: Number(timestamp) * 1000,
});
const codeOf = (options: WebhookOptions): Promise<string> =>
  verifyWebhook(options).then(
    () => 'verified',
    (error: unknown) => (error as { code: string }).code,
  );

describe('a message of a webhook', () => {
  it('PKG-048 is verified by the published vectors, as text and as bytes, with one of two secrets', async () => {
    const vectors = await readVectors();
    expect(vectors).toHaveLength(2);
    for (const vector of vectors) {
      const options = optionsOf(vector);
      expect(await verifyWebhook(options)).toEqual(JSON.parse(vector.body));
      expect(await codeOf({ ...options, body: new TextEncoder().encode(vector.body) })).toBe('verified');
      const other = `whsec_${btoa('another secret')}`;
      expect(await codeOf({ ...options, secret: [other, vector.secret] })).toBe('verified');
      expect(await codeOf({ ...options, secret: other })).toBe('webhook_signature');
      const both = new Headers({
        'webhook-id': vector.id,
        'webhook-timestamp': vector.timestamp,
        'webhook-signature': `v1,AAAA v2,x ${vector.signature}`,
      });
      expect(await codeOf({ ...options, headers: both })).toBe('verified');
    }
  });

  it('PKG-048 is rejected when a byte, the id or the time was changed, or the time is far away', async () => {
    for (const vector of await readVectors()) {
      const options = optionsOf(vector);
      expect(await codeOf({ ...options, body: vector.body.replace('"type"', '"tYpe"') })).toBe('webhook_signature');
      for (const change of [{ id: 'msg_2' }, { timestamp: String(Number(vector.timestamp) + 1) }, { signature: '' }])
        expect(await codeOf({ ...optionsOf({ ...vector, ...change }) })).toBe('webhook_signature');
      const atMs = Number(vector.timestamp) * 1000;
      for (const nowMs of [atMs + 301_000, atMs - 301_000])
        expect(await codeOf({ ...options, nowMs })).toBe('webhook_old');
      expect(await codeOf({ ...options, nowMs: atMs + 299_000 })).toBe('verified');
      expect(await codeOf({ ...options, nowMs: atMs + 301_000, toleranceS: 400 })).toBe('verified');
      expect(await codeOf(optionsOf({ ...vector, timestamp: 'soon' }))).toBe('webhook_old');
    }
  });
});
