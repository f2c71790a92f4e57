import { randomBytes } from 'node:crypto';

/** Marks the body of a part; JSON never starts with it. */
const MARK = '~';
/** Parts of a message whose others are lost are dropped after this time. */
const LIFE_MS = 30_000;
/** Characters of unfinished messages; beyond it the oldest is dropped. */
const PENDING_MAX = 64 * 1024 * 1024;

const escaped = (text: string): string =>
  text.replace(/[\u0080-\uffff]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Splits a JSON text into bodies of at most `bytesMax` bytes; a short one stays as it is. */
export function splitBody(body: string, bytesMax: number): string[] {
  if (Buffer.byteLength(body) <= bytesMax) return [body];
  // In ASCII, so that no cut divides a character.
  const text = escaped(body);
  const id = randomBytes(6).toString('hex');
  const size = bytesMax - 40;
  const count = Math.ceil(text.length / size);
  return Array.from(
    { length: count },
    (_, index) => `${MARK}${id}/${index}/${count} ${text.slice(index * size, (index + 1) * size)}`,
  );
}

interface Unfinished {
  parts: string[];
  arrivedCount: number;
  length: number;
  sinceMs: number;
}

/** Joins the bodies of `splitBody`. The result of a call is a whole body, or undefined while parts are missing. */
export function createPartJoiner(nowMs: () => number = () => performance.now()): (body: string) => string | undefined {
  const unfinished = new Map<string, Unfinished>();
  let pending = 0;

  function drop(id: string, { length }: Unfinished): void {
    unfinished.delete(id);
    pending -= length;
  }

  function sweep(): void {
    for (const [id, each] of unfinished) if (nowMs() - each.sinceMs > LIFE_MS || pending > PENDING_MAX) drop(id, each);
  }

  return (body) => {
    if (!body.startsWith(MARK)) return body;
    const [, id = '', index = '', count = ''] = /^~([0-9a-f]+)\/(\d+)\/(\d+) /.exec(body) ?? [];
    if (id === '' || Number(index) >= Number(count)) return undefined;
    sweep();
    const entry = unfinished.get(id) ?? { parts: [], arrivedCount: 0, length: 0, sinceMs: nowMs() };
    unfinished.set(id, entry);
    if (entry.parts[Number(index)] === undefined) {
      const text = body.slice(body.indexOf(' ') + 1);
      entry.parts[Number(index)] = text;
      entry.arrivedCount++;
      entry.length += text.length;
      pending += text.length;
    }
    if (entry.arrivedCount < Number(count)) return undefined;
    drop(id, entry);
    return entry.parts.join('');
  };
}
