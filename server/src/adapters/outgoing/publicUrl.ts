import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

const portsAllowed = new Set(['', '443', '8443']);

/** Whether an address is public: not this host, its network, or a tunnel into either. */
export function isPublicAddress(address: string): boolean {
  // An IPv4-mapped IPv6 address is judged as IPv4.
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast') return false;
  // Allocated IPv6 addresses start with bits 001; `::7f00:1`, the old notation of 127.0.0.1, does not.
  return parsed instanceof ipaddr.IPv4 || ((parsed.parts[0] ?? 0) & 0xe000) === 0x2000;
}

/**
 * Why a user-supplied URL must not be called; undefined when its text is allowed. Resolved addresses are checked on connect.
 * @param exceptOrigin receiver of a demo on this host
 */
export function urlRejection(text: string, exceptOrigin: string | undefined): string | undefined {
  if (!URL.canParse(text)) return 'is not a URL';
  // Checked after parsing, which turns `0x7f.1`, `2130706433` and full-width digits into 127.0.0.1.
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
