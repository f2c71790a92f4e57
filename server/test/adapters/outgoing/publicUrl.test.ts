import { describe, expect, it } from 'vitest';
import { isPublicAddress, urlRejection } from '../../../src/adapters/outgoing/publicUrl.ts';

const notPublic = 'leads to an address that is not public';

describe('an address', () => {
  it.each(['8.8.8.8', '1.1.1.1', '93.184.216.34', '2606:4700:4700::1111', '::ffff:8.8.8.8'])(
    '%s is public',
    (address) => expect(isPublicAddress(address)).toBe(true),
  );

  it.each([
    ['this machine', '127.0.0.1'],
    ['this machine, any of it', '127.255.255.254'],
    ['this machine in IPv6', '::1'],
    ['no address', '0.0.0.0'],
    ['no address in IPv6', '::'],
    ['a private network', '10.0.0.1'],
    ['a private network', '172.16.0.1'],
    ['a private network', '172.31.255.255'],
    ['a private network', '192.168.1.1'],
    ['the metadata of a cloud', '169.254.169.254'],
    ['the metadata of a cloud in IPv6', 'fd00:ec2::254'],
    ['a link', 'fe80::1'],
    ['a link with its zone', 'fe80::1%eth0'],
    ['a unique local network', 'fc00::1'],
    ['an old site', 'fec0::1'],
    ['a carrier', '100.64.0.1'],
    ['a benchmark', '198.18.0.1'],
    ['documentation', '192.0.2.1'],
    ['documentation in IPv6', '2001:db8::1'],
    ['newer documentation', '3fff::1'],
    ['an assignment of a protocol', '192.0.0.192'],
    ['a relay', '192.88.99.1'],
    ['many', '224.0.0.1'],
    ['many in IPv6', 'ff02::1'],
    ['everybody', '255.255.255.255'],
    ['the future', '240.0.0.1'],
    ['discarded', '100::1'],
    ['segments', '5f00::1'],
    ['IPv4 in IPv6', '::ffff:127.0.0.1'],
    ['IPv4 in IPv6, in hexadecimal', '::ffff:7f00:1'],
    ['IPv4 in IPv6, the old way', '::127.0.0.1'],
    ['IPv4 in IPv6, the old way, in hexadecimal', '::7f00:1'],
    ['nobody', '4000::1'],
    ['IPv4 in IPv6, translated', '::ffff:0:127.0.0.1'],
    ['NAT64', '64:ff9b::7f00:1'],
    ['a local NAT64', '64:ff9b:1::1'],
    ['6to4', '2002:7f00:1::'],
    ['Teredo', '2001::1'],
    ['nothing at all', 'not an address'],
  ])('of %s is not: %s', (_what, address) => expect(isPublicAddress(address)).toBe(false));
});

describe('a URL', () => {
  it.each([
    'https://example.com/hook?a=1',
    'https://example.com:8443/',
    'https://[2606:4700:4700::1111]/',
    'https://8.8.8.8/',
  ])('%s may be called, judged by its text', (url) => expect(urlRejection(url, undefined)).toBeUndefined());

  it.each([
    ['https://127.0.0.1/', notPublic],
    ['https://0x7f.1/', notPublic],
    ['https://2130706433/', notPublic],
    ['https://017700000001/', notPublic],
    ['https://0177.0.0.1/', notPublic],
    ['https://127.1/', notPublic],
    ['https://0/', notPublic],
    ['https://１２７.０.０.１/', notPublic],
    ['https://127。0。0。1/', notPublic],
    ['https:\\\\127.0.0.1/', notPublic],
    ['https://[::1]/', notPublic],
    ['https://[::]/', notPublic],
    ['https://[::ffff:127.0.0.1]/', notPublic],
    ['https://[::ffff:7f00:1]/', notPublic],
    ['https://[::127.0.0.1]/', notPublic],
    ['https://[64:ff9b::7f00:1]/', notPublic],
    ['https://[2002:7f00:1::]/', notPublic],
    ['https://[fe80::1]/', notPublic],
    ['https://[fd00:ec2::254]/latest/meta-data', notPublic],
    ['https://169.254.169.254/latest/meta-data', notPublic],
    ['https://10.0.0.1/', notPublic],
    ['https://192.168.0.1/', notPublic],
    ['https://172.20.0.1/', notPublic],
    ['https://100.64.1.1/', notPublic],
    ['https://224.0.0.1/', notPublic],
    ['https://255.255.255.255/', notPublic],
    ['https://localhost/', notPublic],
    ['https://LOCALHOST./', notPublic],
    ['https://a.localhost/', notPublic],
    ['http://example.com/', 'must start with https://'],
    ['http://127.0.0.1/', 'must start with https://'],
    ['ftp://example.com/', 'must start with https://'],
    ['file:///etc/passwd', 'must start with https://'],
    ['gopher://127.0.0.1/', 'must start with https://'],
    ['javascript:alert(1)', 'must start with https://'],
    ['https://example.com:5432/', 'must use port 443 or 8443'],
    ['https://example.com:22/', 'must use port 443 or 8443'],
    ['https://someone@example.com/', 'must not carry a user or a password'],
    ['https://127.0.0.1@example.com/', 'must not carry a user or a password'],
    ['https://user:password@example.com/', 'must not carry a user or a password'],
    ['example.com/hook', 'is not a URL'],
    ['https://', 'is not a URL'],
    ['https://999.1.1.1/', 'is not a URL'],
  ])('%s is rejected: it %s', (url, why) => expect(urlRejection(url, undefined)).toBe(why));

  it("of a demo's receiver is the only exception, including the port", () => {
    const receiver = 'http://127.0.0.1:4000';
    expect(urlRejection('http://127.0.0.1:4000/hook', receiver)).toBeUndefined();
    expect(urlRejection('http://127.0.0.1:4001/hook', receiver)).toBe('must start with https://');
    expect(urlRejection('http://localhost:4000/hook', receiver)).toBe('must start with https://');
    expect(urlRejection('https://127.0.0.1:4000/hook', receiver)).toBe('must use port 443 or 8443');
  });
});
