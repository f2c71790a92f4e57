import { isIP } from 'node:net';
import type { onRequestHookHandler } from 'fastify';

/** Proxies between a client and us, at most. */
const hopsMax = 20;

/** An address of X-Forwarded-For, which may carry a port; undefined for any other text. */
function addressOf(text: string): string | undefined {
  const trimmed = text.trim();
  const bare =
    /^\[([\da-f:.]+)\](?::\d{1,5})?$/i.exec(trimmed)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(trimmed)?.[1] ?? trimmed;
  return isIP(bare) === 0 ? undefined : bare;
}

/** The addresses at the end of the header: each proxy appends one. What stands before a text that is no address was written by anyone. */
export function forwardedAddresses(header: string): string[] {
  const found: string[] = [];
  for (const part of header.split(',').slice(-hopsMax).toReversed()) {
    const address = addressOf(part);
    if (address === undefined) break;
    found.unshift(address);
  }
  return found;
}

/** Leaves only addresses in X-Forwarded-For, before any code reads the address of the client. For servers behind a trusted proxy. */
export const keepForwardedAddresses: onRequestHookHandler = ({ raw: { headers } }, _reply, done) => {
  const header = headers['x-forwarded-for'];
  if (header !== undefined) {
    const addresses = forwardedAddresses(String(header));
    if (addresses.length === 0) delete headers['x-forwarded-for'];
    else headers['x-forwarded-for'] = addresses.join(', ');
  }
  done();
};
