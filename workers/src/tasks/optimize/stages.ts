import * as abi from '@sextant/engine-as/abi/optimize.ts';
import { joinParts } from '../../core/joinParts.ts';
import type { GenerationDraw } from '../../protocol/optimize.ts';
import { type GuideState, drawFactor, nextGuide, startGuide } from './cma.ts';

/**
 * What comes after the random samples: draws around the best, nearer in each round, and then generations of CMA-ES. A generation
 * follows from the seed and from the values of the one before, and each of its sets from its number, so a generation can be cut up and
 * run anywhere.
 */

/** Sets that a stage starts from. */
export const LEADER_COUNT = 5;
const REACHES = [0.25, 0.12, 0.06, 0.03];
/** Sets of a generation of CMA-ES, and how many generations at most. */
const GUIDE_SETS = 25;
const GUIDE_GENERATIONS = 20;

/** A generation that has run. */
export interface GenerationRun {
  values: Float64Array;
  /** Its set `i`. Few are requested, so chunks of a large generation are not joined for them. */
  setAt: (i: number) => Float64Array;
}

export interface Ranked {
  set: Float64Array;
  value: number;
}

export interface StagePlan {
  /** f64[SPACE_LENGTH] */
  space: Float64Array;
  /** Random samples that were made; the stages together make as many sets again. */
  samples: number;
  /** With CMA-ES for the second half of the sets. */
  isGuided: boolean;
  /** Sets in the numbers of the space, where they are not; those of a `guide` draw are in them. */
  encode?: (sets: Float64Array) => Float64Array;
}

/** @yields generations in order, and takes what each of them gave @param leaders best samples, best first */
export function* stages(
  { space, samples, isGuided, encode = (sets) => sets }: StagePlan,
  leaders: readonly Ranked[],
): Generator<GenerationDraw, void, GenerationRun> {
  let bases = leaders.slice(0, LEADER_COUNT);
  if (bases.length === 0) return;
  const refineCount = isGuided ? Math.ceil(samples / 2) : samples;
  const perBase = Math.max(1, Math.floor(refineCount / (LEADER_COUNT * REACHES.length)));
  let first = 0;
  for (const reach of REACHES) {
    const count = bases.length * perBase;
    const run = yield { stage: 'refine', first, count, bases: joinSets(bases), perBase, reach };
    const matches = firstRows(run.values, LEADER_COUNT).map((i) => rankedAt(run, i));
    bases = [...bases, ...matches].sort((a, b) => b.value - a.value).slice(0, LEADER_COUNT);
    first += count;
  }
  const [best] = bases;
  if (isGuided && best !== undefined) {
    const count = Math.max(0, samples - first);
    yield* guided({ space, encode, start: encode(best.set) }, count, first);
  }
}

function* guided(
  { space, encode, start }: Required<Pick<StagePlan, 'space' | 'encode'>> & { start: Float64Array },
  count: number,
  first: number,
): Generator<GenerationDraw, void, GenerationRun> {
  let state = startGuide(space, start);
  if (state === undefined) return;
  const generations = Math.min(GUIDE_GENERATIONS, Math.max(1, Math.floor(count / GUIDE_SETS)));
  let made = 0;
  for (let generation = 0; generation < generations; generation++) {
    const until = Math.floor((count * (generation + 1)) / generations);
    if (until === made) continue;
    const { base, slots, mean } = state;
    const run = yield {
      stage: 'guide',
      first: first + made,
      count: until - made,
      base,
      slots,
      mean,
      factor: drawFactor(state),
    };
    state = nextGuide(state, movedSteps(space, state, { ...run, setAt: (i) => encode(run.setAt(i)) }), until - made);
    made = until;
  }
}

/** Moved parameters of the better half, in grid steps. */
function movedSteps(space: Float64Array, { slots }: GuideState, run: GenerationRun): Float64Array[] {
  const divisorOf = (slot: number): number => space[slot * abi.SPACE_ROW_LENGTH + abi.SPACE_DIVISOR] ?? 1;
  return rankedRows(run.values, Math.ceil(run.values.length / 2)).map((i) => {
    const set = run.setAt(i);
    return Float64Array.from(slots, (slot) => Math.round((set[slot] ?? 0) * divisorOf(slot)));
  });
}

const rankedAt = ({ setAt, values }: GenerationRun, i: number): Ranked => ({
  set: setAt(i),
  value: values[i] ?? -Infinity,
});

const joinSets = (ranked: readonly Ranked[]): Float64Array => joinParts(ranked.map(({ set }) => set));

/** Positions of the `count` best values that are ranked at all, best first; equal values keep their order. */
export function rankedRows(values: Float64Array, count: number): number[] {
  if (count > 50) {
    const all = [...values.keys()].filter((i) => values[i] !== -Infinity);
    return all.sort((a, b) => (values[b] ?? 0) - (values[a] ?? 0) || a - b).slice(0, count);
  }
  const best: number[] = [];
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? -Infinity;
    if (value === -Infinity || (best.length === count && value <= (values[best[count - 1] ?? 0] ?? Infinity))) continue;
    const at = best.findIndex((other) => value > (values[other] ?? -Infinity));
    best.splice(at < 0 ? best.length : at, 0, i);
    if (best.length > count) best.pop();
  }
  return best;
}

/** The same, filled up with rows that are not ranked, in their order: as many as there are. */
function firstRows(values: Float64Array, count: number): number[] {
  const first = rankedRows(values, count);
  for (let i = 0; i < values.length && first.length < count; i++) if (values[i] === -Infinity) first.push(i);
  return first;
}
