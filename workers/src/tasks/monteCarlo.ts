import { SUMMARY_LENGTH, summarySlot } from '@sextant/engine-as/abi/records.ts';
import type { Engine } from '../engine/engine.ts';
import type { BacktestInput, TaskProgress, TaskResult } from '../protocol.ts';
import type { MonteCarloInput, MonteCarloResult } from '../protocolMonteCarlo.ts';
import { pushAddresses, pushCandles, simulate, validateInput, writeScore } from './backtest.ts';
import { inArena, quantilesOf } from './honesty/kernels.ts';
import { blockLength as blockOf } from './honesty/resampling.ts';
import { check, firstFailure } from './validateStrategy.ts';
import { ok } from '../result.ts';

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

/** The same rules on markets made of blocks of the candles: every vote, score and trade is worked out anew on each. */
export function monteCarlo(
  engine: Engine,
  { run, seed, marketCount, blockLength }: MonteCarloInput,
  onProgress?: (progress: TaskProgress) => void,
): TaskResult<MonteCarloResult> {
  const count = run.candles.time.length;
  const input = withoutMarks(run);
  const valid = firstFailure([
    () => validateInput(input),
    () => check('seed', seed, { min: 0, max: Number.MAX_SAFE_INTEGER }, true),
    () => check('marketCount', marketCount, { min: 1, max: MARKETS_MAX }, true),
    () => check('blockLength', blockLength ?? 1, { min: 1, max: count - 1 }, true),
  ]);
  if (!valid.ok) return valid;
  const columns = pushCandles(engine, input.candles);
  const own = outcomeOf(engine, input, columns);
  if (!own.ok) return own;
  const block = blockLength ?? blockOf(input.scoredCount, own.value.heldBarCount / Math.max(1, own.value.tradeCount));
  const made = columns.map(() => engine.reserve(count));
  const [from, to] = [pushAddresses(engine, columns), pushAddresses(engine, made)];
  const outcomes: Outcome[] = [];
  for (let market = 0; market < marketCount; market++) {
    engine.raw.resampleCandles(from, count, block, BigInt(seed), market, to);
    const outcome = outcomeOf(engine, input, made);
    if (!outcome.ok) return outcome;
    outcomes.push(outcome.value);
    if ((market + 1) % PROGRESS_EVERY === 0) onProgress?.({ done: market + 1, total: marketCount });
  }
  return ok(summed(engine, outcomes, own.value.netPnl, block));
}

/** Prices of another series have no meaning on a made market: funding is charged on its own closes. */
function withoutMarks({ candles, params, costs, scoredCount }: MonteCarloInput['run']): BacktestInput {
  const { funding, ...rest } = costs;
  const plain = funding === undefined ? rest : { ...rest, funding: { time: funding.time, rate: funding.rate } };
  return { candles, params, costs: plain, scoredCount };
}

function outcomeOf(engine: Engine, input: BacktestInput, columns: number[]): TaskResult<Outcome> {
  return inArena(engine, () => {
    const scoreAt = engine.reserve(input.candles.time.length);
    const scored = writeScore(engine, columns, input, scoreAt);
    if (!scored.ok) return scored;
    const run = simulate(engine, input, { columns, scoreAt });
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
