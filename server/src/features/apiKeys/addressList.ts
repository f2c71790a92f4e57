import { BlockList, isIP } from 'node:net';

/** The IPv4 address inside an IPv6 one (`::ffff:203.0.113.7`), or the address without its zone. */
const plainAddress = (address: string): string =>
  /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address.split('%', 1)[0] ?? address;

/** An address or a network in CIDR form; undefined when the text is neither. */
function parseEntry(entry: string): { address: string; bits: number; family: 'ipv4' | 'ipv6' } | undefined {
  const [address = '', bitsText, ...rest] = entry.split('/');
  const version = isIP(address);
  const bitsMax = version === 4 ? 32 : 128;
  if (version === 0 || rest.length > 0 || address.includes('%')) return undefined;
  if (bitsText !== undefined && !/^(0|[1-9]\d{0,2})$/.test(bitsText)) return undefined;
  const bits = bitsText === undefined ? bitsMax : Number(bitsText);
  if (bits > bitsMax) return undefined;
  // Clients are compared by their IPv4 address, so IPv4 networks in IPv6 notation are converted to IPv4.
  const plain = plainAddress(address);
  if (plain !== address && bits >= 96) return { address: plain, bits: bits - 96, family: 'ipv4' };
  return { address, bits, family: version === 4 ? 'ipv4' : 'ipv6' };
}

export const isAddressEntry = (entry: string): boolean => parseEntry(entry) !== undefined;

/** Whether an address is in one of the networks. An empty list allows every address. */
export function createAddressList(entries: readonly string[]): (address: string) => boolean {
  if (entries.length === 0) return () => true;
  const list = new BlockList();
  for (const entry of entries) {
    const parsed = parseEntry(entry);
    if (parsed !== undefined) list.addSubnet(parsed.address, parsed.bits, parsed.family);
  }
  return (text) => {
    const address = plainAddress(text);
    const version = isIP(address);
    return version !== 0 && list.check(address, version === 4 ? 'ipv4' : 'ipv6');
  };
}
