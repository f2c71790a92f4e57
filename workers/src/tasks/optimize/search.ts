import * as abi from '@sextant/engine-as/abi/optimize.ts';
import type { Engine } from '../../engine/engine.ts';
import type { OptimizeInput, OptimizeTarget, TrialColumns, Window } from '../../protocolOptimize.ts';
import type { Market } from './market.ts';
import { packSet } from './space.ts';

export const targetCodes: Record<OptimizeTarget, number> = {
  pnl: abi.TARGET_PNL,
  winRate: abi.TARGET_WIN_RATE,
  sharpe: abi.TARGET_SHARPE,
  sortino: abi.TARGET_SORTINO,
  calmar: abi.TARGET_CALMAR,
  profitFactor: abi.TARGET_PROFIT_FACTOR,
  expectancy: abi.TARGET_EXPECTANCY,
};

/** Sets that are refined, and how often; together they make as many refined trials as there were samples. */
const LEADER_COUNT = 5;
const REACHES = [0.25, 0.12, 0.06, 0.03];
const MUTATION_SHARE = 0.35;
/** Keeps the draws of the refinement apart from those of the samples. */
const REFINE_SEED = 0x52ef1e5e7a9c3d41n;

/** A search under way: the market, the space and the user's set in the arena, and the window it runs on. */
export interface Search {
  engine: Engine;
  market: Market;
  spaceAt: number;
  currentAt: number;
  seed: bigint;
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
  market: Market,
  space: Float64Array,
  input: OptimizeInput,
  window: Window,
): Search {
  return {
    engine,
    market,
    window,
    spaceAt: engine.push(space),
    currentAt: engine.push(packSet(input.params)),
    seed: BigInt(input.seed),
    target: targetCodes[input.target],
  };
}

/** Sets per call of the engine: bounds its result table to 7 MiB. */
const CHUNK = 65_536;

/** Result columns of samples from .. from + count - 1: f64[RESULT_LENGTH * count]. */
export function runSamples(search: Search, from: number, count: number, onDone?: (done: number) => void): Float64Array {
  const parts: Float64Array[] = [];
  for (let done = 0; done < count; done += CHUNK) {
    parts.push(runChunk(search, from + done, Math.min(CHUNK, count - done)));
    onDone?.(Math.min(done + CHUNK, count));
  }
  return parts.length === 1 ? (parts[0] ?? new Float64Array()) : joinColumns(parts);
}

function runChunk({ engine, market, ...search }: Search, from: number, count: number): Float64Array {
  const mark = engine.raw.arenaMark();
  const results = engine.reserve(abi.RESULT_LENGTH * count);
  const { start, end } = search.window;
  const { seed, spaceAt, currentAt, target } = search;
  engine.raw.optimizeSamples(market.at, seed, BigInt(from), count, spaceAt, currentAt, start, end, target, results);
  const columns = engine.pull(results, abi.RESULT_LENGTH * count);
  engine.raw.arenaRelease(mark);
  return columns;
}

export interface SetRun {
  columns: Float64Array;
  /** f64[bars * count] when asked for */
  equity: Float64Array;
}

/** Runs `sets`, f64[SET_LENGTH * count]. */
export function runSets(search: Search, sets: Float64Array, withEquity = false): SetRun {
  const { engine, market, target } = search;
  const { start, end } = search.window;
  const count = sets.length / abi.SET_LENGTH;
  const mark = engine.raw.arenaMark();
  const setsAt = engine.push(sets);
  const results = engine.reserve(abi.RESULT_LENGTH * count);
  const equityLength = withEquity ? (end - start) * count : 0;
  const equityAt = withEquity ? engine.reserve(equityLength) : 0;
  engine.raw.optimizeSets(market.at, setsAt, count, start, end, target, results, equityAt);
  const run = { columns: engine.pull(results, abi.RESULT_LENGTH * count), equity: engine.pull(equityAt, equityLength) };
  engine.raw.arenaRelease(mark);
  return run;
}

/** Sample sets by index, f64[SET_LENGTH * indices.length]. */
export function sampleSets({ engine, seed, spaceAt, currentAt }: Search, indices: readonly number[]): Float64Array {
  const mark = engine.raw.arenaMark();
  const setsAt = engine.reserve(abi.SET_LENGTH * indices.length);
  indices.forEach((index, i) => {
    engine.raw.sampleSet(seed, BigInt(index), spaceAt, currentAt, setsAt + 8 * abi.SET_LENGTH * i);
  });
  const sets = engine.pull(setsAt, abi.SET_LENGTH * indices.length);
  engine.raw.arenaRelease(mark);
  return sets;
}

export function valueOf(row: ArrayLike<number>): number {
  return row[abi.RESULT_VALUE] ?? -Infinity;
}

/** Positions of the `count` best values that are ranked at all, best first; equal values keep their order. */
export function leadersOf(columns: Float64Array, count = LEADER_COUNT): number[] {
  const size = columns.length / abi.RESULT_LENGTH;
  const values = columns.subarray(abi.RESULT_VALUE * size, (abi.RESULT_VALUE + 1) * size);
  const best: number[] = [];
  values.forEach((value, i) => {
    if (value === -Infinity || (best.length === count && value <= (values[best[count - 1] ?? 0] ?? Infinity))) return;
    const at = best.findIndex((other) => value > (values[other] ?? -Infinity));
    best.splice(at < 0 ? best.length : at, 0, i);
    if (best.length > count) best.pop();
  });
  return best;
}

