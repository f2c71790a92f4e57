import { WEBHOOK_RESPONSE_S } from '@sextant/workers/src/core/webhooks.ts';
import { failWith, ok, type Result } from '@sextant/workers/src/core/result.ts';
import type { PostFailure, WebhookPoster } from '../../features/notifications/port.ts';
import { createGuardedClient, failureText, type GuardOptions, NotPublic } from './guardedClient.ts';
import { urlRejection } from './publicUrl.ts';
import { retryAfterOf } from './retryAfter.ts';

const responseBytesMax = 16 * 1024;

export interface WebhookPosterOptions extends GuardOptions {
  totalTimeoutMs?: number;
}

/** Posts to user-supplied URLs. Redirects are not followed, and response bodies are discarded. */
export function createWebhookPoster(options: WebhookPosterOptions = {}): WebhookPoster {
  const { exceptOrigin, totalTimeoutMs = WEBHOOK_RESPONSE_S * 1000 } = options;
  const client = createGuardedClient('webhooks', options);
  return {
    rejectionOf: (url) => urlRejection(url, exceptOrigin),
    async post(url, headers, body) {
      // Checked at each attempt: the rules may be stricter than when the URL was stored. IP addresses in URLs skip the DNS check.
      const rejection = urlRejection(url, exceptOrigin);
      if (rejection !== undefined) return failed('blocked', `The URL ${rejection}.`);
      const timeout = AbortSignal.timeout(totalTimeoutMs);
      try {
        const response = await client.request(url, {
          method: 'POST',
          signal: timeout,
          headers: { ...headers, 'content-type': 'application/json', 'user-agent': 'Sextant-Webhooks/1' },
          body,
        });
        const { statusCode: status, headers: responded } = response;
        // Read the body to free the connection, up to the limit.
        await response.body.dump({ limit: responseBytesMax, signal: timeout }).catch(() => undefined);
        return ok({ status, retryAfterS: retryAfterOf(responded['retry-after']) });
      } catch (error) {
        return failureOf(error, timeout);
      }
    },
    close: client.close,
  };
}

const failed = (kind: PostFailure['kind'], message: string): Result<never, PostFailure> => failWith({ kind, message });

function failureOf(error: unknown, timeout: AbortSignal): Result<never, PostFailure> {
  if (timeout.aborted) return failed('unreachable', `No response within ${WEBHOOK_RESPONSE_S} seconds.`);
  if (error instanceof NotPublic) return failed('blocked', 'The URL leads to a private address.');
  return failed('unreachable', failureText(error));
}
