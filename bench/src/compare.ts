import { isMeasurement, isSkipped, SELF_CHECK, type Measurement, type Run } from './results.ts';

/**
 * Two runs of one build differ by more than their margins say: code and data land elsewhere in memory, and a neighbour on
 * the same core slows vector code and scalar code unlike. A smaller change than this is not news.
 */
export const RUN_TO_RUN_FRACTION = 0.05;
/** The same when a run met more work than the machine has cores: up to 28 % was seen between runs of one build. */
export const BUSY_RUN_TO_RUN_FRACTION = 0.3;

export const isBusy = ({ environment: { load1, cores } }: Run): boolean => load1 > cores;

export type Verdict = 'better' | 'worse' | 'same' | 'missing' | 'new' | 'skipped';

export interface Judgement {
  suite: string;
  case: string;
  against: string;
  before: number | undefined;
  after: number | undefined;
  /** Ratio after over ratio before, above 1 is faster; with the fraction it has to leave to count. */
  change: number | undefined;
  tolerance: number | undefined;
  verdict: Verdict;
}

/**
 * Judges each ratio of `before` and `after`. Figures without a ratio are not judged: they belong to a machine and
 * its mood. A case that is gone counts as `missing` unless that machine had to skip it.
 */
export function compareRuns(before: Run, after: Run): Judgement[] {
  const olds = ratios(before);
  const news = ratios(after);
  const skipped = new Set(after.lines.filter(isSkipped).map(keyOf));
  const runToRun = isBusy(before) || isBusy(after) ? BUSY_RUN_TO_RUN_FRACTION : RUN_TO_RUN_FRACTION;
  const judged = [...olds].map(([key, old]) => judge(old, news.get(key), skipped.has(key), runToRun));
  const added = [...news].filter(([key]) => !olds.has(key)).map(([, line]) => judgeNew(line));
  return [...judged, ...added];
}

export const isRegression = ({ verdict }: Judgement): boolean => verdict === 'worse' || verdict === 'missing';

interface Ratio extends Measurement {
  against: string;
  ratio: number;
  margin: number;
}

function ratios({ lines }: Run): Map<string, Ratio> {
  const matches = new Map<string, Ratio>();
  for (const line of lines.filter(isMeasurement)) {
    const { against, ratio, margin = 0 } = line;
    if (against === undefined || ratio === undefined || line.case === SELF_CHECK) continue;
    matches.set(keyOf({ ...line, against }), { ...line, against, ratio, margin });
  }
  return matches;
}

const keyOf = (line: { suite: string; case: string; against: string }): string =>
  [line.suite, line.case, line.against].join('\n');

function judge(old: Ratio, now: Ratio | undefined, isSkippedNow: boolean, runToRun: number): Judgement {
  const name = { suite: old.suite, case: old.case, against: old.against, before: old.ratio };
  if (now === undefined) {
    const verdict = isSkippedNow ? 'skipped' : 'missing';
    return { ...name, after: undefined, change: undefined, tolerance: undefined, verdict };
  }
  const change = now.ratio / old.ratio;
  // The three errors are independent, so their squares add.
  const tolerance = Math.hypot(old.margin, now.margin, runToRun);
  const verdict = change > 1 + tolerance ? 'better' : change < 1 / (1 + tolerance) ? 'worse' : 'same';
  return { ...name, after: now.ratio, change, tolerance, verdict };
}

function judgeNew({ suite, case: name, against, ratio }: Ratio): Judgement {
  const unknown = { before: undefined, change: undefined, tolerance: undefined };
  return { suite, case: name, against, after: ratio, ...unknown, verdict: 'new' };
}
