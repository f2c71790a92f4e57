import { liveRules, type Strategy } from '@sextant/engine-as/abi/strategy.ts';
import { instantiate } from '../../src/engine/engine.ts';
import { loadModule } from '../../src/node/loadModule.ts';
import type { Candles } from '../../src/protocol/backtest.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { resolveSignal } from '../../src/signals/outcome.ts';
import {
  deadlineOfTrade,
  type StrategyTrade,
  type TradeCandles,
  TradeSettler,
} from '../../src/signals/strategyTrade.ts';

const minute = 60_000;
const quarter = 15 * minute;
const startMs = Date.UTC(2026, 0, 5, 10);

let settler: TradeSettler;
beforeAll(async () => {
  const { module } = await loadModule();
  settler = new TradeSettler(instantiate(module));
});

type Row = [open: number, high: number, low: number, close: number];
const quiet: Row = [100, 100, 100, 100];
/** `count` quiet minutes, with the given candles inserted. */
const minutes = (count: number, named: Record<number, Row | null> = {}): (Row | null)[] =>
  Array.from({ length: count }, (_, i) => (i in named ? (named[i] ?? null) : quiet));

/** Minutes `from` to `to` at one price. */
const still = (from: number, to: number, price: number): Record<number, Row> =>
  Object.fromEntries(
    Array.from({ length: to - from + 1 }, (_, i): [number, Row] => [from + i, [price, price, price, price]]),
  );

function candles(rows: readonly (Row | null)[]): Candles {
  const retained = rows.flatMap((row, i) => (row === null ? [] : [{ time: startMs + i * minute, row }]));
  const column = (k: number) => Float64Array.from(retained, ({ row }) => row[k] ?? 0);
  const time = Float64Array.from(retained, (each) => each.time);
  return { time, open: column(0), high: column(1), low: column(2), close: column(3), volume: time.map(() => 1) };
}

/** Stop 2 %, target 4 % from the fill, by candles of a quarter of an hour. */
const strategy: Strategy = {
  ...liveRules(['15m']),
  stop: { mode: 'percent', fraction: 0.02 },
  target: { mode: 'percent', fraction: 0.04 },
};
const off = strategy.trailing;
const long = (change: Partial<Strategy> = {}): StrategyTrade => ({
  id: 'it',
  direction: 'LONG',
  price: 100,
  stopLoss: 98,
  takeProfit: 104,
  issuedAtMs: startMs,
  horizonMinutes: 30,
  strategy: { ...strategy, ...change },
});
const short = (change: Partial<Strategy> = {}): StrategyTrade => ({
  ...long(change),
  direction: 'SHORT',
  stopLoss: 102,
  takeProfit: 96,
});
const settle = (trade: StrategyTrade, rows: readonly (Row | null)[], more: Partial<TradeCandles> = {}) =>
  settler.settle(trade, {
    candles: candles(rows),
    stepMs: minute,
    rangeAt: () => Number.NaN,
    oppositeMs: null,
    ...more,
  });
const at = (index: number): number => startMs + index * minute;

