import { BACKTEST_VOTE_COUNT } from '@sextant/engine-as/abi/votes.ts';
import { voteIds } from '@sextant/engine-as/abi/voteExports.ts';
import type { Engine } from '../engine/engine.ts';
import type { Candles } from '../protocol/backtest.ts';
import { fail, type TaskResult } from '../protocol/taskResult.ts';
import type { ScanInput, ScanResult, ScanRow, ScanSeries } from '../protocol/optimize.ts';
import { expectOk, pushIntegers } from './optimize/market.ts';
import { weightTenths } from './rules.ts';
import { candleFields } from '../candles/candleColumns.ts';
import { validateCandles } from './validateCandles.ts';
import { firstFailure, validateWeights } from './validateParams.ts';
import { ok } from '../core/result.ts';

/** Bounds the time and the result of one task; a venue lists fewer. */
const SERIES_MAX = 5000;

/** Votes and score of the last closed candle of many series: what a scanner computes for every candle of every symbol. */
export function scan(engine: Engine, { series, weights }: ScanInput): TaskResult<ScanResult> {
  if (series.length > SERIES_MAX) {
    return fail('bad_input', `series holds ${series.length}, at most ${SERIES_MAX} are taken`, 'series');
  }
  const valid = firstFailure([
    () => validateWeights(weights, 'weights'),
    ...series.map(
      ({ candles }, i) =>
        () =>
          validateCandles(candles, 1, `series[${i}].candles`),
    ),
  ]);
  if (!valid.ok) return valid;
  return ok({ rows: series.map(startScanner(engine, longest(series), weights)) });
}

const longest = (series: readonly ScanSeries[]): number =>
  series.reduce((most, { candles }) => Math.max(most, candles.time.length), 1);

/** Room for one series in the arena, used for all of them in turn. */
function startScanner(
  engine: Engine,
  capacity: number,
  weights: Record<string, number>,
): (series: ScanSeries) => ScanRow {
  const { addresses, columnsAt } = reserveColumns(engine, capacity);
  const votesAt = engine.reserveBytes(2 * BACKTEST_VOTE_COUNT);
  const isLiveAt = votesAt + BACKTEST_VOTE_COUNT;
  const tenths = weightTenths(weights);
  return (entry) => {
    copyIn(engine, addresses, entry.candles);
    expectOk(engine.raw.lastVotes(columnsAt, entry.candles.time.length, votesAt, isLiveAt));
    const votes = engine.i8View(votesAt, BACKTEST_VOTE_COUNT);
    return rowOf(entry, votes, engine.u8View(isLiveAt, BACKTEST_VOTE_COUNT), tenths);
  };
}

function reserveColumns(engine: Engine, capacity: number): { addresses: number[]; columnsAt: number } {
  const addresses = candleFields.map(() => engine.reserve(capacity));
  return { addresses, columnsAt: pushIntegers(engine, addresses) };
}

function rowOf(
  { symbol, interval, candles }: ScanSeries,
  votes: Int8Array,
  isLive: Uint8Array,
  tenths: Int32Array,
): ScanRow {
  const last = candles.time.length - 1;
  return {
    symbol,
    interval,
    timeMs: candles.time[last] ?? Number.NaN,
    close: candles.close[last] ?? Number.NaN,
    score: scoreOf(votes, isLive, tenths),
    votes: Object.fromEntries(Array.from(votes, (vote, k) => [voteIds[k] ?? '', vote])),
  };
}

function copyIn(engine: Engine, addresses: readonly number[], candles: Candles): void {
  candleFields.forEach((name, k) => {
    engine.f64View(addresses[k] ?? 0, candles.time.length).set(candles[name]);
  });
}

/** An integer over an integer, rounded once: the bits of the score kernel. Null while a weighted vote warms up. */
function scoreOf(votes: Int8Array, isLive: Uint8Array, tenths: Int32Array): number | null {
  const total = tenths.reduce((whole, weight) => whole + weight, 0);
  let sum = 0;
  for (let k = 0; k < BACKTEST_VOTE_COUNT; k++) {
    if ((tenths[k] ?? 0) === 0) continue;
    if (isLive[k] === 0) return null;
    sum += (tenths[k] ?? 0) * (votes[k] ?? 0);
  }
  return total === 0 ? 0 : sum / total;
}
