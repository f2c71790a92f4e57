import { readFile } from 'node:fs/promises';
import * as abi from '@sextant/engine-as/abi/backtest.ts';
import { type CompiledEngine, compileEngine, type Engine, instantiate } from '@sextant/workers/src/engine/engine.ts';
import type {
  BacktestSummary,
  Candles,
  Costs,
  MarkPrices,
  StrategyParams,
  Trade,
} from '@sextant/workers/src/protocol.ts';
import { readSummary, readTrades } from '@sextant/workers/src/tasks/readResult.ts';
import { rulesOf, tierRows } from '@sextant/workers/src/tasks/rules.ts';
import { buildEngine, enginePath } from '../../../build.ts';

/** A build can take its time on a busy machine. */
export const engineTimeoutMs = 120_000;

let compiled: Promise<CompiledEngine> | undefined;

export async function loadTestEngine(): Promise<Engine> {
  compiled ??= buildEngine().then(async () => compileEngine(new Uint8Array(await readFile(enginePath))));
  return instantiate((await compiled).module);
}

/** Everything a simulation depends on; the score is given, so that no indicator stands between a table and its trades. */
export interface Run {
  candles: Candles;
  score: Float64Array;
  params: StrategyParams;
  costs: Costs;
  scoredCount?: number;
  atr?: Float64Array;
  markPrices?: MarkPrices;
  fineCandles?: Candles;
}

export interface KernelResult {
  status: number;
  summary: BacktestSummary;
  trades: Trade[];
  equity: Float64Array;
}

const columnsOf = (candles: Candles): Float64Array[] => [
  candles.time,
  candles.open,
  candles.high,
  candles.low,
  candles.close,
  candles.volume,
];

function optionalSlots(engine: Engine, { costs, fineCandles, markPrices }: Run): [slot: number, values: number[]][] {
  const push = (column: Float64Array | undefined): number => (column ? engine.push(column) : 0);
  const { funding, tiers = [] } = costs;
  return [
    [abi.FRAME_MARK_OPEN, [push(markPrices?.open), push(markPrices?.high), push(markPrices?.low)]],
    [abi.FRAME_FUNDING_COUNT, [funding?.time.length ?? -1]],
    [abi.FRAME_FUNDING_TIME, [push(funding?.time), push(funding?.rate), push(funding?.mark)]],
    [abi.FRAME_FINE_COUNT, fineCandles ? [fineCandles.time.length, ...columnsOf(fineCandles).map(push)] : [0]],
    [abi.FRAME_TIER_COUNT, [tiers.length, engine.push(tierRows(tiers))]],
  ];
}

/** Calls the `backtest` export with the columns of `run`. */
export function runKernel(engine: Engine, run: Run): KernelResult {
  engine.raw.arenaReset();
  const count = run.candles.time.length;
  const scoredCount = run.scoredCount ?? count;
  const push = (column: Float64Array | undefined): number => (column ? engine.push(column) : 0);
  const summaryAt = engine.reserve(abi.SUMMARY_LENGTH);
  const equityAt = engine.reserve(scoredCount);
  const slots: [slot: number, values: number[]][] = [
    [abi.FRAME_COUNT, [count, ...columnsOf(run.candles).map(push), push(run.score), push(run.atr)]],
    ...optionalSlots(engine, run),
    [abi.FRAME_RULES, [engine.push(rulesOf(run.params, run.costs, scoredCount)), equityAt, summaryAt]],
  ];
  const frameAt = engine.reserveBytes(4 * abi.FRAME_LENGTH);
  const frame = engine.i32View(frameAt, abi.FRAME_LENGTH).fill(0);
  for (const [slot, values] of slots) frame.set(values, slot);
  const status = engine.raw.backtest(frameAt);
  const summary = engine.pull(summaryAt, abi.SUMMARY_LENGTH);
  const tradesAt = engine.i32View(frameAt, abi.FRAME_LENGTH)[abi.FRAME_TRADES]!;
  const records = status === 0 ? engine.pull(tradesAt, summary[abi.SUMMARY_TRADE_COUNT]! * abi.TRADE_LENGTH) : [];
  return {
    status,
    summary: readSummary(summary),
    trades: readTrades(Float64Array.from(records)),
    equity: engine.pull(equityAt, scoredCount),
  };
}