describe('the outcome of a signal of a saved strategy', () => {
  it.each<[string, StrategyTrade, (Row | null)[], string, number, number]>([
    ['the target', long(), minutes(3, { 1: [100, 104, 100, 103] }), 'TP', 104, 1],
    ['the stop, slipped as in the public record', long(), minutes(3, { 1: [100, 100, 98, 99] }), 'SL', 97.9804, 1],
    ['the stop of a short', short(), minutes(3, { 1: [100, 102, 100, 101] }), 'SL', 102.0204, 1],
    ['both in one candle is the stop', long(), minutes(2, { 0: [100, 105, 97, 100] }), 'SL', 97.9804, 0],
    // Entry at 101: its levels are 98.98 and 105.04, not those of the signal.
    [
      'levels measured from the fill',
      long(),
      [
        [101, 105.03, 101, 105],
        [105, 105.04, 105, 105],
      ],
      'TP',
      105.04,
      1,
    ],
    // 110 in minute 3, 1 % below it from the close of the quarter on: 108.9 less 0.02 %.
    [
      'a trailing stop, moved at the close of the candle',
      long({
        target: { mode: 'percent', fraction: 0.5 },
        trailing: { ...off, mode: 'percent', callbackFraction: 0.01, stepFraction: 0, activationFraction: 0 },
      }),
      minutes(20, {
        3: [100, 110, 100, 109],
        ...still(4, 16, 109),
        12: [109, 109, 105, 109],
        17: [109, 109, 108, 108],
      }),
      'SL',
      108.9 * 0.9998,
      17,
    ],
    // 102 is one stop distance: at the entry from the second quarter on.
    [
      'a break-even',
      long({ breakEvenR: 1 }),
      minutes(20, { 3: [100, 102, 100, 101], ...still(4, 17, 101), 18: [101, 101, 99.5, 100] }),
      'SL',
      100 * 0.9998,
      18,
    ],
    [
      'two candles of holding time',
      long({ holdingBarsMax: 2 }),
      minutes(40, { 30: [100.5, 101, 100, 100] }),
      'TIME',
      100.5,
      30,
    ],
  ])('%s', (_what, trade, rows, outcome, exitPrice, index) => {
    const result = settle(trade, rows);
    expect(result).toMatchObject({ outcome, exitAtMs: at(index), exitPrice: expect.closeTo(exitPrice, 9) as number });
  });

  it('leaves on the opposite signal at the open after it, unless a level is met first', () => {
    const rows = minutes(20, { 15: [100.4, 101, 100, 100] });
    const turned = settle(long({ onOpposite: 'exit' }), rows, { oppositeMs: startMs + quarter });
    expect(turned).toMatchObject({ outcome: 'SIGNAL', exitPrice: 100.4, exitAtMs: at(15) });
    // 0.4 % gross, 0.05 % of 100 and of 100.4.
    expect(turned!.netFraction).toBeCloseTo(0.004 - 0.0005 * 2.004, 12);
    const stopped = minutes(20, { 10: [100, 100, 97, 98] });
    expect(settle(long({ onOpposite: 'exit' }), stopped, { oppositeMs: startMs + quarter })).toMatchObject({
      outcome: 'SL',
    });
  });

  it('measures levels by the true range at the signal', () => {
    // 2 below 100 is two ranges of 1: three ranges above the fill of 101 is 104.
    const byRange = long({ stop: { mode: 'atr', multiple: 2 }, target: { mode: 'atr', multiple: 3 } });
    expect(
      settle(byRange, [
        [101, 103.9, 101, 103],
        [103, 104, 103, 104],
      ]),
    ).toMatchObject({ outcome: 'TP', exitPrice: 104 });
    expect(settle(byRange, [[101, 101, 99, 99]])).toMatchObject({
      exitPrice: expect.closeTo(99 * 0.9998, 9) as number,
    });
  });

  it('is not known while it is open, or behind a gap', () => {
    expect(settle(long(), minutes(10))).toBeNull();
    expect(settle(long(), minutes(10, { 4: null, 6: [100, 105, 100, 104] }))).toBeNull();
    expect(settle(long(), minutes(10, { 0: null, 6: [100, 105, 100, 104] }))).toBeNull();
  });

  it('ends by the holding time, else with the public record, and never needs more candles than are read', () => {
    expect(deadlineOfTrade(long({ holdingBarsMax: 4 }))).toBe(startMs + 4 * quarter);
    // Counted from the candle it is opened in.
    expect(deadlineOfTrade({ ...long({ holdingBarsMax: 4 }), issuedAtMs: startMs + minute })).toBe(
      startMs + 4 * quarter,
    );
    expect(deadlineOfTrade(long())).toBe(startMs + 90 * minute);
    expect(deadlineOfTrade(long({ holdingBarsMax: 1_000_000 }))).toBe(startMs + 1498 * quarter);
  });

  it('equals the public record where a strategy sets no exits', () => {
    const rows = minutes(120, { 50: [100, 103, 99, 101], 70: [101, 104.5, 100, 104] });
    const own = settle(long(), rows);
    const { issuedAtMs, horizonMinutes, direction, stopLoss, takeProfit } = long();
    const house = resolveSignal({ issuedAtMs, horizonMinutes, direction, stopLoss, takeProfit }, candles(rows), minute);
    expect(own).toMatchObject({ ...house });
  });
});
