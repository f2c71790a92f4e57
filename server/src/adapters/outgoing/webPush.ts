import {
  createCipheriv,
  createDecipheriv,
  createECDH,
  createHmac,
  createPrivateKey,
  createPublicKey,
  hkdfSync,
  randomBytes,
  sign,
  verify,
} from 'node:crypto';

/** Message encryption for Web Push (RFC 8291, in the content coding of RFC 8188) and its sender's identity (RFC 8292). */

const curve = 'prime256v1';
const recordSize = 4096;
const saltBytes = 16;
const keyBytes = 65;
const tagBytes = 16;
/** Octet behind the last record's text. */
const lastRecord = 2;
/** Text of one record; a push service must accept that much. */
export const PUSH_TEXT_BYTES_MAX = 3993;

/** Raw P-256 keys, base64url. */
export interface KeyPair {
  publicKey: string;
  privateKey: string;
}

export function createKeyPair(): KeyPair {
  const ecdh = createECDH(curve);
  ecdh.generateKeys();
  // A private key with leading zeros is shorter than 32 octets.
  const privateKey = Buffer.concat([Buffer.alloc(32), ecdh.getPrivateKey()]).subarray(-32);
  return { publicKey: ecdh.getPublicKey('base64url'), privateKey: privateKey.toString('base64url') };
}

/** Keys of a browser, as its subscription states them, base64url. */
export interface BrowserKeys {
  p256dh: string;
  auth: string;
}

const hmac = (key: Buffer, ...parts: Buffer[]): Buffer =>
  createHmac('sha256', key).update(Buffer.concat(parts)).digest();

/** Content key and nonce of both sides. @param shared result of the key agreement */
function contentKeys(
  shared: Buffer,
  { p256dh, auth }: { p256dh: Buffer; auth: Buffer },
  sender: Buffer,
  salt: Buffer,
): { key: Buffer; nonce: Buffer } {
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), p256dh, sender, Buffer.from([1])]);
  const input = hmac(hmac(auth, shared), info);
  const derive = (name: string, length: number) =>
    Buffer.from(hkdfSync('sha256', input, salt, `Content-Encoding: ${name}\0`, length));
  return { key: derive('aes128gcm', 16), nonce: derive('nonce', 12) };
}

/**
 * The body of a push message in one record.
 * @param given salt and key pair of this message; random unless a test gives them
 * @throws Error when the keys of the browser are no point of the curve, RangeError for a longer text
 */
export function encryptPush(
  keys: BrowserKeys,
  text: string,
  given: { salt?: Buffer; pair?: KeyPair } = {},
): Buffer<ArrayBuffer> {
  const plain = Buffer.from(text);
  if (plain.length > PUSH_TEXT_BYTES_MAX) throw new RangeError(`a push of ${plain.length} bytes is too long`);
  const salt = given.salt ?? randomBytes(saltBytes);
  const pair = given.pair ?? createKeyPair();
  const receiver = { p256dh: Buffer.from(keys.p256dh, 'base64url'), auth: Buffer.from(keys.auth, 'base64url') };
  const sender = Buffer.from(pair.publicKey, 'base64url');
  const ecdh = createECDH(curve);
  ecdh.setPrivateKey(pair.privateKey, 'base64url');
  const { key, nonce } = contentKeys(ecdh.computeSecret(receiver.p256dh), receiver, sender, salt);
  const cipher = createCipheriv('aes-128-gcm', key, nonce);
  const sealed = [
    cipher.update(Buffer.concat([plain, Buffer.from([lastRecord])])),
    cipher.final(),
    cipher.getAuthTag(),
  ];
  const size = Buffer.alloc(4);
  size.writeUInt32BE(recordSize);
  return Buffer.concat([salt, size, Buffer.from([sender.length]), sender, ...sealed]);
}

/** Decrypts a body as the browser does. @throws Error when it was not made for these keys */
export function decryptPush(pair: KeyPair, auth: string, body: Buffer): string {
  const salt = body.subarray(0, saltBytes);
  const headBytes = saltBytes + 5 + keyBytes;
  const sender = body.subarray(saltBytes + 5, headBytes);
  const ecdh = createECDH(curve);
  ecdh.setPrivateKey(pair.privateKey, 'base64url');
  const receiver = { p256dh: Buffer.from(pair.publicKey, 'base64url'), auth: Buffer.from(auth, 'base64url') };
  const { key, nonce } = contentKeys(ecdh.computeSecret(sender), receiver, sender, salt);
  const decipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(body.subarray(-tagBytes));
  const plain = Buffer.concat([decipher.update(body.subarray(headBytes, -tagBytes)), decipher.final()]);
  return plain.subarray(0, plain.lastIndexOf(lastRecord)).toString('utf8');
}

/** @param pair raw keys: the halves of the public key are the coordinates */
function jwkOf({ publicKey, privateKey }: Pick<KeyPair, 'publicKey'> & Partial<KeyPair>) {
  const point = Buffer.from(publicKey, 'base64url');
  const coordinates = { x: point.subarray(1, 33).toString('base64url'), y: point.subarray(33).toString('base64url') };
  const jwk = { kty: 'EC', crv: 'P-256', ...coordinates };
  return privateKey === undefined ? jwk : { ...jwk, d: privateKey };
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

export interface Vapid {
  /** Origin of the push service. */
  audience: string;
  /** Contact of the sender: `mailto:` or https. */
  subject: string;
  /** End of the token, epoch s; at most a day ahead. */
  expiresS: number;
}

/** The Authorization header that identifies the sender to a push service. */
export function vapidHeader(pair: KeyPair, { audience, subject, expiresS }: Vapid): string {
  const unsigned = `${encode({ typ: 'JWT', alg: 'ES256' })}.${encode({ aud: audience, exp: expiresS, sub: subject })}`;
  const key = createPrivateKey({ key: jwkOf(pair), format: 'jwk' });
  const signature = sign('sha256', Buffer.from(unsigned), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url');
  return `vapid t=${unsigned}.${signature}, k=${pair.publicKey}`;
}

/** Claims of a valid header; undefined when its signature is not that of its key. */
export function readVapid(header: string): { publicKey: string; claims: Record<string, unknown> } | undefined {
  const { token = '', publicKey = '' } =
    /^vapid t=(?<token>[\w.-]+),\s*k=(?<publicKey>[\w-]+)$/.exec(header)?.groups ?? {};
  if (token === '' || publicKey === '') return undefined;
  const [head = '', body = '', signature = ''] = token.split('.');
  const key = createPublicKey({ key: jwkOf({ publicKey }), format: 'jwk' });
  const signed = Buffer.from(`${head}.${body}`);
  const isValid = verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url'));
  if (!isValid) return undefined;
  return { publicKey, claims: JSON.parse(Buffer.from(body, 'base64url').toString()) as Record<string, unknown> };
}
