import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Time-based one-time passwords, RFC 6238, as every authenticator reads them: SHA-1, 30 s, 6 digits. */
export const totp = { stepS: 30, digits: 6 } as const;

/** A code is accepted one step early and late: clocks differ, and typing takes time. */
const driftSteps = 1;
const sixDigits = /^[0-9]{6}$/;
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** RFC 4648 base32 without padding. */
export function base32(bytes: Uint8Array): string {
  let bits = '';
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0');
  return (bits.match(/.{1,5}/g) ?? []).map((five) => alphabet[Number.parseInt(five.padEnd(5, '0'), 2)]).join('');
}

export function fromBase32(text: string): Buffer {
  const bits = Array.from(text, (letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** 160 bits, as RFC 4226 recommends. */
export const newTotpSecret = (): string => base32(randomBytes(20));

/**
 * HOTP value, RFC 4226 5.3.
 * @param secret base32
 */
export function hotp(secret: string, counter: number, digits: number = totp.digits): string {
  const message = Buffer.alloc(8);
  message.writeBigUInt64BE(BigInt(counter));
  const mac = createHmac('sha1', fromBase32(secret)).update(message).digest();
  const offset = mac.readUInt8(mac.length - 1) & 0x0f;
  const number = (mac.readUInt32BE(offset) & 0x7fffffff) % 10 ** digits;
  return String(number).padStart(digits, '0');
}

/**
 * The time step of a code; undefined when it is wrong. Steps up to `lastStep` are used, so a code works only once.
 */
export function matchStep(secret: string, code: string, nowMs: number, lastStep: number): number | undefined {
  const current = Math.floor(nowMs / 1000 / totp.stepS);
  if (!sixDigits.test(code)) return undefined;
  const given = Buffer.from(code);
  let matched: number | undefined;
  // Compares all steps, in constant time.
  for (let step = current - driftSteps; step <= current + driftSteps; step += 1) {
    const isRight = timingSafeEqual(Buffer.from(hotp(secret, step)), given);
    if (isRight && step > lastStep) matched ??= step;
  }
  return matched;
}

/** Content of the QR code (Key Uri Format of Google Authenticator). */
export function otpauthUrl(secret: string, email: string): string {
  const label = `Sextant:${encodeURIComponent(email)}`;
  return `otpauth://totp/${label}?secret=${secret}&issuer=Sextant&algorithm=SHA1&digits=${totp.digits}&period=${totp.stepS}`;
}
