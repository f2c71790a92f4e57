import { lookup as systemLookup } from 'node:dns';
import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { once } from '../../platform/once.ts';
import type { PostResult, WebhookPoster } from '../../features/notifications/port.ts';
import { isPublicAddress, urlRefusal } from './publicUrl.ts';

const connectMs = 5000;
const totalMs = 10_000;
const answerBytesMax = 16 * 1024;

export type Resolve = (
  host: string,
  /** Node leaves the addresses out when there is an error, which its types do not say. */
  done: (error: NodeJS.ErrnoException | null, addresses?: LookupAddress[]) => void,
) => void;

export interface WebhookPosterOptions {
  /** Origin of the receiver a demo runs on this machine: the only address that is called without being public. */
  exceptOrigin?: string | undefined;
  /** The system's resolver when absent. */
  resolve?: Resolve;
  totalTimeoutMs?: number;
}

class NotPublic extends Error {}

const resolveBySystem: Resolve = (host, done) => systemLookup(host, { all: true, order: 'verbatim' }, done);

/**
 * The connection goes to the very addresses that were checked: a name is resolved once for it, and one address that is not public
 * refuses them all. Resolving first and connecting by name afterwards would resolve twice, and the second answer may differ.
 */
function checkedLookup(resolve: Resolve): LookupFunction {
  return (host, options, done) => {
    resolve(host, (error, addresses = []) => {
      const [first] = addresses;
      if (error !== null) done(error, []);
      else if (first === undefined || !addresses.every(({ address }) => isPublicAddress(address)))
        done(new NotPublic(host), []);
      else if (options.all === true) done(null, addresses);
      else done(null, first.address, first.family);
    });
  };
}

/** Posts to URLs people typed. Redirects are an answer like any other, and nothing of an answer's body is kept. */
export function createWebhookPoster(options: WebhookPosterOptions = {}): WebhookPoster {
  const { exceptOrigin, resolve = resolveBySystem, totalTimeoutMs = totalMs } = options;
  const opened = once(async () => {
    const { Agent, request } = await import('undici');
    const lookup = checkedLookup(resolve);
    return {
      request,
      guarded: new Agent({ connect: { timeout: connectMs, lookup }, keepAliveTimeout: 1000 }),
      plain: new Agent({ connect: { timeout: connectMs }, keepAliveTimeout: 1000 }),
    };
  });
  let isUsed = false;
  return {
    refusalOf: (url) => urlRefusal(url, exceptOrigin),
    async post(url, headers, body): Promise<PostResult> {
      // Again at each attempt: the rules may have become stricter since the URL was stored. An address is not looked up.
      const refusal = urlRefusal(url, exceptOrigin);
      if (refusal !== undefined) return { kind: 'blocked', message: `The URL ${refusal}.` };
      const timeout = AbortSignal.timeout(totalTimeoutMs);
      isUsed = true;
      try {
        const { request, guarded, plain } = await opened();
        const response = await request(url, {
          method: 'POST',
          dispatcher: new URL(url).origin === exceptOrigin ? plain : guarded,
          signal: timeout,
          headers: { ...headers, 'content-type': 'application/json', 'user-agent': 'Sextant-Webhooks/1' },
          body,
        });
        const { statusCode: status, headers: answered } = response;
        // Read to its end so that the connection can go, but never more than this.
        await response.body.dump({ limit: answerBytesMax, signal: timeout }).catch(() => undefined);
        return { kind: 'answered', status, retryAfterS: retryAfterOf(answered['retry-after']) };
      } catch (error) {
        return failureOf(error, timeout);
      }
    },
    close: async () => {
      if (!isUsed) return;
      const { guarded, plain } = await opened();
      await Promise.all([guarded.destroy(), plain.destroy()]);
    },
  };
}

function failureOf(error: unknown, timeout: AbortSignal): PostResult {
  if (timeout.aborted) return { kind: 'unreachable', message: 'No answer within 10 seconds.' };
  if (error instanceof NotPublic)
    return { kind: 'blocked', message: 'The URL leads to an address that is not public.' };
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return { kind: 'unreachable', message: reasons[code] ?? 'The connection failed.' };
}

const reasons: Record<string, string> = {
  ENOTFOUND: 'The name of the host is not known.',
  EAI_AGAIN: 'The name of the host could not be looked up.',
  ECONNREFUSED: 'The host refused the connection.',
  UND_ERR_CONNECT_TIMEOUT: 'No connection within 5 seconds.',
  CERT_HAS_EXPIRED: 'The certificate of the host has expired.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate of the host is self-signed.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate of the host is for another name.',
};

/** Seconds, or the time until a date; undefined when there is neither. */
function retryAfterOf(header: string | string[] | undefined): number | undefined {
  if (typeof header !== 'string') return undefined;
  const seconds = /^\d{1,6}$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : undefined;
}
