import { argon2, type Argon2Parameters, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify(argon2) as (algorithm: 'argon2id', parameters: Argon2Parameters) => Promise<Buffer>;

/** Second setting of OWASP for argon2id: 19 MiB, two passes. Takes about 50 ms here. */
const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 };
const format = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

const encode = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');

/** Hashes and verifies passwords. */
export interface Passwords {
  hash: (password: string) => Promise<string>;
  verify: (hash: string, password: string) => Promise<boolean>;
}

/** The hash of a password as a PHC string, which includes its cost and salt. */
async function hash(password: string): Promise<string> {
  const nonce = randomBytes(16);
  const tag = await derive('argon2id', { message: password, nonce, ...cost });
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${encode(nonce)}$${encode(tag)}`;
}

/** Whether `password` has this hash. False for a hash of another format. */
async function verify(stored: string, password: string): Promise<boolean> {
  const [, memory, passes, parallelism, salt, expected] = format.exec(stored) ?? [];
  if (salt === undefined || expected === undefined) return false;
  const wanted = Buffer.from(expected, 'base64');
  const tag = await derive('argon2id', {
    message: password,
    nonce: Buffer.from(salt, 'base64'),
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    tagLength: wanted.length,
  });
  return timingSafeEqual(tag, wanted);
}

export const argon2id: Passwords = { hash, verify };
