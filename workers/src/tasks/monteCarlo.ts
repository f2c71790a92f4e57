import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import { SUMMARY_LENGTH, summarySlot } from '@sextant/engine-as/abi/records.ts';
import type { StrategyInterval } from '@sextant/engine-as/abi/strategy.ts';
import type { Engine } from '../engine/engine.ts';
import type { Candles, Costs } from '../protocol/backtest.ts';
import type { TaskProgress, TaskResult } from '../protocol/taskResult.ts';
import type { MonteCarloInput, MonteCarloResult } from '../protocol/monteCarlo.ts';
import { pushAddresses, pushCandles, type RunAt, simulate, validateInput, writeScore } from './backtest.ts';
import { scoreWhole, validateStrategyInput } from './backtestStrategy.ts';
import { inArena, quantilesOf } from './honesty/kernels.ts';
import { blockLength as blockOf } from './honesty/resampling.ts';
import { pushRulesMarket, simulateScored } from './strategy/market.ts';
import { candleFields } from '../candles/candleColumns.ts';
import { check, firstFailure } from './validateParams.ts';
import { ok } from '../core/result.ts';

const MARKETS_MAX = 2000;
const BAND = [0.05, 0.5, 0.95];
/** Markets between two messages of progress. */
const PROGRESS_EVERY = 10;

/** One run by its headline. */
interface Outcome {
  netPnl: number;
  maxDrawdownFraction: number;
  tradeCount: number;
  heldBarCount: number;
}

/** The same rules on markets made of blocks of the candles: every vote, score and trade is computed again on each. */
export function monteCarlo(
  engine: Engine,
  { run, seed, marketCount, blockLength }: MonteCarloInput,
  onProgress?: (progress: TaskProgress) => void,
): TaskResult<MonteCarloResult> {
  const count = run.candles.time.length;
  const input = { ...run, costs: withoutMarks(run.costs) };
  const valid = firstFailure([
    () => ('strategy' in input ? validateStrategyInput(input) : validateInput(input)),
    () => check('seed', seed, { min: 0, max: Number.MAX_SAFE_INTEGER }, true),
    () => check('marketCount', marketCount, { min: 1, max: MARKETS_MAX }, true),
    () => check('blockLength', blockLength ?? 1, { min: 1, max: count - 1 }, true),
  ]);
  if (!valid.ok) return valid;
  const columns = pushCandles(engine, input.candles);
  const own = outcomeOf(engine, input, columns, false);
  if (!own.ok) return own;
  const block = blockLength ?? blockOf(input.scoredCount, own.value.heldBarCount / Math.max(1, own.value.tradeCount));
  const made = columns.map(() => engine.reserve(count));
  const [from, to] = [pushAddresses(engine, columns), pushAddresses(engine, made)];
  const outcomes: Outcome[] = [];
  for (let market = 0; market < marketCount; market++) {
    engine.raw.resampleCandles(from, count, block, BigInt(seed), market, to);
    const outcome = outcomeOf(engine, input, made, true);
    if (!outcome.ok) return outcome;
    outcomes.push(outcome.value);
    if ((market + 1) % PROGRESS_EVERY === 0) onProgress?.({ done: market + 1, total: marketCount });
  }
  return ok(summed(engine, outcomes, own.value.netPnl, block));
}

/** Prices of another series have no meaning on a made market: funding is charged on its own closes. */
function withoutMarks({ funding, ...costs }: Costs): Costs {
  return funding === undefined ? costs : { ...costs, funding: { time: funding.time, rate: funding.rate } };
}

