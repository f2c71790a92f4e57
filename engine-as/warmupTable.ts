import { readFile } from 'node:fs/promises';
import { compileEngine, type Engine, instantiate } from '@sextant/workers/src/engine/engine.ts';
import { kernelParameters, registry, resolveParameters } from './abi/registry.ts';
import type { IndicatorEntry, IndicatorMemory } from './abi/registryTypes.ts';
import { buildEngine } from './build.ts';

/**
 * How many candles an indicator needs before its value no longer depends on where its data started: the value at the last candle from its
 * last N candles against the value from all of them, worst over several seeded markets.
 */

const CANDLES = 5000;
const MARKETS = 6;
/** Look-backs for which the table shows the error. */
export const shownCounts = [100, 200, 500, 1000, 2000] as const;
/** A value this close to the one from all candles counts as settled; relative to the output's own size. */
export const SETTLED = 1e-6;

export interface WarmupRow {
  id: string;
  /** First candle with every output defined, at the default parameters. */
  warmup: number;
  isDataDependent: boolean;
  memory: IndicatorMemory;
  /** Candles from which on the error stays within SETTLED; null when it never does. */
  settled: number | null;
  /** Worst relative error by shownCounts; null where the indicator is not defined yet. */
  errors: (number | null)[];
}

export async function warmupTable(): Promise<WarmupRow[]> {
  const { path } = await buildEngine();
  const engine = instantiate((await compileEngine(new Uint8Array(await readFile(path)))).module);
  const markets = Array.from({ length: MARKETS }, (_, seed) => seededMarket(seed + 1));
  return registry.map((entry) => rowOf(engine, entry, markets));
}

function rowOf(engine: Engine, entry: IndicatorEntry, markets: readonly Float64Array[][]): WarmupRow {
  const resolved = resolveParameters(entry);
  if (!resolved.ok) throw new Error(`${entry.id}: the default of ${resolved.name} ${resolved.message}`);
  const warmup = Math.max(...entry.outputs.map((output) => output.warmup(resolved.params)));
  const params = kernelParameters(entry, resolved.params);
  const full = markets.map((columns) => lastValues(engine, entry, params, columns, CANDLES));
  const errorAt = (count: number): number | null =>
    worst(markets.map((columns, m) => errorOf(lastValues(engine, entry, params, columns, count), full[m])));
  const counts = countsFrom(warmup + 1);
  const lastBad = counts.findLastIndex((count) => !((errorAt(count) ?? Infinity) <= SETTLED));
  return {
    id: entry.id,
    warmup,
    isDataDependent: entry.isWarmupDataDependent,
    memory: entry.memory,
    settled: counts[lastBad + 1] ?? null,
    errors: shownCounts.map(errorAt),
  };
}

interface Values {
  last: number[];
  /** Mean absolute value of each output: the scale of an error. */
  size: number[];
}

function lastValues(
  engine: Engine,
  { kind, outputs }: IndicatorEntry,
  params: readonly number[],
  columns: readonly Float64Array[],
  count: number,
): Values {
  engine.raw.arenaReset();
  const addresses = columns.map((column) => engine.push(column.subarray(CANDLES - count)));
  const at = engine.reserveBytes(addresses.length * 4);
  engine.i32View(at, addresses.length).set(addresses);
  const out = engine.reserve(outputs.length * count);
  engine.raw.indicator(kind, at, count, engine.push(Float64Array.from(params)), out, count, 0);
  const series = outputs.map((_, k) => [...engine.f64View(out + 8 * k * count, count)]);
  return {
    last: series.map((values) => values.at(-1) ?? Number.NaN),
    size: series.map((values) => {
      const defined = values.filter((value) => !Number.isNaN(value));
      return defined.reduce((sum, value) => sum + Math.abs(value), 0) / defined.length;
    }),
  };
}

function errorOf(short: Values, full: Values | undefined): number | null {
  if (full === undefined || short.last.some(Number.isNaN)) return null;
  return Math.max(...short.last.map((value, k) => Math.abs(value - (full.last[k] ?? 0)) / (full.size[k] ?? 1)));
}

function worst(errors: readonly (number | null)[]): number | null {
  return errors.reduce((most, error) => (most === null || error === null ? null : Math.max(most, error)), 0);
}

/** Every count at first, then steps of a twentieth: the table names a count that was really tried. */
function countsFrom(first: number): number[] {
  const counts: number[] = [];
  for (let count = first; count < CANDLES; count += Math.max(1, Math.floor(count / 20))) counts.push(count);
  return counts;
}

/** 15-minute candles that drift, burst and rest. Only exactly rounded operations: the same bits on every host. */
function seededMarket(seed: number): Float64Array[] {
  let state = seed;
  const uniform = (): number => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 4294967296;
  const columns = Array.from({ length: 6 }, () => new Float64Array(CANDLES));
  let price = 30000;
  for (let i = 0; i < CANDLES; i++) {
    const burst = uniform() < 0.05 ? 4 : 1;
    const close = price * (1 + (uniform() + uniform() + uniform() - 1.5) * 0.004 * burst);
    const high = Math.max(price, close) * (1 + uniform() * 0.002);
    const low = Math.min(price, close) * (1 - uniform() * 0.002);
    const row = [1704067200000 + i * 900_000, price, high, low, close, 1 + 1000 * uniform() * uniform()];
    row.forEach((value, k) => columns[k]?.fill(value, i, i + 1));
    price = close;
  }
  return columns;
}
