import { failWith, ok, type Result } from '../../core/result.ts';

/** Reads a ZIP archive with one candle file, as exchanges offer them. Works in Node and in browsers. */

const endMark = 0x06054b50;
const entryMark = 0x02014b50;
const localMark = 0x04034b50;
const commentMax = 65_557;
const isCandles = /\.(csv|txt)$/i;

interface Entry {
  name: string;
  method: number;
  packedBytes: number;
  bytes: number;
  at: number;
}

export const isZip = (bytes: Uint8Array): boolean => bytes[0] === 0x50 && bytes[1] === 0x4b;

/**
 * The text file of an archive, which holds one.
 * @param bytesMax unpacked bytes; an archive that states or holds more is rejected
 */
export async function readZip(bytes: Uint8Array, bytesMax: number): Promise<Result<Uint8Array, string>> {
  const entries = readEntries(bytes);
  if (entries === null)
    return failWith('the ZIP file is damaged; download it again, or save the spreadsheet as CSV UTF-8');
  const matches = entries.filter(({ name }) => isCandles.test(name));
  const [first] = matches;
  if (first === undefined) return failWith('no CSV file is in the archive; save a spreadsheet as CSV UTF-8');
  if (matches.length > 1) return failWith(`the archive has ${matches.length} CSV files; choose one of them`);
  return unpack(bytes, first, bytesMax);
}

function readEntries(bytes: Uint8Array): Entry[] | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let end = bytes.length - 22;
  while (end >= 0 && end > bytes.length - commentMax && view.getUint32(end, true) !== endMark) end--;
  if (end < 0 || view.getUint32(end, true) !== endMark) return null;
  const count = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true);
  const entries: Entry[] = [];
  for (let i = 0; i < count; i++) {
    if (at + 46 > bytes.length || view.getUint32(at, true) !== entryMark) return null;
    const nameLength = view.getUint16(at + 28, true);
    entries.push({
      name: new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameLength)),
      method: view.getUint16(at + 10, true),
      packedBytes: view.getUint32(at + 20, true),
      bytes: view.getUint32(at + 24, true),
      at: view.getUint32(at + 42, true),
    });
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return entries;
}

async function unpack(bytes: Uint8Array, entry: Entry, bytesMax: number): Promise<Result<Uint8Array, string>> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const damaged = failWith('the ZIP file is damaged; download it again');
  if (entry.at + 30 > bytes.length || view.getUint32(entry.at, true) !== localMark) return damaged;
  const start = entry.at + 30 + view.getUint16(entry.at + 26, true) + view.getUint16(entry.at + 28, true);
  const packed = bytes.subarray(start, start + entry.packedBytes);
  if (packed.length < entry.packedBytes) return damaged;
  if (entry.bytes > bytesMax) return failWith('the unpacked file is too large; split it');
  if (entry.method === 0) return ok(packed);
  if (entry.method !== 8) return failWith('the archive uses another compression; unpack it and choose the CSV file');
  return inflateTo(packed, entry.bytes, damaged);
}

/** Stops as soon as more comes out than the archive states. */
async function inflateTo(
  packed: Uint8Array,
  length: number,
  damaged: Result<never, string>,
): Promise<Result<Uint8Array, string>> {
  const unpacked = new Uint8Array(length);
  let at = 0;
  try {
    const stream = new Blob([packed as BlobPart]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
    const reader = stream.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      if (at + value.length > length) return damaged;
      unpacked.set(value, at);
      at += value.length;
    }
  } catch {
    return damaged;
  }
  return at === length ? ok(unpacked) : damaged;
}