/** The run of parameters, or of rules with the longer intervals joined from the candles. */
function simulateOn(
  engine: Engine,
  input: MonteCarloInput['run'],
  columns: number[],
  isMade: boolean,
): TaskResult<RunAt> {
  const count = input.candles.time.length;
  if ('strategy' in input) {
    const candles = pullCandles(engine, columns, count);
    const { intervals } = input.strategy;
    const joined = input.context.map((real, t) => joinedContext(real, candles, intervals[t + 1]));
    const run = { ...input, candles, context: isMade ? joined : input.context };
    const market = pushRulesMarket(engine, run);
    const scored = scoreWhole(market, run);
    return scored.ok ? simulateScored(market, input.strategy, run) : scored;
  }
  const scoreAt = engine.reserve(count);
  const scored = writeScore(engine, columns, input, scoreAt);
  return scored.ok ? simulate(engine, input, { columns, scoreAt }) : scored;
}

function pullCandles(engine: Engine, columns: readonly number[], count: number): Candles {
  const entries = candleFields.map((name, i) => [name, engine.pull(columns[i] ?? 0, count)] as const);
  return Object.fromEntries(entries) as unknown as Candles;
}

/** The candles of a longer interval: those that had closed before the window, then the candles of the window joined. */
function joinedContext(real: Candles, base: Candles, longer: StrategyInterval | undefined): Candles {
  const stepMs = longer === undefined ? 1 : intervalMs[longer.interval];
  const startMs = base.time[0] ?? 0;
  const closed = real.time.filter((time) => time + stepMs <= startMs).length;
  const rows: Row[] = Array.from({ length: closed }, (_, i) => rowOf(real, i));
  base.time.forEach((_, i) => {
    const next = rowOf(base, i);
    const time = Math.floor(next.time / stepMs) * stepMs;
    const last = rows.at(-1);
    if (last?.time !== time) rows.push({ ...next, time });
    else {
      last.high = Math.max(last.high, next.high);
      last.low = Math.min(last.low, next.low);
      last.close = next.close;
      last.volume += next.volume;
    }
  });
  const column = (name: keyof Row): Float64Array<ArrayBuffer> => Float64Array.from(rows, (row) => row[name]);
  return Object.fromEntries(candleFields.map((name) => [name, column(name)])) as unknown as Candles;
}

type Row = Record<(typeof candleFields)[number], number>;
const rowOf = (candles: Candles, i: number): Row =>
  Object.fromEntries(candleFields.map((name) => [name, candles[name][i] ?? Number.NaN])) as Row;

function outcomeOf(
  engine: Engine,
  input: MonteCarloInput['run'],
  columns: number[],
  isMade: boolean,
): TaskResult<Outcome> {
  return inArena(engine, () => {
    const run = simulateOn(engine, input, columns, isMade);
    if (!run.ok) return run;
    const summary = engine.f64View(run.value.summaryAt, SUMMARY_LENGTH);
    const slot = (index: number): number => summary[index] ?? Number.NaN;
    return ok({
      netPnl: slot(summarySlot.netPnl),
      maxDrawdownFraction: slot(summarySlot.maxDrawdownFraction),
      tradeCount: slot(summarySlot.tradeCount),
      heldBarCount: slot(summarySlot.heldBarCount),
    });
  });
}

function summed(engine: Engine, outcomes: Outcome[], ownNetPnl: number, blockLength: number): MonteCarloResult {
  const column = (key: keyof Outcome): Float64Array => Float64Array.from(outcomes, (outcome) => outcome[key]);
  const netPnl = column('netPnl');
  const maxDrawdownFraction = column('maxDrawdownFraction');
  const share = (isCounted: (net: number) => boolean): number => netPnl.filter(isCounted).length / netPnl.length;
  const band = (values: Float64Array) => {
    const [low = Number.NaN, median = Number.NaN, high = Number.NaN] = quantilesOf(engine, values, BAND);
    return { low, median, high };
  };
  return {
    blockLength,
    netPnl,
    maxDrawdownFraction,
    tradeCount: column('tradeCount'),
    ownNetPnl,
    netPnlBand: band(netPnl),
    maxDrawdownBand: band(maxDrawdownFraction),
    gainFraction: share((net) => net > 0),
    belowOwnFraction: share((net) => net < ownNetPnl),
  };
}
