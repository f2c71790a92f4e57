import { lookup as systemLookup } from 'node:dns';
import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { createHttpPool, type HttpPool } from '../../platform/httpPool.ts';
import { isPublicAddress } from './publicUrl.ts';

const connectMs = 5000;

export type Resolve = (
  host: string,
  /** Node omits the addresses on error, contrary to its types. */
  done: (error: NodeJS.ErrnoException | null, addresses?: LookupAddress[]) => void,
) => void;

export interface GuardOptions {
  /** Origin of a local stand-in of a demo: the only non-public address that is allowed. */
  exceptOrigin?: string | undefined;
  /** The system resolver when absent. */
  resolve?: Resolve;
}

/** The host name resolves to an address that is not public. */
export class NotPublic extends Error {}

const resolveBySystem: Resolve = (host, done) => systemLookup(host, { all: true, order: 'verbatim' }, done);

/**
 * Connects only to the addresses that were checked: resolves a name once and rejects it when any address is not public. Checking first
 * and connecting by name would resolve twice, and the second result may differ.
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

/** Client for user-supplied URLs. Check the URL with `urlRejection` first: IP addresses in it skip the DNS check. @param service its name in metrics */
export function createGuardedClient(
  service: string,
  { exceptOrigin, resolve = resolveBySystem }: GuardOptions,
): Pick<HttpPool, 'request' | 'close'> {
  const lookup = checkedLookup(resolve);
  const guarded = createHttpPool(service, { connect: { timeout: connectMs, lookup }, keepAliveTimeout: 1000 });
  const plain = createHttpPool(service, { connect: { timeout: connectMs }, keepAliveTimeout: 1000 });
  return {
    request: (url, options) => (new URL(url).origin === exceptOrigin ? plain : guarded).request(url, options),
    close: async () => {
      await Promise.all([guarded.destroy(), plain.destroy()]);
    },
  };
}

const reasons: Record<string, string> = {
  ENOTFOUND: 'Unknown host name.',
  EAI_AGAIN: 'DNS lookup failed.',
  ECONNREFUSED: 'The host refused the connection.',
  UND_ERR_CONNECT_TIMEOUT: 'No connection within 5 seconds.',
  CERT_HAS_EXPIRED: 'The certificate of the host has expired.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate of the host is self-signed.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate of the host is for another name.',
};

/** Why no response arrived, as a message for users. */
export function failureText(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return reasons[code] ?? 'The connection failed.';
}
