import {
  ANALYSIS_LENGTH,
  FRAME_LENGTH,
  frameSlot,
  SUMMARY_LENGTH,
  summarySlot,
  TRADE_LENGTH,
} from '@sextant/engine-as/abi/records.ts';
import * as abi from '@sextant/engine-as/abi/backtest.ts';
import { ATR_PERIOD } from '@sextant/engine-as/abi/defaults.ts';
import { KIND_ATR } from '@sextant/engine-as/abi/indicatorKinds.ts';
import { STATUS_OK, STATUS_OUT_OF_MEMORY } from '@sextant/engine-as/abi/status.ts';
import { VOTE_COUNT } from '@sextant/engine-as/abi/votes.ts';
import { voteIds } from '@sextant/engine-as/abi/voteExports.ts';
import { type Engine, OutOfMemory } from '../engine/engine.ts';
import type { BacktestAnalysis, BacktestInput, BacktestResult, Candles } from '../protocol/backtest.ts';
import { fail, type TaskProgress, type TaskResult } from '../protocol/taskResult.ts';
import {
  type RequestedBar,
  dataSections,
  hashRun,
  paramsSections,
  resultSections,
  type RunSections,
} from './hashes.ts';
import { readAnalysis, readSummary, readTrades } from './readResult.ts';
import { rejectLeverage, rulesOf, tierRows, weightTenths } from './rules.ts';
import { candleFields } from '../candles/candleColumns.ts';
import { validateCandles, validateColumns, validateMarkPrices } from './validateCandles.ts';
import { check, firstFailure, validateCosts, validateParams } from './validateParams.ts';
import { rejectDeadMarket } from './notTrading.ts';
import { ok } from '../core/result.ts';

/** A finished run, and what its hashes are computed over. Nothing of it lies in the arena. */
export interface UnhashedRun {
  result: Omit<BacktestResult, 'hashes'>;
  sections: RunSections;
}

export const withHashes = ({ result, sections }: UnhashedRun): BacktestResult => ({
  ...result,
  hashes: hashRun(sections),
});

/** One set of parameters over one series of candles: votes, score, simulation, statistics, hashes. */
export function backtest(...of: Parameters<typeof unhashedBacktest>): TaskResult<BacktestResult> {
  const run = unhashedBacktest(...of);
  return run.ok ? ok(withHashes(run.value)) : run;
}

export function unhashedBacktest(
  engine: Engine,
  engineHash: string,
  input: BacktestInput,
  onProgress?: (progress: TaskProgress) => void,
): TaskResult<UnhashedRun> {
  const valid = validateInput(input);
  if (!valid.ok) return valid;
  const columns = pushCandles(engine, input.candles);
  onProgress?.({ done: 0, total: 2 });
  const scoreAt = engine.reserve(input.candles.time.length);
  const scored = writeScore(engine, columns, input, scoreAt);
  if (!scored.ok) return scored;
  onProgress?.({ done: 1, total: 2 });
  const run = simulate(engine, input, { columns, scoreAt });
  if (!run.ok) return run;
  const params = paramsSections(input, run.value.rules);
  const sections = { engine: engineHash, data: dataSections(input), params };
  const result = readRun(engine, input, run.value, { scoreAt, sections });
  onProgress?.({ done: 2, total: 2 });
  return ok(result);
}

export function validateInput(input: BacktestInput): TaskResult<null> {
  return firstFailure([() => validateParams(input.params), () => validateMarket(input)]);
}

/** Candles, costs and everything else that is no parameter. */
export function validateMarket({
  candles,
  costs,
  scoredCount,
  markPrices,
  fineCandles,
}: SimulatedInput): TaskResult<null> {
  const count = candles.time.length;
  const { funding } = costs;
  return firstFailure([
    () => validateCandles(candles, 2),
    () => validateCosts(costs),
    () => check('scoredCount', scoredCount, { min: 1, max: count }, true),
    () => validateColumns({ ...funding }, funding?.time.length ?? 0, 'costs.funding'),
    () => (markPrices === undefined ? ok(null) : validateMarkPrices(markPrices, count)),
    () => (fineCandles === undefined ? ok(null) : validateCandles(fineCandles, 0, 'fineCandles')),
  ]);
}

export function pushCandles(engine: Engine, candles: Candles): number[] {
  return candleFields.map((name) => engine.push(candles[name]));
}

