import { joinParts } from '../../core/joinParts.ts';
import * as abi from '@sextant/engine-as/abi/optimize.ts';
import { searchTargets } from '@sextant/engine-as/abi/searchTargets.ts';
import type { Engine } from '../../engine/engine.ts';
import type { GenerationDraw, OptimizeInput, TrialColumns, Window } from '../../protocol/optimize.ts';
import type { SetCoding } from './ownSpace.ts';
import type { SetEvaluator, SetRun } from './setEvaluator.ts';
import { pushIntegers } from './market.ts';
import { setOf } from './parameters.ts';
import { codingOf, ownSetOf, setLengthOf } from './space.ts';
import { LEADER_COUNT, rankedRows, stages } from './stages.ts';

const MUTATION_SHARE = 0.35;
/** Keeps the draws of the refinement apart from those of the samples. */
const REFINE_SEED = 0x52ef1e5e7a9c3d41n;

/** A search under way: what sets run on, the space and the user's set in the arena, and the window it runs on. */
export interface Search {
  engine: Engine;
  evaluator: SetEvaluator;
  setLength: number;
  /** How the engine draws sets that it does not draw as they are. */
  coding?: SetCoding;
  spaceAt: number;
  /** f64[SPACE_LENGTH] */
  space: Float64Array;
  currentAt: number;
  seed: bigint;
  /** With generations of CMA-ES after the refinement. */
  isGuided: boolean;
  target: number;
  window: Window;
}

export interface Candidate {
  set: Float64Array;
  /** f64[RESULT_LENGTH] */
  row: Float64Array;
  origin: { kind: 'sample' | 'refined'; index: number };
}

export function startSearch(
  engine: Engine,
  evaluator: SetEvaluator,
  space: Float64Array,
  input: OptimizeInput,
  window: Window,
): Search {
  const coding = codingOf(input);
  const own = ownSetOf(input);
  return {
    engine,
    evaluator,
    setLength: setLengthOf(input),
    ...(coding && { coding }),
    window,
    space,
    isGuided: input.guide === true,
    spaceAt: engine.push(space),
    currentAt: engine.push(coding === undefined ? own : coding.encode(own)),
    seed: BigInt(input.seed),
    target: searchTargets[input.target].code,
  };
}

/** Result columns of samples from .. from + count - 1: f64[RESULT_LENGTH * count]. */
export function runSamples(search: Search, from: number, count: number, onDone?: (done: number) => void): Float64Array {
  const parts: Float64Array[] = [];
  const { chunk } = search.evaluator;
  for (let done = 0; done < count; done += chunk) {
    parts.push(runChunk(search, from + done, Math.min(chunk, count - done)));
    onDone?.(Math.min(done + chunk, count));
  }
  return parts.length === 1 ? (parts[0] ?? new Float64Array()) : joinColumns(parts);
}

function runChunk(whole: Search, from: number, count: number): Float64Array {
  const { engine, evaluator, ...search } = whole;
  if ('runTable' in evaluator) return runSets(whole, sampleRange(whole, from, count)).columns;
  const mark = engine.raw.arenaMark();
  const resultsAt = engine.reserve(abi.RESULT_LENGTH * count);
  const { seed, spaceAt, currentAt, target, window } = search;
  evaluator.runSamples({ seed, from, count, spaceAt, currentAt, window, target, resultsAt });
  const columns = engine.pull(resultsAt, abi.RESULT_LENGTH * count);
  engine.raw.arenaRelease(mark);
  return columns;
}

/** Runs `sets`, one after the other. */
export function runSets(search: Search, sets: Float64Array, withEquity = false): SetRun {
  const { engine, evaluator, target, window, setLength } = search;
  if ('runTable' in evaluator) return evaluator.runTable(sets, { window, target, withEquity });
  const count = sets.length / setLength;
  const mark = engine.raw.arenaMark();
  const setsAt = engine.push(sets);
  const resultsAt = engine.reserve(abi.RESULT_LENGTH * count);
  const equityLength = withEquity ? (window.end - window.start) * count : 0;
  const equityAt = withEquity ? engine.reserve(equityLength) : 0;
  evaluator.runSets({ setsAt, count, window, target, resultsAt, equityAt });
  const columns = engine.pull(resultsAt, abi.RESULT_LENGTH * count);
  const run = { columns, equity: engine.pull(equityAt, equityLength) };
  engine.raw.arenaRelease(mark);
  return run;
}

