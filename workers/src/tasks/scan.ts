import { BACKTEST_VOTE_COUNT } from '@sextant/engine-as/abi/votes.ts';
import { voteIds } from '@sextant/engine-as/abi/voteExports.ts';
import type { Engine } from '../engine/engine.ts';
import { fail, ok, type Candles, type TaskResult } from '../protocol.ts';
import type { ScanInput, ScanResult, ScanRow, ScanSeries } from '../protocolOptimize.ts';
import { expectOk, pushIntegers } from './optimize/market.ts';
import { weightTenths } from './rules.ts';
import { candleFields, validateCandles } from './validateCandles.ts';
import { firstFailure, validateWeights } from './validateStrategy.ts';

/** Bounds the time and the answer of one task; a venue lists fewer. */
const SERIES_MAX = 5000;

/** Votes and score of the last closed candle of many series: what a scanner asks for every candle of every symbol. */
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
  return ok({ rows: startScanner(engine, longest(series), weights)(series) });
}

const longest = (series: readonly ScanSeries[]): number =>
  series.reduce((most, { candles }) => Math.max(most, candles.time.length), 1);

/** Room for two series in the arena, for all of them in turn: two of the same length are scanned side by side. */
function startScanner(
  engine: Engine,
  capacity: number,
  weights: Record<string, number>,
): (series: readonly ScanSeries[]) => ScanRow[] {
  const one = reserveColumns(engine, capacity);
  const two = reserveColumns(engine, capacity);
  const votesAt = engine.reserveBytes(4 * BACKTEST_VOTE_COUNT);
  const isLiveAt = votesAt + 2 * BACKTEST_VOTE_COUNT;
  const tenths = weightTenths(weights);
  const row = (entry: ScanSeries, lane: number): ScanRow => {
    const skip = lane * BACKTEST_VOTE_COUNT;
    const votes = engine.i8View(votesAt + skip, BACKTEST_VOTE_COUNT);
    return rowOf(entry, votes, engine.u8View(isLiveAt + skip, BACKTEST_VOTE_COUNT), tenths);
  };
  return (series) => {
    const rows: ScanRow[] = [];
    for (const [first, second] of pairsOfOneLength(series)) {
      const a = series[first] as ScanSeries;
      const length = a.candles.time.length;
      copyIn(engine, one.addresses, a.candles);
      if (second === undefined) {
        expectOk(engine.raw.lastVotes(one.columnsAt, length, votesAt, isLiveAt));
      } else {
        const b = series[second] as ScanSeries;
        copyIn(engine, two.addresses, b.candles);
        expectOk(engine.raw.lastVotesOfTwo(one.columnsAt, two.columnsAt, length, votesAt, isLiveAt));
        rows[second] = row(b, 1);
      }
      rows[first] = row(a, 0);
    }
    return rows;
  };
}

/** Indices of the series, two of the same length together where there are two. */
function pairsOfOneLength(series: readonly ScanSeries[]): [number, number?][] {
  const pairs: [number, number?][] = [];
  const waiting = new Map<number, number>();
  series.forEach(({ candles }, i) => {
    const length = candles.time.length;
    const other = waiting.get(length);
    if (other === undefined) waiting.set(length, i);
    else {
      pairs.push([other, i]);
      waiting.delete(length);
    }
  });
  return [...pairs, ...[...waiting.values()].map((i): [number] => [i])];
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
