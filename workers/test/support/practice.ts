import type { Candles } from '../../src/protocol/backtest.ts';
import type { PracticeAction, PracticeContract, PracticeInput, PracticeResult } from '../../src/protocol/practice.ts';
import type { PracticeOrder } from '../../src/positions/practiceOrder.ts';
import { runTask, type TaskEngine } from '../../src/tasks/index.ts';

const HOUR = 3_600_000;
export type Bar = readonly [open: number, high: number, low: number, close: number];
export const candlesOf = (bars: readonly Bar[]): Candles => ({
  time: Float64Array.from(bars, (_, i) => i * HOUR),
  open: Float64Array.from(bars, ([open]) => open),
  high: Float64Array.from(bars, ([, high]) => high),
  low: Float64Array.from(bars, ([, , low]) => low),
  close: Float64Array.from(bars, ([, , , close]) => close),
  volume: Float64Array.from(bars, () => 1e6),
});
export const flat: Bar = [100, 100.5, 99.5, 100];
/** Two quiet candles, at whose second close orders are given, then these. */
export const after = (...bars: Bar[]): Candles => candlesOf([flat, flat, ...bars]);

export const order = (change: Partial<PracticeOrder> = {}): PracticeOrder => ({
  side: 'LONG',
  type: 'market',
  notional: 1000,
  leverage: 1,
  price: null,
  stopPrice: null,
  targets: [],
  ...change,
});
export const placed = (change: Partial<PracticeOrder> = {}, at = 1): PracticeAction => ({
  at,
  kind: 'order',
  order: order(change),
});

/** No rules: nothing is rounded. */
export const free: PracticeContract = {
  tickSize: 0,
  stepSize: 0,
  minNotional: 0,
  maxQuantity: 0,
  leverageMax: null,
  tiers: null,
};

function run(
  engine: TaskEngine,
  candles: Candles,
  actions: readonly PracticeAction[],
  change: Partial<PracticeInput> = {},
) {
  const terms = { spanMs: HOUR, venue: 'binance', contract: free, from: 1, equity: 10_000 } as const;
  const input = { candles, actions, ...terms, ...change };
  return runTask(engine, { name: 'practise', input });
}
/** The result of a practice. @throws Error when the task rejects it */
export function practisedBy(...given: Parameters<typeof run>): PracticeResult {
  const result = run(...given);
  if (!result.ok) throw new Error(result.error.message);
  return result.value as PracticeResult;
}
