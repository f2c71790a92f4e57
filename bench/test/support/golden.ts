import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One output of one TA-Lib function on candleWalk(1000, 12345): values by candle index, the first candle that has one. */
export interface GoldenVector {
  id: string;
  output: string;
  begin: number;
  values: Record<string, number>;
}

/** The published vectors beside the checkout; undefined (and tests skipped) where they are not there. */
export function readGoldenVectors(): readonly GoldenVector[] | undefined {
  const path = join(import.meta.dirname, '../../../../shared/data/golden-indicators.json');
  if (!existsSync(path)) return undefined;
  return (JSON.parse(readFileSync(path, 'utf8')) as { golden: { walk: GoldenVector[] } }).golden.walk;
}
