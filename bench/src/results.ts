import { z } from 'zod';
import { median, medianInterval } from './statistics.ts';

/** One measurement. `ratio` is the time of `against` over ours: above 1 we are that many times faster. */
const Measurement = z.strictObject({
  suite: z.string(),
  case: z.string(),
  figure: z.number(),
  unit: z.string(),
  against: z.string().optional(),
  ratio: z.number().positive().optional(),
  /** Half width of the 95 % interval as a fraction: of the ratio when there is one, else of the figure. */
  margin: z.number().nonnegative().optional(),
});

/** A comparison this machine cannot make. */
const Skipped = z.strictObject({ suite: z.string(), case: z.string(), against: z.string(), skipped: z.string() });

/** Two sides that should agree and do not: the run ends with exit code 1. */
const Mismatch = z.strictObject({ suite: z.string(), case: z.string(), mismatch: z.string() });

const Environment = z.strictObject({
  node: z.string(),
  cpu: z.string(),
  cores: z.number(),
  commit: z.string(),
  /** SHA-256 of engine.wasm. */
  engine: z.string(),
  /** Runnable processes over the last minute before the run; above the number of cores every figure is too high. */
  load1: z.number(),
  date: z.string(),
});

const EnvironmentLine = z.strictObject({ environment: Environment });
const ResultLine = z.union([Measurement, Skipped, Mismatch]);

export type Measurement = z.infer<typeof Measurement>;
export type Environment = z.infer<typeof Environment>;
export type ResultLine = z.infer<typeof ResultLine>;

export interface Run {
  environment: Environment;
  lines: ResultLine[];
}

export const isMeasurement = (line: ResultLine): line is Measurement => 'figure' in line;
export const isMismatch = (line: ResultLine): line is z.infer<typeof Mismatch> => 'mismatch' in line;
export const isSkipped = (line: ResultLine): line is z.infer<typeof Skipped> => 'skipped' in line;

/** Name of the self check that measures the harness against itself in every run. */
export const SELF_CHECK = 'self-check';

export function formatRun(run: Run): string {
  return [{ environment: run.environment }, ...run.lines].map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** The runs of a results file in the order they were made. @throws Error naming the line that is not a result */
export function parseRuns(text: string, name: string): Run[] {
  const runs: Run[] = [];
  for (const [index, row] of text.split('\n').entries()) {
    if (row.trim() === '') continue;
    const where = `${name}, line ${index + 1}`;
    const value = parseJson(row, where);
    const environment = EnvironmentLine.safeParse(value);
    if (environment.success) {
      runs.push({ environment: environment.data.environment, lines: [] });
      continue;
    }
    const line = ResultLine.safeParse(value);
    const run = runs.at(-1);
    if (!line.success) throw new Error(`${where}: neither a result nor an environment line`);
    if (run === undefined) throw new Error(`${where}: a result before any environment line`);
    run.lines.push(line.data);
  }
  return runs;
}

function parseJson(row: string, where: string): unknown {
  try {
    return JSON.parse(row);
  } catch (cause) {
    throw new Error(`${where}: not JSON`, { cause });
  }
}

/** Five digits are the precision of a benchmark. */
export const rounded = (value: number): number => Number(value.toPrecision(5));

/** The middle ratio of the pairs, and half its 95 % interval as a fraction of it. */
export function ratioOf(ratios: number[]): { ratio: number; margin: number } {
  const { low, high } = medianInterval(ratios);
  const ratio = median(ratios);
  return { ratio: rounded(ratio), margin: rounded((high - low) / 2 / ratio) };
}
