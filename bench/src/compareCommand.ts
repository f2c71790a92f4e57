import { readFileSync } from 'node:fs';
import { compareRuns, isBusy, isRegression, type Judgement } from './compare.ts';
import { digits, formatEnvironment } from './report.ts';
import { parseRuns, type Run } from './results.ts';

/**
 * `compare A B`: each a results file, or `file@commit` for the last run of that commit in it.
 * Returns the exit code: 1 when anything got worse or went missing.
 */
export function compareCommand(beforeName: string, afterName: string, isJson: boolean): number {
  const before = readRun(beforeName);
  const after = readRun(afterName);
  const judgements = compareRuns(before, after);
  if (judgements.length === 0) throw new Error(`${beforeName} and ${afterName} hold no ratio to compare`);
  if (isJson) for (const judgement of judgements) console.log(JSON.stringify(judgement));
  else console.log(formatComparison(before, after, judgements));
  return judgements.some(isRegression) ? 1 : 0;
}

function readRun(name: string): Run {
  const [path = name, commit] = name.split('@');
  const runs = parseRuns(readFileSync(path, 'utf8'), path);
  const run = runs.findLast(({ environment }) => commit === undefined || environment.commit.startsWith(commit));
  if (run === undefined) throw new Error(`${path} holds no run${commit === undefined ? '' : ` of commit ${commit}`}`);
  return run;
}

function formatComparison(before: Run, after: Run, judgements: readonly Judgement[]): string {
  const otherMachine =
    before.environment.cpu === after.environment.cpu ? [] : ['The machines differ: ratios may differ for that reason.'];
  const busy =
    isBusy(before) || isBusy(after)
      ? ['A run met a busy machine: only large changes are news. Run again when it is quiet.']
      : [];
  return [
    `before: ${formatEnvironment(before.environment)}`,
    `after:  ${formatEnvironment(after.environment)}`,
    ...otherMachine,
    ...busy,
    '',
    ...judgements.map(formatJudgement),
  ].join('\n');
}

function formatJudgement({ suite, case: name, against, before, after, change, tolerance, verdict }: Judgement): string {
  const shown = (ratio: number | undefined): string => (ratio === undefined ? '-' : `${digits(ratio)}x`);
  const detail =
    change === undefined || tolerance === undefined
      ? ''
      : ` (${((change - 1) * 100).toFixed(1)} %, news beyond ±${(tolerance * 100).toFixed(1)} %)`;
  return `${verdict.padEnd(7)} ${suite}/${name} against ${against}: ${shown(before)} -> ${shown(after)}${detail}`;
}
