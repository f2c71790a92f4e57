import { failWith, ok, type Result } from '@sextant/workers/src/core/result.ts';
import type { PostFailure, PostResponse, PushKeys, PushSender } from '../../features/notifications/port.ts';
import { createGuardedClient, failureText, type GuardOptions, NotPublic } from './guardedClient.ts';
import { urlRejection } from './publicUrl.ts';
import { retryAfterOf } from './retryAfter.ts';
import { encryptPush, vapidHeader } from './webPush.ts';

const timeoutMs = 10_000;
/** A push service retains a message for a browser that is off this long, s. */
const TTL_S = 4 * 3600;
const TOKEN_S = 12 * 3600;
const responseBytesMax = 16 * 1024;

/** Of Chrome and its relatives, Firefox, Safari, Edge. */
const browserServices =
  /^(fcm\.googleapis\.com|(.+\.)?push\.services\.mozilla\.com|(.+\.)?push\.apple\.com|(.+\.)?notify\.windows\.com)$/;

export interface PushSenderOptions extends GuardOptions {
  /** Contact for push services: `mailto:` or https. */
  subject: string;
  nowMs?: () => number;
}

const failed = (kind: PostFailure['kind'], message: string): Result<never, PostFailure> => failWith({ kind, message });

/** Posts encrypted messages to the push services of browsers: public https addresses only, as for webhooks. */
export function createPushSender(options: PushSenderOptions): PushSender {
  const { subject, exceptOrigin, nowMs = Date.now } = options;
  const client = createGuardedClient('push', options);
  return {
    rejectionOf: (url) => urlRejection(url, exceptOrigin),
    isOfBrowsers: (url) => new URL(url).origin === exceptOrigin || browserServices.test(new URL(url).hostname),
    async send({ endpoint, ...browser }, keys: PushKeys, text: string) {
      const rejection = urlRejection(endpoint, exceptOrigin);
      if (rejection !== undefined) return failed('blocked', `The URL ${rejection}.`);
      const timeout = AbortSignal.timeout(timeoutMs);
      const { origin } = new URL(endpoint);
      const expiresS = Math.floor(nowMs() / 1000) + TOKEN_S;
      try {
        const response = await client.request(endpoint, {
          method: 'POST',
          signal: timeout,
          headers: {
            ttl: String(TTL_S),
            urgency: 'high',
            'content-type': 'application/octet-stream',
            'content-encoding': 'aes128gcm',
            authorization: vapidHeader(keys, { audience: origin, subject, expiresS }),
          },
          body: encryptPush(browser, text),
        });
        const { statusCode: status, headers } = response;
        await response.body.dump({ limit: responseBytesMax, signal: timeout }).catch(() => undefined);
        const value: PostResponse = { status, retryAfterS: retryAfterOf(headers['retry-after']) };
        return ok(value);
      } catch (error) {
        if (timeout.aborted) return failed('unreachable', `No response within ${timeoutMs / 1000} seconds.`);
        if (error instanceof NotPublic) return failed('blocked', 'The URL leads to a private address.');
        return failed('unreachable', failureText(error));
      }
    },
    close: client.close,
  };
}