/** Sample sets by index, one after the other. */
export function sampleSets(search: Search, indices: readonly number[]): Float64Array {
  const { engine, seed, spaceAt, currentAt } = search;
  const length = drawnLengthOf(search);
  const mark = engine.raw.arenaMark();
  const setsAt = engine.reserve(length * indices.length);
  indices.forEach((index, i) => {
    engine.raw.sampleSet(seed, BigInt(index), spaceAt, currentAt, setsAt + 8 * length * i);
  });
  const drawn = engine.pull(setsAt, length * indices.length);
  engine.raw.arenaRelease(mark);
  return setsOfDrawn(search, drawn);
}

const drawnLengthOf = ({ coding, setLength }: Search): number => coding?.drawnLength ?? setLength;
const setsOfDrawn = ({ coding }: Search, drawn: Float64Array): Float64Array =>
  coding === undefined ? drawn : coding.decode(drawn);

/** Samples from .. from + count - 1, one after the other. */
export function sampleRange(search: Search, from: number, count: number): Float64Array {
  const { engine, seed, spaceAt, currentAt } = search;
  const length = drawnLengthOf(search);
  const mark = engine.raw.arenaMark();
  const setsAt = engine.reserve(length * count);
  engine.raw.sampleSets(seed, BigInt(from), count, spaceAt, currentAt, setsAt);
  const drawn = engine.pull(setsAt, length * count);
  engine.raw.arenaRelease(mark);
  return setsOfDrawn(search, drawn);
}

/** The sets around one: each parameter that can move, moved down and then up, one at a time. */
export function neighboursOf({ engine, coding, spaceAt, setLength }: Search, set: Float64Array): Float64Array {
  if (coding !== undefined) return coding.neighbours(set);
  const mark = engine.raw.arenaMark();
  const at = engine.reserve(setLength * 2 * setLength);
  const count = engine.raw.neighbourSets(spaceAt, engine.push(set), at);
  const sets = engine.pull(at, setLength * count);
  engine.raw.arenaRelease(mark);
  return sets;
}

export function valueOf(row: ArrayLike<number>): number {
  return row[abi.RESULT_VALUE] ?? -Infinity;
}

/** Positions of the `count` best values that are ranked at all, best first; equal values keep their order. */
export function leadersOf(columns: Float64Array, count = LEADER_COUNT): number[] {
  return rankedRows(valuesOf(columns), count);
}

/** The ranked value of each trial of a table. */
export function valuesOf(columns: Float64Array): Float64Array {
  const size = columns.length / abi.RESULT_LENGTH;
  return columns.subarray(abi.RESULT_VALUE * size, (abi.RESULT_VALUE + 1) * size);
}

export interface Refinement {
  /** Every refined trial in order, set after set, and f64[RESULT_LENGTH * count] */
  sets: Float64Array;
  columns: Float64Array;
}

/** Runs sets: the engine, or a source of known results. @param from number of the first set */
export type SetRunner = (sets: Float64Array, from: number) => Float64Array;

/** Every set of the stages after the samples (stages.ts). @param samples how many trials the random search had */
export function refine(
  search: Search,
  leaders: readonly Candidate[],
  samples: number,
  run: SetRunner = (sets) => runSets(search, sets).columns,
): Refinement {
  const sets: Float64Array[] = [];
  const runs: Float64Array[] = [];
  const ranked = leaders.map(({ set, row }) => ({ set, value: valueOf(row) }));
  const { space, isGuided, coding } = search;
  const plan = stages({ space, samples, isGuided, ...(coding && { encode: coding.encode }) }, ranked);
  for (let next = plan.next(); next.done !== true;) {
    const draw = next.value;
    const drawn = drawGeneration(search, draw, 0, draw.count);
    const columns = run(drawn, draw.first);
    sets.push(drawn);
    runs.push(columns);
    next = plan.next({ setAt: (i) => setOf(drawn, i, search.setLength), values: valuesOf(columns) });
  }
  return { sets: joinParts(sets), columns: joinColumns(runs) };
}

/** Sets from .. from + count - 1 of a generation, one after the other. */
export function drawGeneration(search: Search, draw: GenerationDraw, from: number, count: number): Float64Array {
  const { engine, spaceAt, coding } = search;
  const setLength = drawnLengthOf(search);
  const { raw } = engine;
  const seed = BigInt.asUintN(64, search.seed ^ REFINE_SEED);
  const first = BigInt(draw.first);
  const mark = raw.arenaMark();
  const setsAt = engine.reserve(setLength * count);
  if (draw.stage === 'refine') {
    const basesAt = engine.push(coding === undefined ? draw.bases : coding.encode(draw.bases));
    raw.mutateSets(seed, first, from, count, spaceAt, basesAt, draw.perBase, MUTATION_SHARE, draw.reach, setsAt);
  } else {
    const { base, slots, mean, factor } = draw;
    const slotsAt = pushIntegers(engine, slots);
    const [baseAt, meanAt, factorAt] = [engine.push(base), engine.push(mean), engine.push(factor)] as const;
    raw.guideSets(seed, first, from, count, spaceAt, baseAt, slotsAt, slots.length, meanAt, factorAt, setsAt);
  }
  const drawn = engine.pull(setsAt, setLength * count);
  raw.arenaRelease(mark);
  return setsOfDrawn(search, drawn);
}

