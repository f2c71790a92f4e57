import { createHash, randomBytes, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { KeyMode } from '@sextant/workers/src/core/apiAccess.ts';

/**
 * `sx_live_` or `sx_test_` + public id (8) + `_` + 32 random bytes in base 62 (43) + CRC-32 of all before it in base 62 (6).
 * A double click selects it as one word. The checksum detects typing errors and false positives of secret scanners without a query.
 */
const shape = /^sx_(?:live|test)_([0-9A-Za-z]{8})_[0-9A-Za-z]{43}([0-9A-Za-z]{6})$/;
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

const prefixes: Record<KeyMode, string> = { live: 'sx_live_', test: 'sx_test_' };

function toBase62(value: bigint, length: number): string {
  let text = '';
  for (let rest = value; rest > 0n; rest /= 62n) text = `${digits[Number(rest % 62n)] ?? ''}${text}`;
  return text.padStart(length, '0');
}

const checksumOf = (text: string): string => toBase62(BigInt(crc32(text)), 6);

export const hashKey = (key: string): Buffer => createHash('sha256').update(key).digest();

export interface NewKey {
  /** The whole key, shown once. */
  key: string;
  publicId: string;
  secretHash: string;
  last4: string;
}

export function createKey(mode: KeyMode): NewKey {
  const publicId = Array.from({ length: 8 }, () => digits[randomInt(62)]).join('');
  const secret = toBase62(BigInt(`0x${randomBytes(32).toString('hex')}`), 43);
  const text = `${prefixes[mode]}${publicId}_${secret}`;
  const key = text + checksumOf(text);
  return { key, publicId, secretHash: hashKey(key).toString('hex'), last4: key.slice(-4) };
}

/** The public id of a key with valid form and checksum; undefined for any other text. */
export function readPublicId(key: string): string | undefined {
  const match = shape.exec(key);
  if (match === null || checksumOf(key.slice(0, -6)) !== match[2]) return undefined;
  return match[1];
}

/** The part of a key that lists show. */
export const maskKey = (mode: KeyMode, publicId: string, last4: string): string =>
  `${prefixes[mode]}${publicId}_…${last4}`;
