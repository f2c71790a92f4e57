import type { IntervalName } from '@sextant/engine-as/abi/intervals.ts';
import type { VenueId } from '@sextant/engine-as/abi/costs.ts';
import { venueFees } from '@sextant/engine-as/abi/costs.ts';
import type { BacktestResult, Candles } from '@sextant/workers/src/protocol/backtest.ts';
import type { HonestyResult } from '@sextant/workers/src/protocol/honesty.ts';
import type { StrategyInput } from '@sextant/workers/src/protocol/strategy.ts';
import type { EnginePool } from '@sextant/workers/src/protocol/tasks.ts';
import { defaultCosts } from '@sextant/workers/src/protocol/wire/defaults.ts';
import { ownRulesOf } from '@sextant/workers/src/protocol/wire/strategy.ts';
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
export function practiceInput({ candles, interval, venue, from, seen, holdings }: Practice): StrategyInput | null {
  if (seen <= from) return null;
  const strategy = ownRulesOf(rulesText, interval);
  if (!strategy.ok) throw new Error(strategy.error[0]?.message);
  const news = new Int8Array(seen);
  holdings.slice(0, seen - from).forEach((holding, at) => {
    news[from + at] = holding;
  });
  return {
    candles: candlesUntil(candles, seen),
    strategy: strategy.value,
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
  const run = await pool.run('backtestStrategy', input);
  if (!run.ok) throw new WordedError(run.error.message);
  return run.value;
}

/**
 * How much of the practice is luck, by the figures of the lab's honesty panel: entries at random times, the luck of resampled returns.
 * @param earlier practices judged before on this symbol: choosing the best of them is a search
 * @returns null before the first candle of the practice
 * @throws WordedError when the engine rejects the run
 */
export async function judgePractice(
  pool: EnginePool,
  practice: Practice,
  earlier: number,
): Promise<HonestyResult | null> {
  const run = practiceInput(practice);
  if (run === null) return null;
  const judged = await pool.run('honesty', { kind: 'rules', run, seed: 1, earlierTrialCount: earlier });
  if (!judged.ok) throw new WordedError(judged.error.message);
  return judged.value;
}