/** Address of i32[n] with the column addresses, as the indicator and vote kernels take them. */
export function pushAddresses(engine: Engine, addresses: readonly number[]): number {
  const at = engine.reserveBytes(4 * addresses.length);
  engine.i32View(at, addresses.length).set(addresses);
  return at;
}

export function writeScore(engine: Engine, columns: number[], input: BacktestInput, scoreAt: number): TaskResult<null> {
  const count = input.candles.time.length;
  const columnsAt = pushAddresses(engine, columns);
  const stride = (count + 15) & ~15; // whole 16-byte vectors
  const votesAt = engine.reserveBytes(VOTE_COUNT * stride);
  const firstAt = engine.reserveBytes(4 * VOTE_COUNT);
  const weights = weightTenths(input.params.weights);
  const weightsAt = pushAddresses(engine, [...weights]);
  expectOk(engine.raw.votes(columnsAt, count, votesAt, stride, firstAt, 0));
  const first = engine.i32View(firstAt, VOTE_COUNT);
  const late = weights.findIndex((weight, vote) => weight > 0 && (first[vote] ?? count) >= count - 1);
  if (late >= 0) {
    const dead = rejectDeadMarket(input.candles, 'candles');
    if (dead !== undefined) return dead;
    const message = `candles: ${count} are too few; the vote ${voteIds[late] ?? late} needs more to warm up`;
    return fail('too_short', message, 'candles');
  }
  expectOk(engine.raw.score(votesAt, stride, count, firstAt, weightsAt, scoreAt, 0));
  return ok(null);
}

interface Prepared {
  columns: number[];
  scoreAt: number;
}

export interface PreparedRules extends Prepared {
  /** f64[RULES_LENGTH] */
  rules: Float64Array;
  /** True ranges that the trailing stop and the levels of an entry follow; 0: none. */
  trailingRangeAt: number;
  levelRangeAt: number;
  /** i8[count], exits of own rules; absent: there are none. */
  exitsAt?: number;
}

/** Everything a simulation reads beside the score. */
export type SimulatedInput = Omit<BacktestInput, 'params'>;

/** Addresses of a finished run in the arena. */
export interface RunAt {
  frameAt: number;
  summaryAt: number;
  equityAt: number;
  /** i32[count], see `requested` in abi/records.ts. */
  requestedAt: number;
  rules: Float64Array;
}

/** Runs the simulation on columns and scores that are in the arena. */
export function simulate(engine: Engine, input: BacktestInput, { columns, scoreAt }: Prepared): TaskResult<RunAt> {
  const rules = rulesOf(input.params, input.costs, input.scoredCount);
  const trailingRangeAt = atrOf(engine, input, columns);
  return simulateRules(engine, input, { columns, scoreAt, rules, trailingRangeAt, levelRangeAt: 0 });
}

/** The same for rules that are written already. */
export function simulateRules(engine: Engine, input: SimulatedInput, prepared: PreparedRules): TaskResult<RunAt> {
  const run = pushFrame(engine, input, prepared);
  const status = engine.raw.backtest(run.frameAt);
  if (status === abi.STATUS_LEVERAGE_TOO_HIGH) {
    return rejectLeverage(input.costs);
  }
  expectOk(status);
  return ok(run);
}

/** Everything that a run reads and writes, in the arena. */
export function pushFrame(
  engine: Engine,
  input: SimulatedInput,
  { columns, scoreAt, rules, trailingRangeAt, levelRangeAt, exitsAt = 0 }: PreparedRules,
): RunAt {
  const { costs, scoredCount } = input;
  const summaryAt = engine.reserve(SUMMARY_LENGTH);
  const equityAt = engine.reserve(scoredCount);
  const requestedAt = engine.reserveBytes(4 * input.candles.time.length);
  engine.i32View(requestedAt, input.candles.time.length).fill(0);
  const frame = [
    input.candles.time.length,
    ...columns,
    scoreAt,
    trailingRangeAt,
    ...optionalColumns(engine, input),
    costs.tiers?.length ?? 0,
    engine.push(tierRows(costs.tiers ?? [])),
    engine.push(rules),
    equityAt,
    summaryAt,
  ];
  const frameAt = pushAddresses(engine, [...frame, ...Array<number>(FRAME_LENGTH - frame.length).fill(0)]);
  const slots = engine.i32View(frameAt, FRAME_LENGTH);
  slots[frameSlot.range] = levelRangeAt;
  slots[frameSlot.asked] = requestedAt;
  slots[frameSlot.exits] = exitsAt;
  return { frameAt, summaryAt, equityAt, requestedAt, rules };
}

