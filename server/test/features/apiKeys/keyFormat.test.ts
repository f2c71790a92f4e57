import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createAddressList, isAddressEntry } from '../../../src/features/apiKeys/addressList.ts';
import { createKey, hashKey, maskKey, readPublicId } from '../../../src/features/apiKeys/keyFormat.ts';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const valueOf = (text: string): number => text.split('').reduce((sum, digit) => sum * 62 + digits.indexOf(digit), 0);

describe('KEY-013 the form of a key', () => {
  it.each(['live', 'test'] as const)('%s: is one word with a public id, 43 random characters and a CRC-32', (mode) => {
    const { key, publicId, last4, secretHash } = createKey(mode);
    expect(key).toMatch(new RegExp(`^sx_${mode}_[0-9A-Za-z]{8}_[0-9A-Za-z]{49}$`));
    expect(valueOf(key.slice(-6))).toBe(crc32(key.slice(0, -6)));
    expect(readPublicId(key)).toBe(publicId);
    expect(key.slice(8, 16)).toBe(publicId);
    expect(hashKey(key).toString('hex')).toBe(secretHash);
    expect(maskKey(mode, publicId, last4)).toBe(`sx_${mode}_${publicId}_…${key.slice(-4)}`);
  });

  it('is never generated twice', () => {
    const keys = new Set(Array.from({ length: 500 }, () => createKey('live').key));
    expect(keys.size).toBe(500);
  });

  it('is rejected after any typing error, without querying the database', () => {
    const { key } = createKey('live');
    expect(readPublicId(key.replace('live', 'test'))).toBeUndefined();
    for (let at = 0; at < key.length; at += 1) {
      const wrong = key[at] === 'a' ? 'b' : 'a';
      expect(readPublicId(key.slice(0, at) + wrong + key.slice(at + 1)), String(at)).toBeUndefined();
    }
    for (const text of ['', 'sx_live_', `${key} `, `${key}x`, key.slice(1), key.toLowerCase()])
      expect(readPublicId(text), text).toBeUndefined();
  });
});

describe('KEY-016 the list of addresses', () => {
  it.each([
    [[], '203.0.113.7', true],
    [['203.0.113.7'], '203.0.113.7', true],
    [['203.0.113.7'], '203.0.113.8', false],
    [['203.0.113.0/24'], '203.0.113.255', true],
    [['203.0.113.0/24'], '203.0.114.0', false],
    [['203.0.113.7'], '::ffff:203.0.113.7', true],
    [['203.0.113.0/24'], '::ffff:198.51.100.1', false],
    [['::ffff:203.0.113.0/120'], '203.0.113.9', true],
    [['::ffff:203.0.113.0/120'], '203.0.114.9', false],
    [['::ffff:203.0.113.7'], '::ffff:203.0.113.7', true],
    [['2001:db8::/32'], '2001:db8:ffff::1', true],
    [['2001:db8::/32'], '2001:db9::1', false],
    [['2001:db8::1'], '2001:0db8:0:0:0:0:0:1', true],
    [['2001:db8::/32'], '203.0.113.7', false],
    [['0.0.0.0/0'], '8.8.8.8', true],
    [['0.0.0.0/0'], '2001:db8::1', false],
    [['10.0.0.0/8', '192.168.1.1'], '192.168.1.1', true],
    [['203.0.113.7'], 'not an address', false],
  ])('%j allows %s: %s', (entries, address, isIn) => {
    expect(createAddressList(entries)(address)).toBe(isIn);
  });

  it.each(['203.0.113.7', '203.0.113.0/24', '0.0.0.0/0', '2001:db8::/32', '::1', '::/0'])('accepts %s', (entry) => {
    expect(isAddressEntry(entry)).toBe(true);
  });
  it.each([
    '',
    'localhost',
    '203.0.113',
    '203.0.113.7/33',
    '2001:db8::/129',
    '203.0.113.7/',
    '203.0.113.7/08',
    '1.2.3.4/8/8',
    'fe80::1%eth0',
    '203.0.113.7/-1',
  ])('rejects %j', (entry) => {
    expect(isAddressEntry(entry)).toBe(false);
  });
});
