import { readFile } from 'node:fs/promises';
import { enginePath } from '@sextant/engine-as/build.ts';
import { compileEngine } from '@sextant/workers/src/engine/engine.ts';
import { startEngine, type TaskEngine } from '@sextant/workers/src/tasks/index.ts';
import { firstDifference } from '../agreement.ts';
import { type ClockNs, inProcess, inTurn, threadClock } from '../paired.ts';
import type { BenchCase, EngineFiles, PreparedSuite } from '../suite.ts';
import { type EngineCase, engineCases, type OpenedCase } from './engineCases.ts';

/** Results of both engines that are compared before anything is timed: every turn of a case. */
const PRESENT = 'present';

/** Compares the engine of `candidate` with `against`, to the bit and then in processor time. */
export async function prepareEngine({ candidate, against = enginePath }: EngineFiles = {}): Promise<PreparedSuite> {
  const [changed, present] = [await loadEngine(candidate ?? enginePath), await loadEngine(against)];
  const clock = threadClock();
  return {
    cases: engineCases.map((each) => caseOf(each, changed, present, clock)),
    notes: [
      'figure: the candidate. ratio: the time of the present engine over it, so above 1 the candidate is faster.',
      `candidate ${changed().hash.slice(0, 12)}, present ${present().hash.slice(0, 12)}; results are compared to the bit.`,
    ],
  };
}

/** Makes a fresh engine of a file, with its own memory. */
async function loadEngine(path: string): Promise<() => TaskEngine> {
  const compiled = await compileEngine(new Uint8Array(await readFile(path)));
  return () => startEngine(compiled);
}

function caseOf(
  { name, unit, toFigure, turns, open }: EngineCase,
  changed: () => TaskEngine,
  present: () => TaskEngine,
  clock: ClockNs,
): BenchCase {
  // Opened with the first use: a run of one case does not wait for the data of the others.
  let opened: { ours: OpenedCase; theirs: OpenedCase } | undefined;
  const sides = () => (opened ??= { ours: open(changed()), theirs: open(present()) });
  return {
    name,
    unit,
    toFigure,
    clock,
    operation: inTurn(turns, (k) => sides().ours.run(k)),
    rivals: [
      {
        against: PRESENT,
        contestant: inProcess(
          inTurn(turns, (k) => sides().theirs.run(k)),
          clock,
        ),
      },
    ],
    verify() {
      const { ours, theirs } = sides();
      for (let k = 0; k < turns; k++) {
        const difference = differenceOf(readTurn(ours, k), readTurn(theirs, k));
        if (difference !== undefined) return [`turn ${k}, ${difference} in the present engine`];
      }
      return [];
    },
    options: { warmMs: 60, budgetMs: 600, pairsMax: 400 },
  };
}

function readTurn(side: OpenedCase, k: number): ArrayLike<number>[] {
  side.run(k);
  return side.read(k).map((column) => Array.from(column));
}

function differenceOf(ours: ArrayLike<number>[], theirs: ArrayLike<number>[]): string | undefined {
  if (ours.length !== theirs.length) return `${ours.length} columns against ${theirs.length}`;
  for (const [k, column] of ours.entries()) {
    const difference = firstDifference(column, theirs[k] ?? []);
    if (difference !== undefined) return `column ${k}, ${difference}`;
  }
  return undefined;
}
