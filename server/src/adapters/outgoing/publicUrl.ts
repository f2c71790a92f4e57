import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

const portsAllowed = new Set(['', '443', '8443']);

/** Whether an address is public: not this machine, its network, or a tunnel into either. */
export function isPublicAddress(address: string): boolean {
  // An IPv4 address inside an IPv6 one is judged as what it is.
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast') return false;
  // What is given out in IPv6 begins with 001; `::7f00:1`, the old way to write 127.0.0.1, does not.
  return parsed instanceof ipaddr.IPv4 || ((parsed.parts[0] ?? 0) & 0xe000) === 0x2000;
}

/**
 * Why a URL people typed may not be called; undefined when it may, as far as its text tells. What its name resolves to is checked
 * when the connection is made. `exceptOrigin` is the receiver of a demo on this machine.
 */
export function urlRefusal(text: string, exceptOrigin: string | undefined): string | undefined {
  if (!URL.canParse(text)) return 'is not a URL';
  // Checked after parsing: `0x7f.1`, `2130706433` and full-width digits have become 127.0.0.1 by then.
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return 'must not carry a user or a password';
  if (exceptOrigin !== undefined && url.origin === exceptOrigin) return undefined;
  if (url.protocol !== 'https:') return 'must start with https://';
  if (!portsAllowed.has(url.port)) return 'must use port 443 or 8443';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0 && !isPublicAddress(host)) return 'leads to an address that is not public';
  if (/(^|\.)localhost\.?$/.test(host)) return 'leads to an address that is not public';
  return undefined;
}