/** The result of a finished run. @param sections of what went in */
export function readRun(
  engine: Engine,
  input: SimulatedInput,
  { frameAt, summaryAt, equityAt, requestedAt }: RunAt,
  { scoreAt, sections }: { scoreAt: number; sections: Omit<RunSections, 'result'> },
): UnhashedRun {
  const { scoredCount } = input;
  const summary = engine.pull(summaryAt, SUMMARY_LENGTH);
  const tradeSlots = (summary[summarySlot.tradeCount] ?? 0) * TRADE_LENGTH;
  const tradesAt = engine.i32View(frameAt, FRAME_LENGTH)[frameSlot.trades] ?? 0;
  const records = engine.pull(tradesAt, tradeSlots);
  const equity = engine.pull(equityAt, scoredCount);
  const score = engine.pull(scoreAt + 8 * (input.candles.time.length - scoredCount), scoredCount);
  const requested = readRequested(engine.i32View(requestedAt, input.candles.time.length));
  const result = {
    summary: readSummary(summary),
    analysis: analysisOf(engine, frameAt),
    trades: readTrades(records),
    equity,
    score,
    askedBars: requested.map(({ bar }) => bar),
    unknownBars: requested.filter(({ partCount }) => partCount < 0).map(({ bar }) => bar),
  };
  return {
    result,
    sections: { ...sections, result: resultSections([summary, records, equity, score], input, requested) },
  };
}

function readRequested(counts: Int32Array): RequestedBar[] {
  const requested: RequestedBar[] = [];
  counts.forEach((partCount, bar) => {
    if (partCount !== 0) requested.push({ bar, partCount });
  });
  return requested;
}

function analysisOf(engine: Engine, frameAt: number): BacktestAnalysis {
  const at = engine.reserve(ANALYSIS_LENGTH);
  expectOk(engine.raw.analyse(frameAt, at));
  return readAnalysis(engine.pull(at, ANALYSIS_LENGTH));
}

/** Frame slots from frameSlot.markOpen to frameSlot.fineVolume; 0 where there is nothing. */
export function optionalColumns(
  engine: Engine,
  { costs: { funding }, markPrices, fineCandles }: SimulatedInput,
): number[] {
  const push = (column: Float64Array | undefined): number => (column === undefined ? 0 : engine.push(column));
  return [
    push(markPrices?.open),
    push(markPrices?.high),
    push(markPrices?.low),
    funding?.time.length ?? -1,
    push(funding?.time),
    push(funding?.rate),
    push(funding?.mark),
    fineCandles?.time.length ?? 0,
    ...candleFields.map((name) => push(fineCandles?.[name])),
  ];
}

/** Address of the ATR column when the trailing stop follows it, else 0. */
function atrOf(engine: Engine, { candles, params: { trailing } }: BacktestInput, columns: number[]): number {
  if (!trailing.enabled || trailing.mode !== 'atr') return 0;
  return pushAtr(engine, columns, candles.time.length, trailing.atrPeriod ?? ATR_PERIOD);
}

/** Address of f64[count], the average true range of each candle. A period below one candle is one candle. */
export function pushAtr(engine: Engine, columns: number[], count: number, atrPeriod: number): number {
  const out = engine.reserve(count);
  writeAtr(engine, columns, { count, atrPeriod, out });
  return out;
}

/** Writes the same to memory that was reserved for it. */
export function writeAtr(
  engine: Engine,
  columns: readonly number[],
  { count, atrPeriod, out }: { count: number; atrPeriod: number; out: number },
): void {
  const period = engine.push(Float64Array.of(Math.max(1, atrPeriod)));
  expectOk(engine.raw.indicator(KIND_ATR, pushAddresses(engine, columns), count, period, out, count, 0));
}

/** Input was checked before, so any status but these two is a bug and must not look like a result. */
export function expectOk(status: number): void {
  if (status === STATUS_OUT_OF_MEMORY) throw new OutOfMemory('the backtest needs more memory than the engine may use');
  if (status !== STATUS_OK) throw new Error(`engine status ${status}`);
}
