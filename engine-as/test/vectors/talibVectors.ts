import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One output of one TA-Lib function on an input of inputs.ts: values by candle, the first candle that has one. */
export interface TalibVector {
  input: string;
  id: string;
  output: string;
  begin: number;
  values: Record<string, number>;
}

/** The values that talib.c wrote. */
export const readTalibVectors = (): readonly TalibVector[] =>
  JSON.parse(readFileSync(join(import.meta.dirname, 'talibIndicators.json'), 'utf8')) as readonly TalibVector[];
