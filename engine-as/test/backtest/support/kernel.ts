import { FRAME_LENGTH, frameSlot, SUMMARY_LENGTH, summarySlot, TRADE_LENGTH } from '@sextant/engine-as/abi/records.ts';
import { readFile } from 'node:fs/promises';
import { type CompiledEngine, compileEngine, type Engine, instantiate } from '@sextant/workers/src/engine/engine.ts';
import type {
  BacktestSummary,
  Candles,
  Costs,
  MarkPrices,
  StrategyParams,
  Trade,
} from '@sextant/workers/src/protocol/backtest.ts';
import { readSummary, readTrades } from '@sextant/workers/src/tasks/readResult.ts';
import { rulesOf, tierRows, writeExits } from '@sextant/workers/src/tasks/rules.ts';
import type { StrategyExits } from '../../../abi/strategy.ts';
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
  /** Decisions of a strategy beside the parameters. */
  exits?: Partial<StrategyExits>;
  /** True range average that the levels of an entry are measured by. */
  range?: Float64Array;
  /** Exits of own rules, bits RULE_EXITS_*. */
  leave?: Int8Array;
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
    [frameSlot.markOpen, [push(markPrices?.open), push(markPrices?.high), push(markPrices?.low)]],
    [frameSlot.fundingCount, [funding?.time.length ?? -1]],
    [frameSlot.fundingTime, [push(funding?.time), push(funding?.rate), push(funding?.mark)]],
    [frameSlot.fineCount, fineCandles ? [fineCandles.time.length, ...columnsOf(fineCandles).map(push)] : [0]],
    [frameSlot.tierCount, [tiers.length, engine.push(tierRows(tiers))]],
  ];
}

/** Exits equal to the parameters of a run. */
export const plainExits = ({
  stopLossFraction,
  takeProfitFraction,
  trailing,
  ...params
}: StrategyParams): StrategyExits => ({
  direction: 'both',
  stop: { mode: 'percent', fraction: stopLossFraction },
  target: { mode: 'percent', fraction: takeProfitFraction },
  atrPeriod: 14,
  trailing: {
    mode: trailing.enabled ? (trailing.mode ?? 'percent') : 'off',
    callbackFraction: trailing.callbackFraction,
    stepFraction: trailing.stepFraction,
    atrMultiple: trailing.atrMultiplier ?? 0,
    activationFraction: trailing.activationFraction ?? 0,
  },
  breakEvenR: 0,
  onOpposite: 'hold',
  holdingBarsMax: params.holdingBarsMax ?? 0,
  sizing: { mode: 'fixed', riskFraction: 0, isCompounding: false },
});

function rulesOfRun({ params, costs, exits }: Run, scoredCount: number): Float64Array {
  const rules = rulesOf(params, costs, scoredCount);
  if (exits !== undefined) writeExits(rules, { ...plainExits(params), ...exits });
  return rules;
}

function pushBytes(engine: Engine, column: Int8Array | undefined): number {
  if (column === undefined) return 0;
  const at = engine.reserveBytes(column.length);
  engine.i8View(at, column.length).set(column);
  return at;
}

/** Calls the `backtest` export with the columns of `run`. */
export function runKernel(engine: Engine, run: Run): KernelResult {
  engine.raw.arenaReset();
  const count = run.candles.time.length;
  const scoredCount = run.scoredCount ?? count;
  const push = (column: Float64Array | undefined): number => (column ? engine.push(column) : 0);
  const summaryAt = engine.reserve(SUMMARY_LENGTH);
  const equityAt = engine.reserve(scoredCount);
  const slots: [slot: number, values: number[]][] = [
    [frameSlot.count, [count, ...columnsOf(run.candles).map(push), push(run.score), push(run.atr)]],
    ...optionalSlots(engine, run),
    [frameSlot.rules, [engine.push(rulesOfRun(run, scoredCount)), equityAt, summaryAt]],
    [frameSlot.range, [push(run.range)]],
    [frameSlot.exits, [pushBytes(engine, run.leave)]],
  ];
  const frameAt = engine.reserveBytes(4 * FRAME_LENGTH);
  const frame = engine.i32View(frameAt, FRAME_LENGTH).fill(0);
  for (const [slot, values] of slots) frame.set(values, slot);
  const status = engine.raw.backtest(frameAt);
  const summary = engine.pull(summaryAt, SUMMARY_LENGTH);
  const tradesAt = engine.i32View(frameAt, FRAME_LENGTH)[frameSlot.trades]!;
  const records = status === 0 ? engine.pull(tradesAt, summary[summarySlot.tradeCount]! * TRADE_LENGTH) : [];
  return {
    status,
    summary: readSummary(summary),
    trades: readTrades(Float64Array.from(records)),
    equity: engine.pull(equityAt, scoredCount),
  };
}