export interface Trials {
  from: number;
  /** Random samples that ran here, f64[RESULT_LENGTH * count] */
  columns: Float64Array;
  refined: Refinement;
  /** Best samples, best first */
  leaders: Candidate[];
}

/** The best trial of all: refined ones win only when they are better. Undefined when none was ranked. */
export function bestOf({ leaders, refined }: Trials): Candidate | undefined {
  const [sample] = leaders;
  const [at] = leadersOf(refined.columns, 1);
  if (at === undefined) return sample;
  const result = candidateOf(refined.sets, refined.columns, at, 'refined', at);
  return sample !== undefined && valueOf(sample.row) >= valueOf(result.row) ? sample : result;
}

/** Trial `i` of a run of sets. */
export function candidateOf(
  sets: Float64Array,
  columns: Float64Array,
  i: number,
  kind: 'sample' | 'refined',
  index: number,
): Candidate {
  const count = columns.length / abi.RESULT_LENGTH;
  const length = sets.length / count;
  return {
    set: sets.slice(i * length, (i + 1) * length),
    row: rowAt(columns, i),
    origin: { kind, index },
  };
}

/** Result `i` of a table. */
export function rowAt(columns: Float64Array, i: number): Float64Array {
  const count = columns.length / abi.RESULT_LENGTH;
  return Float64Array.from({ length: abi.RESULT_LENGTH }, (_, field) => columns[field * count + i] ?? Number.NaN);
}

/** Column tables put below one another, column by column. */
function joinColumns(tables: readonly Float64Array[]): Float64Array {
  const counts = tables.map((table) => table.length / abi.RESULT_LENGTH);
  const columns = Array.from({ length: abi.RESULT_LENGTH }, (_, field) =>
    joinParts(tables.map((table, k) => table.subarray(field * (counts[k] ?? 0), (field + 1) * (counts[k] ?? 0)))),
  );
  return joinParts(columns);
}

/** A plain loop: `map` calls back for every value, which took a fortieth of a search. */
function divideInto(quotients: Float64Array, top: Float64Array, bottom: Float64Array): Float64Array {
  for (let i = 0; i < top.length; i++) {
    const part = bottom[i] ?? 0;
    quotients[i] = part > 0 ? (top[i] ?? Number.NaN) / part : Number.NaN;
  }
  return quotients;
}

/**
 * The columns of a table as views of it, and the ratios in a second buffer: a result with few buffers transfers in half of the time, and
 * nothing is copied. A retained column retains the whole table.
 */
export function trialColumns(columns: Float64Array): TrialColumns {
  const count = columns.length / abi.RESULT_LENGTH;
  const column = (field: number): Float64Array => columns.subarray(field * count, (field + 1) * count);
  const ratios = new Float64Array(3 * count);
  const quotients = (place: number, top: Float64Array, bottom: Float64Array): Float64Array =>
    divideInto(ratios.subarray(place * count, (place + 1) * count), top, bottom);
  const [netPnl, tradeCount, winCount] = [abi.RESULT_NET_PNL, abi.RESULT_TRADE_COUNT, abi.RESULT_WIN_COUNT].map(
    column,
  ) as [Float64Array, Float64Array, Float64Array];
  return {
    netPnl,
    tradeCount,
    winCount,
    winRate: quotients(0, winCount, tradeCount),
    profitFactor: quotients(1, column(abi.RESULT_GAIN), column(abi.RESULT_LOSS)),
    expectancy: quotients(2, netPnl, tradeCount),
    closedDrawdownFraction: column(abi.RESULT_CLOSED_DRAWDOWN),
    maxDrawdownFraction: column(abi.RESULT_MAX_DRAWDOWN),
    sharpe: column(abi.RESULT_SHARPE),
    sortino: column(abi.RESULT_SORTINO),
    calmar: column(abi.RESULT_CALMAR),
    value: column(abi.RESULT_VALUE),
  };
}