/** The same, filled up with rows that are not ranked, in their order: as many as there are. */
function firstRows(columns: Float64Array, count: number): number[] {
  const first = leadersOf(columns, count);
  const size = columns.length / abi.RESULT_LENGTH;
  for (let i = 0; i < size && first.length < count; i++) {
    if (columns[abi.RESULT_VALUE * size + i] === -Infinity) first.push(i);
  }
  return first;
}

export interface Refinement {
  /** f64[SET_LENGTH * count] and f64[RESULT_LENGTH * count] of every refined trial, in order */
  sets: Float64Array;
  columns: Float64Array;
}

/** Runs sets: the engine, or a source of known results. @param from number of the first set */
export type SetRunner = (sets: Float64Array, from: number) => Float64Array;

/** Draws around the best, nearer in each round. @param samples how many trials the random search had */
export function refine(
  search: Search,
  leaders: readonly Candidate[],
  samples: number,
  run: SetRunner = (sets) => runSets(search, sets).columns,
): Refinement {
  const perLeader = Math.max(1, Math.floor(samples / (LEADER_COUNT * REACHES.length)));
  const seed = BigInt.asUintN(64, search.seed ^ REFINE_SEED);
  const sets: Float64Array[] = [];
  const runs: Float64Array[] = [];
  let bases = [...leaders];
  let made = 0;
  for (const reach of REACHES) {
    if (bases.length === 0) break;
    const drawn = mutations(search, bases, perLeader, { seed, from: made, reach });
    const columns = run(drawn, made);
    const count = columns.length / abi.RESULT_LENGTH;
    const found = firstRows(columns, LEADER_COUNT).map((i) => candidateOf(drawn, columns, i, 'refined', made + i));
    bases = [...bases, ...found].sort((a, b) => valueOf(b.row) - valueOf(a.row)).slice(0, LEADER_COUNT);
    sets.push(drawn);
    runs.push(columns);
    made += count;
  }
  return { sets: concat(sets), columns: joinColumns(runs) };
}

interface MutationDraw {
  seed: bigint;
  from: number;
  reach: number;
}

function mutations(search: Search, bases: readonly Candidate[], perLeader: number, draw: MutationDraw): Float64Array {
  const { engine, spaceAt } = search;
  const mark = engine.raw.arenaMark();
  const count = bases.length * perLeader;
  const setsAt = engine.reserve(abi.SET_LENGTH * count);
  const bounds = bases.map(({ set }) => engine.push(set));
  for (let i = 0; i < count; i++) {
    const base = bounds[Math.floor(i / perLeader)] ?? 0;
    const set = setsAt + 8 * abi.SET_LENGTH * i;
    engine.raw.mutateSet(draw.seed, BigInt(draw.from + i), spaceAt, base, MUTATION_SHARE, draw.reach, set);
  }
  const sets = engine.pull(setsAt, abi.SET_LENGTH * count);
  engine.raw.arenaRelease(mark);
  return sets;
}

export interface Trials {
  from: number;
  /** Random samples that ran here, f64[RESULT_LENGTH * count] */
  columns: Float64Array;
  refined: Refinement;
  /** Best samples, best first */
  leaders: Candidate[];
}

/** The best trial of all: refined ones win only when they are better. Undefined when nothing could be ranked. */
export function bestOf({ leaders, refined }: Trials): Candidate | undefined {
  const [sample] = leaders;
  const [at] = leadersOf(refined.columns, 1);
  if (at === undefined) return sample;
  const found = candidateOf(refined.sets, refined.columns, at, 'refined', at);
  return sample !== undefined && valueOf(sample.row) >= valueOf(found.row) ? sample : found;
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
  return {
    set: sets.slice(i * abi.SET_LENGTH, (i + 1) * abi.SET_LENGTH),
    row: Float64Array.from({ length: abi.RESULT_LENGTH }, (_, field) => columns[field * count + i] ?? Number.NaN),
    origin: { kind, index },
  };
}

function concat(parts: readonly Float64Array[]): Float64Array {
  const whole = new Float64Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Column tables put below one another, column by column. */
function joinColumns(tables: readonly Float64Array[]): Float64Array {
  const counts = tables.map((table) => table.length / abi.RESULT_LENGTH);
  const columns = Array.from({ length: abi.RESULT_LENGTH }, (_, field) =>
    concat(tables.map((table, k) => table.subarray(field * (counts[k] ?? 0), (field + 1) * (counts[k] ?? 0)))),
  );
  return concat(columns);
}

export function trialColumns(columns: Float64Array): TrialColumns {
  const count = columns.length / abi.RESULT_LENGTH;
  const column = (field: number): Float64Array => columns.slice(field * count, (field + 1) * count);
  const ratio = (top: Float64Array, bottom: Float64Array): Float64Array =>
    top.map((value, i) => ((bottom[i] ?? 0) > 0 ? value / (bottom[i] ?? 0) : Number.NaN));
  const [netPnl, tradeCount, winCount] = [abi.RESULT_NET_PNL, abi.RESULT_TRADE_COUNT, abi.RESULT_WIN_COUNT].map(
    column,
  ) as [Float64Array, Float64Array, Float64Array];
  return {
    netPnl,
    tradeCount,
    winCount,
    winRate: ratio(winCount, tradeCount),
    profitFactor: ratio(column(abi.RESULT_GAIN), column(abi.RESULT_LOSS)),
    expectancy: ratio(netPnl, tradeCount),
    closedDrawdownFraction: column(abi.RESULT_CLOSED_DRAWDOWN),
    maxDrawdownFraction: column(abi.RESULT_MAX_DRAWDOWN),
    sharpe: column(abi.RESULT_SHARPE),
    sortino: column(abi.RESULT_SORTINO),
    calmar: column(abi.RESULT_CALMAR),
    value: column(abi.RESULT_VALUE),
  };
}
