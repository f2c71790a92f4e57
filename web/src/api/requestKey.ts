const BYTES = 16;

/** A random idempotency key. `crypto.randomUUID` exists on https and localhost only. */
export const newRequestKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(BYTES)), (byte) => byte.toString(16).padStart(2, '0')).join('');
