import * as abi from '@sextant/engine-as/abi/ensemble.ts';
import { STATUS_OK, STATUS_OUT_OF_MEMORY } from '@sextant/engine-as/abi/status.ts';
import { type VoteParameters, voteParameterRecord } from '@sextant/engine-as/abi/voteParameters.ts';
import { VOTE_COUNT } from '@sextant/engine-as/abi/votes.ts';
import { type Engine, OutOfMemory } from '../../engine/engine.ts';
import type { Candles } from '../../protocol/backtest.ts';
import type { EnsembleTimeframe } from '../../protocol/ensemble.ts';
import { candleFields } from '../../candles/candleColumns.ts';

/** One series in the arena: its columns and its votes. */
export interface PushedSeries {
  columnsAt: number;
  timeAt: number;
  count: number;
  stepMs: number;
  votesAt: number;
  stride: number;
  firstAt: number;
  /** The score of each candle by its own votes alone, once it was requested with the weights of this call. */
  ownScores?: Float64Array;
}

/** A series as one interval of an ensemble: which of its candles is known at each base candle. */
export interface PushedTimeframe extends PushedSeries {
  /** 0 for the base itself. */
  indexAt: number;
  series: PushedSeries;
}

/** Series that are in the arena already, by their candles: checked, and good for every ensemble under the same rules. */
export type KnownSeries = Map<Candles, PushedSeries>;

export interface SeriesOfVotes extends Pick<EnsembleTimeframe, 'candles' | 'stepMs'> {
  /** As `pushParameters` put them; the defaults when absent. */
  parametersAt?: number;
  /** Addresses of the columns where they are in the arena already. */
  columns?: readonly number[];
}

/** Parameters of votes for the kernel: an address, or 0 for the defaults. */
export const pushParameters = (engine: Engine, parameters: VoteParameters | undefined): number =>
  parameters === undefined ? 0 : engine.push(voteParameterRecord(parameters));

/** Puts checked candles into the arena and computes every vote on them. */
export function pushSeries(engine: Engine, { candles, stepMs, parametersAt = 0, columns }: SeriesOfVotes) {
  const count = candles.time.length;
  const addresses = columns ?? candleFields.map((name) => engine.push(candles[name]));
  const columnsAt = pushIntegers(engine, addresses);
  const timeAt = addresses[0] ?? 0;
  const stride = (count + 15) & ~15;
  const votesAt = engine.reserveBytes(VOTE_COUNT * stride);
  const firstAt = engine.reserveBytes(4 * VOTE_COUNT);
  expectOk(engine.raw.votes(columnsAt, count, votesAt, stride, firstAt, parametersAt));
  return { columnsAt, timeAt, count, stepMs, votesAt, stride, firstAt } satisfies PushedSeries;
}

/** Everything the ensemble kernels read of one interval. `base` is absent for the base itself. */
export function pushTimeframe(
  engine: Engine,
  timeframe: SeriesOfVotes,
  known: KnownSeries,
  base?: PushedTimeframe,
): PushedTimeframe {
  const match = known.get(timeframe.candles);
  const series: PushedSeries = match?.stepMs === timeframe.stepMs ? match : pushSeries(engine, timeframe);
  if (base === undefined) return { ...series, series, indexAt: 0 };
  const { timeAt, count, stepMs } = series;
  const indexAt = engine.reserveBytes(4 * base.count);
  engine.raw.asOf(base.timeAt, base.count, base.stepMs, timeAt, count, stepMs, indexAt);
  return { ...series, series, indexAt };
}

/** Rows as abi/ensemble.ts lays them out; weights in tenths. */
export function pushRows(engine: Engine, pushed: readonly PushedTimeframe[], tenths: readonly number[]): number {
  const rows = new Int32Array(pushed.length * abi.TIMEFRAME_LENGTH);
  pushed.forEach(({ votesAt, stride, firstAt, indexAt }, t) => {
    const row = t * abi.TIMEFRAME_LENGTH;
    rows[row + abi.TIMEFRAME_VOTES] = votesAt;
    rows[row + abi.TIMEFRAME_STRIDE] = stride;
    rows[row + abi.TIMEFRAME_FIRST] = firstAt;
    rows[row + abi.TIMEFRAME_INDEX] = indexAt;
    rows[row + abi.TIMEFRAME_WEIGHT] = tenths[t] ?? 0;
  });
  return pushIntegers(engine, rows);
}

export function pushIntegers(engine: Engine, values: ArrayLike<number>): number {
  const at = engine.reserveBytes(4 * values.length);
  engine.i32View(at, values.length).set(values);
  return at;
}

export function expectOk(status: number): void {
  if (status === STATUS_OUT_OF_MEMORY) throw new OutOfMemory('the votes of these candles do not fit');
  if (status !== STATUS_OK) throw new Error(`the ensemble rejected checked input with status ${status}`);
}
