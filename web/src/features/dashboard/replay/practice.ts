import { type IntervalName, intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import { venueFees } from '@sextant/engine-as/abi/costs.ts';
import type { Contract } from '@sextant/workers/src/candles/contract.ts';
import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import type { HonestyResult } from '@sextant/workers/src/protocol/honesty.ts';
import type {
  PracticeAction,
  PracticeInput,
  PracticeResult,
  PracticeTrade,
} from '@sextant/workers/src/protocol/practice.ts';
import type { PracticeOrder } from '@sextant/workers/src/positions/practiceOrder.ts';
import type { StrategyInput } from '@sextant/workers/src/protocol/strategy.ts';
import type { EnginePool } from '@sextant/workers/src/protocol/tasks.ts';
import { defaultCosts } from '@sextant/workers/src/protocol/wire/defaults.ts';
import { ownRulesOf } from '@sextant/workers/src/protocol/wire/strategy.ts';
import { WordedError } from '../../../api/failure.ts';

/** USDT of the account at the start of a practice, and of an order until another notional is typed. */
export const PRACTICE_EQUITY = 10_000;
export const PRACTICE_NOTIONAL = 1000;

export interface Practice {
  candles: Candles;
  interval: IntervalName;
  /** Rules that orders are placed by; its exchange has the fees. */
  contract: Contract;
  /** First candle of the practice; earlier ones are history. */
  from: number;
  /** Candles that were seen, from the first of the history. */
  seen: number;
  /** Decisions of the trader, oldest first. */
  actions: readonly PracticeAction[];
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
export function practiceInput(
  { candles, interval, contract, from, seen, actions }: Practice,
  draft?: PracticeOrder,
): PracticeInput | null {
  if (seen <= from) return null;
  const seenCandles = candlesUntil(candles, seen);
  const account = { from, equity: PRACTICE_EQUITY, actions };
  const input = { candles: seenCandles, spanMs: intervalMs[interval], venue: contract.exchange, contract, ...account };
  return draft === undefined ? input : { ...input, draft };
}

/**
 * Fills, costs and PnL of the practice by the simulator of live positions.
 * @param draft an order that is typed and not placed
 * @throws WordedError when the engine rejects the run
 */
export async function runPractice(
  pool: EnginePool,
  practice: Practice,
  draft?: PracticeOrder,
): Promise<PracticeResult | null> {
  const input = practiceInput(practice, draft);
  if (input === null) return null;
  const run = await pool.run('practise', input);
  if (!run.ok) throw new WordedError(run.error.message);
  return run.value;
}

/** Bounds of rules, percent and candles. */
const LEVEL_PCT = { min: 0.1, max: 50 };
const HOLD_MAX = 5000;

const meanOf = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;

/** Mean distance of a level from the entry, percent; the farthest there is without one. */
function distancePct(trades: readonly PracticeTrade[], level: 'stopPrice' | 'targetPrice'): number {
  const distances = trades.flatMap((trade) => {
    const price = trade[level];
    return price === null ? [] : [Math.abs(price / trade.entryPrice - 1) * 100];
  });
  return Math.min(LEVEL_PCT.max, Math.max(LEVEL_PCT.min, meanOf(distances) ?? LEVEL_PCT.max));
}

/**
 * The practice as rules, for entries at random times: they leave by the mean stop, target and holding time of the practised trades, and pay
 * the same costs under the same rules.
 */
function rulesOf(
  { candles, interval, contract, from, seen }: Practice,
  trades: readonly PracticeTrade[],
): StrategyInput {
  const held = meanOf(trades.map(({ entryIndex, exitIndex }) => exitIndex - entryIndex)) ?? 1;
  const rulesText = [
    'long when news > 0',
    'short when news < 0',
    `stop ${distancePct(trades, 'stopPrice').toFixed(2)} %`,
    `target ${distancePct(trades, 'targetPrice').toFixed(2)} %`,
    `hold ${Math.min(HOLD_MAX, Math.max(1, Math.round(held)))}`,
    'size fixed',
  ].join('\n');
  const strategy = ownRulesOf(rulesText, interval);
  if (!strategy.ok) throw new Error(strategy.error[0]?.message);
  const notional = meanOf(trades.map(({ entryPrice, quantity }) => entryPrice * quantity)) ?? PRACTICE_NOTIONAL;
  const leverage = Math.round(meanOf(trades.map((trade) => trade.leverage)) ?? 1);
  const account = { initialEquity: PRACTICE_EQUITY, notional, leverage, fundingSource: 'off' as const };
  const { exchange: venue, tickSize, stepSize, minNotional } = contract;
  return {
    candles: candlesUntil(candles, seen),
    strategy: strategy.value,
    context: [],
    news: new Int8Array(seen),
    costs: {
      ...defaultCosts,
      ...venueFees[venue],
      ...account,
      liquidationModel: venue,
      tickSize,
      stepSize,
      minNotional,
    },
    scoredCount: seen - from,
  };
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
  const result = await runPractice(pool, practice);
  if (result === null) return null;
  const { trades, equity, heldBarCount } = result;
  const run = rulesOf(practice, trades);
  const made = { trades, equity, heldBarCount };
  const judged = await pool.run('honesty', { kind: 'rules', run, seed: 1, earlierTrialCount: earlier, made });
  if (!judged.ok) throw new WordedError(judged.error.message);
  return judged.value;
}
