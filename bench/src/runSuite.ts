import { catalogue } from './catalogue.ts';
import { inProcess, paired, type Contestant } from './paired.ts';
import { rounded, SELF_CHECK, type ResultLine } from './results.ts';
import type { BenchCase, PreparedSuite } from './suite.ts';

export interface SuiteRun {
  lines: ResultLine[];
  notes: string[];
}

/**
 * Verifies every case, then times it: alone with benny, against each rival with the paired harness.
 * A case whose results differ is not timed. Measured cases follow.
 */
export async function runSuite(
  name: string,
  suite: PreparedSuite,
  report: (line: ResultLine) => void = () => undefined,
): Promise<SuiteRun> {
  const lines: ResultLine[] = [];
  const add = (line: ResultLine): void => {
    lines.push(line);
    report(line);
  };
  const sound: BenchCase[] = [];
  for (const benchCase of suite.cases) {
    const differences = await benchCase.verify();
    if (differences.length === 0) sound.push(benchCase);
    for (const mismatch of differences) add({ suite: name, case: benchCase.name, mismatch });
  }
  await addSelfCheck(name, sound, add);
  await addFigures(name, sound, add);
  for (const benchCase of sound) await addRatios(name, benchCase, add);
  for (const { measure } of suite.measured ?? []) for (const line of await measure()) add({ suite: name, ...line });
  return { lines, notes: suite.notes ?? [] };
}

/** The harness against itself on the suite's first comparison: what its ratio differs from 1 is its error on this machine now. */
async function addSelfCheck(suite: string, cases: BenchCase[], add: (line: ResultLine) => void): Promise<void> {
  const subject = cases.find((benchCase) => benchCase.rivals.length > 0);
  if (subject === undefined) return;
  const ours = contestantOf(subject);
  const { ratio, margin } = await paired(ours, ours, subject.options);
  const errorPct = Math.abs(ratio - 1) * 100;
  add({
    suite,
    case: SELF_CHECK,
    figure: rounded(errorPct),
    unit: '% error',
    against: 'itself',
    ratio: rounded(ratio),
    margin: rounded(margin),
  });
}

async function addFigures(suite: string, cases: BenchCase[], add: (line: ResultLine) => void): Promise<void> {
  const alone = cases.filter((benchCase) => benchCase.rivals.length === 0);
  if (alone.length === 0) return;
  const figures = await catalogue(suite, alone);
  for (const { name, unit, toFigure } of alone) {
    const figure = figures.get(name);
    if (figure === undefined) throw new Error(`benny left out ${name}`);
    const { operationNs, margin } = figure;
    add({ suite, case: name, figure: rounded(toFigure(operationNs)), unit, margin: rounded(margin) });
  }
}

async function addRatios(suite: string, benchCase: BenchCase, add: (line: ResultLine) => void): Promise<void> {
  const { name, unit, toFigure, rivals, skipped = [], options } = benchCase;
  const ours = contestantOf(benchCase);
  for (const { against, contestant } of rivals) {
    const { oursNs, ratio, margin } = await paired(ours, contestant, options);
    const figure = rounded(toFigure(oursNs));
    add({ suite, case: name, figure, unit, against, ratio: rounded(ratio), margin: rounded(margin) });
  }
  for (const { against, reason } of skipped) add({ suite, case: name, against, skipped: reason });
}

function contestantOf({ operation, clock }: BenchCase): Contestant {
  return inProcess(operation, clock);
}
