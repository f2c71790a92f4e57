import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Real candles and vectors that live beside the repository and are not part of it. */
const folder = join(import.meta.dirname, '../../../shared/data');

export const hasSharedData = existsSync(join(folder, 'golden-indicators.json'));
/** For test titles, so that a skip says what is missing. */
export const sharedDataNote = hasSharedData ? '' : ' (skipped: ../shared/data is absent)';

export function readShared(name: string): string {
  return readFileSync(join(folder, name), 'utf8');
}
