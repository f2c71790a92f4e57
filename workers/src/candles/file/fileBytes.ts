import { FILE_BYTES_MAX } from '../../core/limits.ts';
import { failWith, ok, type Result } from '../../core/result.ts';
import { isZip, readZip } from './zipFile.ts';

/** The text of a candle file, unpacked from a ZIP archive where it is one. */
export async function textOfFile(bytes: Uint8Array): Promise<Result<string, string>> {
  if (bytes.length === 0) return failWith('the file is empty');
  const unpacked = isZip(bytes) ? await readZip(bytes, FILE_BYTES_MAX) : ok(bytes);
  if (!unpacked.ok) return unpacked;
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(unpacked.value);
  } catch {
    return failWith('save the file as CSV UTF-8');
  }
  return text.includes('\0') ? failWith('save the file as text: CSV UTF-8') : ok(text);
}
