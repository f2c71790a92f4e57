import { readFile } from 'node:fs/promises';
import { INDICATOR_STATE_LENGTH } from '../abi/indicatorKinds.ts';
import { indicatorEntry, kernelParameters, resolveParameters } from '../abi/registry.ts';
import type { Parameters } from '../abi/registryTypes.ts';
import { STATUS_OK } from '../abi/status.ts';
import { type VoteParameters, voteParameterRecord } from '../abi/voteParameters.ts';
import { VOTE_COUNT } from '../abi/votes.ts';
import { compileEngine, type Engine, instantiate } from '@sextant/workers/src/engine/engine.ts';
import { expect } from 'vitest';
import { buildEngine } from '../build.ts';
import { candleColumns, type Columns } from './candles.ts';

/** A fresh engine from the sources as they are. */
export async function loadEngine(): Promise<Engine> {
  const { path } = await buildEngine();
  return instantiate((await compileEngine(new Uint8Array(await readFile(path)))).module);
}

export type Series = Record<string, Float64Array>;

/** Columns of `candles` in the arena, with room for `capacity` candles in each. */
export function pushColumns(engine: Engine, candles: Columns, capacity = candles.close.length): number {
  const addresses = candleColumns.map((name) => {
    const address = engine.reserve(capacity);
    engine.f64View(address, candles[name].length).set(candles[name]);
    return address;
  });
  const at = engine.reserveBytes(24);
  engine.i32View(at, 6).set(addresses);
  return at;
}

/** One indicator of the registry over whole candles, as the kernel gives it. */
export function indicator(engine: Engine, id: string, candles: Columns, overrides: Parameters = {}): Series {
  engine.raw.arenaReset();
  const { entry, params } = resolve(id, overrides);
  const length = candles.close.length;
  const columns = pushColumns(engine, candles);
  const paramsAt = engine.push(params);
  const out = engine.reserve(entry.outputs.length * length);
  engine.u8View(out, entry.outputs.length * length * 8).fill(0xa5); // a sentinel shows what was not written
  expect(engine.raw.indicator(entry.kind, columns, length, paramsAt, out, length, 0)).toBe(STATUS_OK);
  return Object.fromEntries(entry.outputs.map(({ name }, k) => [name, engine.pull(out + 8 * k * length, length)]));
}

/** The same by streaming: `steps` are the lengths at which the kernel is called, the last one being the whole; `onStep` sees the outputs in place. */
export function streamed(
  engine: Engine,
  id: string,
  candles: Columns,
  steps: readonly number[],
  overrides: Parameters = {},
  onStep?: (count: number, series: Series) => void,
): Series {
  engine.raw.arenaReset();
  const { entry, params } = resolve(id, overrides);
  const length = candles.close.length;
  const columns = pushColumns(engine, candles);
  const paramsAt = engine.push(params);
  const out = engine.reserve(entry.outputs.length * length);
  const state = engine.reserve(INDICATOR_STATE_LENGTH);
  engine.f64View(state, INDICATOR_STATE_LENGTH).fill(0);
  const views = (): Series =>
    Object.fromEntries(entry.outputs.map(({ name }, k) => [name, engine.f64View(out + 8 * k * length, length)]));
  for (const count of steps) {
    expect(engine.raw.indicator(entry.kind, columns, count, paramsAt, out, length, state)).toBe(STATUS_OK);
    onStep?.(count, views());
  }
  return Object.fromEntries(entry.outputs.map(({ name }, k) => [name, engine.pull(out + 8 * k * length, length)]));
}

function resolve(id: string, overrides: Parameters) {
  const entry = indicatorEntry(id);
  if (entry === undefined) throw new Error(`no indicator ${id}`);
  const resolved = resolveParameters(entry, overrides);
  if (!resolved.ok) throw new Error(`${resolved.name} ${resolved.message}`);
  return { entry, params: Float64Array.from(kernelParameters(entry, resolved.params)) };
}

export interface VoteTable {
  /** votes[k][i] in {-1, 0, 1} */
  votes: Int8Array[];
  first: Int32Array;
}

/** @param parameters the registry's defaults when absent */
export function voteTable(engine: Engine, candles: Columns, parameters?: VoteParameters): VoteTable {
  engine.raw.arenaReset();
  const parametersAt = parameters === undefined ? 0 : engine.push(voteParameterRecord(parameters));
  const length = candles.close.length;
  const columns = pushColumns(engine, candles);
  const votes = engine.reserveBytes(VOTE_COUNT * length);
  const first = engine.reserveBytes(4 * VOTE_COUNT);
  expect(engine.raw.votes(columns, length, votes, length, first, parametersAt)).toBe(STATUS_OK);
  return {
    votes: Array.from({ length: VOTE_COUNT }, (_, k) => engine.i8View(votes + k * length, length).slice()),
    first: engine.i32View(first, VOTE_COUNT).slice(),
  };
}

/** Score and live votes of a vote table. */
export function scoreOf(engine: Engine, table: VoteTable, weights: readonly number[]) {
  engine.raw.arenaReset();
  const length = table.votes[0]!.length;
  const votes = engine.reserveBytes(VOTE_COUNT * length);
  table.votes.forEach((column, k) => engine.i8View(votes + k * length, length).set(column));
  const first = engine.reserveBytes(4 * VOTE_COUNT);
  engine.i32View(first, VOTE_COUNT).set(table.first);
  const weightsAt = engine.reserveBytes(4 * VOTE_COUNT);
  engine.i32View(weightsAt, VOTE_COUNT).set(weights);
  const score = engine.reserve(length);
  const live = engine.reserveBytes(length);
  const status = engine.raw.score(votes, length, length, first, weightsAt, score, live);
  return { status, score: engine.pull(score, length), live: engine.u8View(live, length).slice() };
}

/** Index of the first bit that differs, or -1. NaN equals NaN: its payload means nothing. */
export function firstDifference(a: Float64Array, b: Float64Array): number {
  if (a.length !== b.length) return Math.min(a.length, b.length);
  const left = new BigInt64Array(a.buffer, a.byteOffset, a.length);
  const right = new BigInt64Array(b.buffer, b.byteOffset, b.length);
  for (let i = 0; i < a.length; i++) {
    if (left[i] !== right[i] && !(Number.isNaN(a[i]) && Number.isNaN(b[i]))) return i;
  }
  return -1;
}

/** Every output of `got` must be `want`'s to the bit. */
export function expectSameBits(got: Series, want: Series, hint: string): void {
  for (const [name, column] of Object.entries(want)) {
    const at = firstDifference(got[name]!, column);
    expect(at, `${hint}: ${name}[${at}] is ${got[name]![at]}, want ${column[at]}`).toBe(-1);
  }
}

/**
 * Value by value within `tolerance` of max(|want|, scale); NaN (warm-up) must meet NaN. `scale` is the size below which
 * a difference is rounding of the inputs: the price for differences of prices, 1 for indices.
 */
export function expectSeries(
  got: ArrayLike<number>,
  want: ArrayLike<number>,
  { tolerance = 1e-9, scale = 0, hint = '' } = {},
): void {
  expect(got.length).toBe(want.length);
  for (let i = 0; i < want.length; i++) {
    const value = got[i]!;
    const target = want[i]!;
    const isSame = Number.isNaN(target)
      ? Number.isNaN(value)
      : Math.abs(value - target) <= tolerance * Math.max(Math.abs(target), scale);
    if (!isSame) expect.fail(`${hint} index ${i}: got ${value}, want ${target}`);
  }
}
