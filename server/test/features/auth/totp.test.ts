import fc from 'fast-check';
import { Secret, TOTP, URI } from 'otpauth';
import { describe, expect, it } from 'vitest';
import { base32, fromBase32, hotp, matchStep, newTotpSecret, otpauthUrl } from '../../../src/features/auth/totp.ts';

/** RFC 6238, appendix B: the secret is the ASCII text 12345678901234567890, codes have eight digits. */
const rfcSecret = base32(Buffer.from('12345678901234567890'));
const rfcVectors = [
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
] as const;

/** RFC 4226, appendix D: counters 0 to 9. */
const hotpVectors = '755224 287082 359152 969429 338314 254676 287922 162583 399871 520489'.split(' ');

describe('a one-time code', () => {
  it.each(rfcVectors)('at %i s is the one of RFC 6238', (seconds, code) => {
    expect(hotp(rfcSecret, Math.floor(seconds / 30), 8)).toBe(code);
  });

  it.each(hotpVectors.map((code, counter) => [counter, code] as const))(
    'of counter %i is the one of RFC 4226',
    (counter, code) => {
      expect(hotp(rfcSecret, counter)).toBe(code);
    },
  );

  it('equals the one of an independent implementation, whatever the secret and time', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 20, maxLength: 20 }),
        fc.integer({ min: 0, max: 4e12 }),
        (bytes, nowMs) => {
          const other = new TOTP({ secret: Secret.fromHex(Buffer.from(bytes).toString('hex')) });
          expect(hotp(base32(bytes), Math.floor(nowMs / 30_000))).toBe(other.generate({ timestamp: nowMs }));
          expect(fromBase32(base32(bytes))).toEqual(Buffer.from(bytes));
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('the code a user enters', () => {
  const nowMs = 1_700_000_000_000;
  const step = Math.floor(nowMs / 30_000);

  it('is accepted one step early and late, and no further', () => {
    for (const [offset, isTaken] of [
      [-2, false],
      [-1, true],
      [0, true],
      [1, true],
      [2, false],
    ] as const) {
      const matched = matchStep(rfcSecret, hotp(rfcSecret, step + offset), nowMs, 0);
      expect(matched, String(offset)).toBe(isTaken ? step + offset : undefined);
    }
  });

  it('is not accepted again within its step, nor is one older than the last', () => {
    expect(matchStep(rfcSecret, hotp(rfcSecret, step), nowMs, step)).toBeUndefined();
    expect(matchStep(rfcSecret, hotp(rfcSecret, step - 1), nowMs, step)).toBeUndefined();
    expect(matchStep(rfcSecret, hotp(rfcSecret, step + 1), nowMs, step)).toBe(step + 1);
  });

  it.each(['', '1', '12345', '1234567', 'abcdef', '٠٠٠٠٠٠'])('%j is no code, and does not throw', (code) => {
    expect(matchStep(rfcSecret, code, nowMs, 0)).toBeUndefined();
  });
});

it('an authenticator reads the stored secret from the QR code', () => {
  const secret = newTotpSecret();
  const read = URI.parse(otpauthUrl(secret, 'ada+1@example.com')) as TOTP;
  expect(read).toBeInstanceOf(TOTP);
  expect([read.secret.base32, read.issuer, read.label]).toEqual([secret, 'Sextant', 'ada+1@example.com']);
  expect(read.generate({ timestamp: 59_000 })).toBe(hotp(secret, 1));
});
