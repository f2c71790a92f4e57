import { formatFixed } from '../../../format/number.ts';
import type { CsvProblem } from './csvText.ts';
import { type CsvOutcome, parseCsv } from './parseCsv.ts';

export const FILE_BYTES_MAX = 5 * 1024 * 1024;
const mib = (bytes: number): string => `${formatFixed(bytes / 1024 / 1024, 1)} MiB`;
const refused = (text: string): CsvOutcome => ({ ok: false, problems: [{ line: 0, text } satisfies CsvProblem] });

/** What a dropped file holds. Size and kind are judged before a byte of it is read as candles; `line: 0` is the file itself. */
export async function readCsvFile(file: File, nowMs: number): Promise<CsvOutcome> {
  if (file.size === 0) return refused('the file is empty');
  if (file.size > FILE_BYTES_MAX)
    return refused(`the file has ${mib(file.size)}; at most ${mib(FILE_BYTES_MAX)} are read`);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
  } catch (cause) {
    const isText = !(cause instanceof TypeError);
    return refused(isText ? 'the file could not be read' : 'the file is not UTF-8 text; save it as CSV UTF-8');
  }
  if (text.includes('\0')) return refused('the file is not text; save it as CSV UTF-8');
  return parseCsv(text, nowMs);
}
