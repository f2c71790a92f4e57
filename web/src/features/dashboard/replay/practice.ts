import type { IntervalName } from '@sextant/engine-as/abi/intervals.ts';
import type { VenueId } from '@sextant/engine-as/abi/costs.ts';
import { venueFees } from '@sextant/engine-as/abi/costs.ts';
import type { BacktestResult, Candles } from '@sextant/workers/src/protocol/backtest.ts';
import type { HonestyResult } from '@sextant/workers/src/protocol/honesty.ts';
import type { RulesInput } from '@sextant/workers/src/protocol/rules.ts';
import type { EnginePool } from '@sextant/workers/src/protocol/tasks.ts';
import { defaultCosts } from '@sextant/workers/src/protocol/wire/defaults.ts';
import { compileRules, exitsOf } from '@sextant/workers/src/rules/compileRules.ts';
import { WordedError } from '../../../api/failure.ts';

/** What the trader holds from the next open on. Turning round takes two opens: the engine closes at one and opens at the next. */
export type Holding = -1 | 0 | 1;

/**
 * Practised trades run through the simulator of every backtest: the holding chosen at each close takes the place of the news vote, so fills,
 * costs and PnL are the engine's. Stop and target are the farthest there are, so that the trader closes; a move of 50 % closes too.
 */
const rulesText = [
  'long when news > 0',
  'short when news < 0',
  'exit long when news <= 0',
  'exit short when news >= 0',
  'stop 50 %',
  'target 50 %',
  'size fixed',
].join('\n');

export interface Practice {
  candles: Candles;
  interval: IntervalName;
  venue: VenueId;
  /** First candle of the practice; earlier ones are history. */
  from: number;
  /** Candles that were seen, from the first of the history. */
  seen: number;
  /** Holding chosen at the close of each candle of the practice, oldest first. */
  holdings: readonly Holding[];
}

/** A copy of the first candles: those after them are nowhere in it. */
export const candlesUntil = ({ time, open, high, low, close, volume }: Candles, count: number): Candles => ({
  time: time.slice(0, count),
  open: open.slice(0, count),
  high: high.slice(0, count),
  low: low.slice(0, count),
  close: close.slice(0, count),
  volume: volume.slice(0, count),
});

/** Input of the simulator; null before the first candle of the practice is seen. */
export function practiceInput({ candles, interval, venue, from, seen, holdings }: Practice): RulesInput | null {
  if (seen <= from) return null;
  const compiled = compileRules(rulesText, { interval });
  if (!compiled.ok) throw new Error(compiled.error[0]?.message);
  const news = new Int8Array(seen);
  holdings.slice(0, seen - from).forEach((holding, at) => {
    news[from + at] = holding;
  });
  return {
    candles: candlesUntil(candles, seen),
    interval,
    program: compiled.value.program,
    exits: exitsOf(compiled.value),
    context: [],
    news,
    // Without leverage nothing is liquidated before the trader closes.
    costs: { ...defaultCosts, ...venueFees[venue], leverage: 1, fundingSource: 'off' },
    scoredCount: seen - from,
  };
}

/** @throws WordedError when the engine rejects the run */
export async function runPractice(pool: EnginePool, practice: Practice): Promise<BacktestResult | null> {
  const input = practiceInput(practice);
  if (input === null) return null;
  const run = await pool.run('backtestRules', input);
  if (!run.ok) throw new WordedError(run.error.message);
  return run.value;
}

/** Fewest candles of which the honesty figures can be computed. */
const JUDGED_CANDLES_MIN = 2;

/**
 * How much of the practice is luck, by the figures of the lab's honesty panel on the returns of each candle.
 * @param earlier practices judged before on this symbol: choosing the best of them is a search
 */
export async function judgePractice(
  pool: EnginePool,
  { equity, trades }: Pick<BacktestResult, 'equity' | 'trades'>,
  { barMs, earlier }: { barMs: number; earlier: number },
): Promise<HonestyResult | null> {
  if (equity.length < JUDGED_CANDLES_MIN) return null;
  const start = defaultCosts.initialEquity;
  const returns = equity.map((value, at) => (value - (at === 0 ? start : (equity[at - 1] ?? start))) / start);
  const judged = await pool.run('honesty', {
    kind: 'returns',
    returns,
    trialCount: 1,
    bestIndex: 0,
    tradeCount: trades.length,
    barMs,
    seed: 1,
    earlierTrialCount: earlier,
  });
  if (!judged.ok) throw new WordedError(judged.error.message);
  return judged.value;
}
