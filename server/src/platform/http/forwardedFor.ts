import { isIP } from 'node:net';
import type { onRequestHookHandler } from 'fastify';

/** Maximum number of proxies between a client and us. */
const hopsMax = 20;

/** An address of X-Forwarded-For, which may have a port; undefined for any other text. */
function addressOf(text: string): string | undefined {
  const trimmed = text.trim();
  const bare =
    /^\[([\da-f:.]+)\](?::\d{1,5})?$/i.exec(trimmed)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(trimmed)?.[1] ?? trimmed;
  // The zone of an IPv6 address may hold any text, and means nothing to another host.
  return isIP(bare) === 0 || bare.includes('%') ? undefined : bare;
}

/** The valid addresses at the end of the header, where each proxy appends one. Anything before an invalid entry is untrusted. */
export function forwardedAddresses(header: string): string[] {
  const matches: string[] = [];
  for (const part of header.split(',').slice(-hopsMax).toReversed()) {
    const address = addressOf(part);
    if (address === undefined) break;
    matches.unshift(address);
  }
  return matches;
}

/** Removes all but addresses from X-Forwarded-For before any code reads the client address. For servers behind a trusted proxy. */
export const keepForwardedAddresses: onRequestHookHandler = ({ raw: { headers } }, _reply, done) => {
  const header = headers['x-forwarded-for'];
  if (header !== undefined) {
    const addresses = forwardedAddresses(String(header));
    if (addresses.length === 0) delete headers['x-forwarded-for'];
    else headers['x-forwarded-for'] = addresses.join(', ');
  }
  done();
};
