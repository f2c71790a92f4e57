import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/** Encrypts data that must not be stored in plain text. The key is derived from the installation's secret and the purpose. */
export interface Seal {
  /** @param context owner of the text, e.g. a user id: opening it with another context fails. */
  seal: (text: string, context: string) => string;
  /** @throws when the text was not sealed here, was changed, or belongs to another context. */
  open: (sealed: string, context: string) => string;
  /** A keyed hash, for secrets too short for a plain hash. 43 characters. */
  hash: (text: string, context: string) => string;
}

const nonceBytes = 12;
const tagBytes = 16;

/** AES-256-GCM with a random nonce per text. */
export function createSeal(secret: string, purpose: string): Seal {
  const keyOf = (use: string) => Buffer.from(hkdfSync('sha256', secret, 'sextant', `${purpose} ${use}`, 32));
  const key = keyOf('seal');
  const hashKey = keyOf('hash');
  return {
    seal: (text, context) => {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
      const parts = [nonce, cipher.update(text, 'utf8'), cipher.final()];
      return Buffer.concat([...parts, cipher.getAuthTag()]).toString('base64url');
    },
    open: (sealed, context) => {
      const bytes = Buffer.from(sealed, 'base64url');
      if (bytes.length < nonceBytes + tagBytes) throw new Error('a sealed text is too short');
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes))
        .setAAD(Buffer.from(context))
        .setAuthTag(bytes.subarray(-tagBytes));
      const text = decipher.update(bytes.subarray(nonceBytes, -tagBytes));
      return Buffer.concat([text, decipher.final()]).toString('utf8');
    },
    hash: (text, context) => createHmac('sha256', hashKey).update(`${context} ${text}`).digest('base64url'),
  };
}
