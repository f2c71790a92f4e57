import {
  FRAME_LENGTH,
  frameSlot,
  MARKET_LENGTH,
  RULES_LENGTH,
  SUMMARY_LENGTH,
  summarySlot,
  TRADE_LENGTH,
} from '@sextant/engine-as/abi/records.ts';
import { STATUS_OK, STATUS_OUT_OF_MEMORY } from '@sextant/engine-as/abi/status.ts';
import { BACKTEST_VOTE_COUNT, VOTE_COUNT } from '@sextant/engine-as/abi/votes.ts';
import { type Engine, OutOfMemory } from '../../engine/engine.ts';
import type { OptimizeInput } from '../../protocol/optimize.ts';
import { optionalColumns } from '../backtest.ts';
import { rulesOf, tierRows, weightTenths } from '../rules.ts';
import { candleFields } from '../../candles/candleColumns.ts';
import { unpackSet } from './space.ts';

/** One symbol in the arena, ready for many sets; it stays until the arena is reset. */
export interface Market {
  /** Address of the engine's market struct. */
  at: number;
  frameAt: number;
  rulesAt: number;
  summaryAt: number;
  equityAt: number;
  scoreAt: number;
  votesAt: number;
  firstAt: number;
  /** i32[count], see `asked` in abi/records.ts; 0 when not requested. */
  requestedAt: number;
  stride: number;
  count: number;
  /** First candle at which all thirteen votes are defined. */
  firstDefined: number;
}

export function pushMarket(engine: Engine, input: OptimizeInput): Market {
  const { candles, params, costs, scoredCount } = input;
  const count = candles.time.length;
  const columns = candleFields.map((name) => engine.push(candles[name]));
  const stride = (count + 15) & ~15;
  const votesAt = engine.reserveBytes(VOTE_COUNT * stride);
  const firstAt = engine.reserveBytes(4 * VOTE_COUNT);
  expectOk(engine.raw.votes(pushIntegers(engine, columns), count, votesAt, stride, firstAt, 0));
  const rulesAt = engine.push(rulesOf(params, costs, scoredCount));
  const [scoreAt, equityAt, summaryAt] = [count, count, SUMMARY_LENGTH].map((length) =>
    engine.reserve(length),
  ) as Three;
  const { tiers = [] } = costs;
  const frame = new Int32Array(FRAME_LENGTH);
  frame.set([count, ...columns, scoreAt]);
  frame.set(optionalColumns(engine, input), frameSlot.markOpen);
  const outputs = [tiers.length, engine.push(tierRows(tiers)), rulesAt, equityAt, summaryAt];
  frame.set(outputs, frameSlot.tierCount);
  const requestedAt = input.withUnknown === true ? pushIntegers(engine, new Int32Array(count)) : 0;
  frame[frameSlot.asked] = requestedAt;
  const frameAt = pushIntegers(engine, frame);
  const at = engine.reserveBytes(4 * MARKET_LENGTH);
  expectOk(engine.raw.optimizePrepare(frameAt, votesAt, stride, firstAt, at));
  const first = engine.i32View(firstAt, BACKTEST_VOTE_COUNT);
  return {
    at,
    frameAt,
    rulesAt,
    summaryAt,
    equityAt,
    scoreAt,
    votesAt,
    firstAt,
    requestedAt,
    stride,
    count,
    firstDefined: Math.max(...first),
  };
}

type Three = [number, number, number];

export interface SingleRun {
  status: number;
  /** f64[SUMMARY_LENGTH] */
  summary: Float64Array;
  /** f64[trades * TRADE_LENGTH] */
  trades: Float64Array;
  /** f64[end - start], mark to market at each close */
  equity: Float64Array;
  /** Candles that it left open, oldest first. */
  unknownBars: number[];
}

/** The plain backtest of one set on candles [start, end): the judge of the fast kernel. */
export function runSingle(
  engine: Engine,
  market: Market,
  set: Float64Array,
  { params, costs }: OptimizeInput,
  { start, end }: { start: number; end: number },
): SingleRun {
  const mark = engine.raw.arenaMark();
  const strategy = unpackSet(set, params);
  const weightsAt = pushIntegers(engine, weightTenths(strategy.weights));
  expectOk(engine.raw.score(market.votesAt, market.stride, market.count, market.firstAt, weightsAt, market.scoreAt, 0));
  engine.f64View(market.rulesAt, RULES_LENGTH).set(rulesOf(strategy, costs, end - start));
  // The run writes its scratch addresses into the frame; the market's own frame must keep its own.
  const frame = engine.i32View(market.frameAt, FRAME_LENGTH).slice();
  frame[frameSlot.count] = end;
  const requestedAt = pushIntegers(engine, new Int32Array(end));
  frame[frameSlot.asked] = requestedAt;
  const frameAt = pushIntegers(engine, frame);
  const status = engine.raw.backtest(frameAt);
  const summary = engine.pull(market.summaryAt, SUMMARY_LENGTH);
  const tradeSlots = status === STATUS_OK ? (summary[summarySlot.tradeCount] ?? 0) * TRADE_LENGTH : 0;
  const tradesAt = engine.i32View(frameAt, FRAME_LENGTH)[frameSlot.trades] ?? 0;
  const trades = engine.pull(tradesAt, tradeSlots);
  const equity = engine.pull(market.equityAt, end - start);
  const unknownBars = readUnknown(engine, requestedAt, end);
  engine.raw.arenaRelease(mark);
  return { status, summary, trades, equity, unknownBars };
}

/** Candles that some set left open, oldest first. @param requestedAt i32[count], or 0 when it was not wanted */
export function readUnknown(engine: Engine, requestedAt: number, count: number): number[] {
  if (requestedAt === 0) return [];
  return Array.from(engine.i32View(requestedAt, count).entries())
    .filter(([, partCount]) => partCount < 0)
    .map(([bar]) => bar);
}

/** Address of the numbers as i32[]. */
export function pushIntegers(engine: Engine, values: ArrayLike<number>): number {
  const at = engine.reserveBytes(4 * Math.max(values.length, 1));
  engine.i32View(at, values.length).set(values);
  return at;
}

/** Input was checked before, so any status but these two is a bug and must not look like a result. */
export function expectOk(status: number): void {
  if (status === STATUS_OUT_OF_MEMORY) throw new OutOfMemory('the optimiser needs more memory than the engine may use');
  if (status !== STATUS_OK) throw new Error(`engine status ${status}`);
}
