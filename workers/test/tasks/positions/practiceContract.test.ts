import { beforeAll, describe, expect, it } from 'vitest';
import type { Candles } from '../../../src/protocol/backtest.ts';
import type {
  PracticeAction,
  PracticeContract,
  PracticeInput,
  PracticeResult,
} from '../../../src/protocol/practice.ts';
import type { PracticeOrder } from '../../../src/positions/practiceOrder.ts';
import { startEngine, type TaskEngine } from '../../../src/tasks/index.ts';
import { engineTimeoutMs, testEngine } from '../../support/engine.ts';
import { after, candlesOf, flat, order, placed, practisedBy } from '../../support/practice.ts';

let engine: TaskEngine;
beforeAll(async () => {
  engine = startEngine(await testEngine());
}, engineTimeoutMs);

const practised = (
  candles: Candles,
  actions: readonly PracticeAction[],
  change?: Partial<PracticeInput>,
): PracticeResult => practisedBy(engine, candles, actions, change);

describe('practised orders on the rules of a contract', () => {
  const tier = { maintenanceMarginFraction: 0.005, maintenanceAmount: 0 };
  const rules: PracticeContract = {
    tickSize: 0.5,
    stepSize: 0.1,
    minNotional: 50,
    maxQuantity: 40,
    leverageMax: 20,
    tiers: [
      { notionalFloor: 0, ...tier, leverageMax: 20 },
      { notionalFloor: 3000, ...tier, leverageMax: 5 },
    ],
  };
  const on = (candles: Candles, change: Partial<PracticeOrder>, from: Partial<PracticeInput> = {}) =>
    practised(candles, [placed(change)], { contract: rules, ...from });

  it('DESK-156 prices are placed on ticks and the size on steps, as an order of the desk', () => {
    const levels = { price: 98.3, stopPrice: 95.2, targets: [{ price: 102.3, fraction: 1 }] };
    const waits = on(candlesOf([flat, flat]), { type: 'limit', ...levels });
    // A limit to buy never pays more; stop and target round towards the entry.
    expect(waits.working).toMatchObject({ price: 98, stopPrice: 95.5, targets: [{ price: 102, fraction: 1 }] });
    // A tick beyond the price fills it: 1,000 USDT are 10.204 at 98, on steps 10.2.
    const near = on(after([100, 101, 97.6, 99]), { type: 'limit', ...levels });
    expect(near.trades).toEqual([]);
    const [trade] = on(after([100, 101, 97.5, 99]), { type: 'limit', ...levels }).trades;
    expect(trade?.entryPrice).toBe(98);
    expect(trade?.quantity).toBeCloseTo(10.2, 12);
  });

  it('DESK-156 a market order pays the tick above, and a target closes its share on a step', () => {
    const targets = [
      { price: 102, fraction: 0.5 },
      { price: 110, fraction: 0.5 },
    ];
    const { open } = on(after([100, 102.5, 99.5, 102]), { targets });
    // 100.01 with slippage is 100.5 on the tick; 9.95 units are 9.9 on steps, of which half, 4.95, closes 4.9.
    expect(open?.entryPrice).toBe(100.5);
    expect(open?.quantity).toBeCloseTo(5, 12);
  });

  it('DESK-156 leverage divides the margin, and a liquidation loses all of it', () => {
    const falls = after([100, 100.5, 89, 90]);
    const { trades, equity } = practised(falls, [placed({ leverage: 10 })]);
    // The margin of 100 USDT is lost with the entry fee of 0.5 USDT, at the price where it is gone: 100.01 x 0.9.
    expect(trades).toMatchObject([{ closeReason: 'LIQ', leverage: 10 }]);
    expect(trades[0]?.exitPrice).toBeCloseTo(90.009, 9);
    expect(trades[0]?.netPnl).toBeCloseTo(-100.5, 9);
    expect(equity.at(-1)).toBeCloseTo(9899.5, 9);
    // Maintenance of 0.5 %: 100.01 x 0.9 / 0.995.
    const { open } = practised(after([100, 100.5, 99, 100]), [placed({ leverage: 10 })]);
    expect(open?.liquidationPrice).toBeCloseTo((100.01 * 0.9) / 0.995, 9);
  });

  it('DESK-156 leverage lets the account hold more than it has', () => {
    const { trades } = practised(after([100, 101, 99, 100.5]), [placed({ notional: 50_000, leverage: 10 })]);
    expect(trades[0]?.quantity).toBeCloseTo(50_000 / 100.01, 9);
  });

  it.each([
    ['notional', 'at least 50 USDT', { notional: 49 }],
    ['notional', 'at most 40 an order', { notional: 4500 }],
    ['notional', 'less than one step', { notional: 9 }],
    ['leverage', 'at most 20x', { leverage: 21 }],
    ['leverage', 'at most 5x', { leverage: 10, notional: 3000 }],
    ['leverage', 'liquidation at', { leverage: 20, stopPrice: 90 }],
    ['stop', 'below the entry', { type: 'limit', price: 98, stopPrice: 97.9 }],
  ] as const)('DESK-156 an order is rejected by its %s: %s', (field, words, change) => {
    const { rejected, working } = on(candlesOf([flat, flat]), change);
    expect(working).toBeNull();
    expect(rejected).toMatchObject([{ at: 1, field }]);
    expect(rejected[0]?.message).toContain(words);
  });

  it('DESK-156 the size is checked by what the account has, not by what it started with', () => {
    const draft = order({ notional: 10_500 });
    const richer = practised(candlesOf([flat, flat]), [], { draft, equity: 11_000 });
    expect(richer.draftProblem).toBeNull();
    expect(richer.draft?.margin).toBeCloseTo(10_500, 6);
    const poorer = practised(candlesOf([flat, flat]), [], { draft });
    expect(poorer).toMatchObject({ draftProblem: { field: 'notional' }, draft: null });
    // Margin and fee together: 10,000 USDT leave nothing for the fee of 5.
    expect(practised(candlesOf([flat, flat]), [placed({ notional: 9996 })]).rejected).toHaveLength(1);
    expect(practised(candlesOf([flat, flat]), [placed({ notional: 9994 })]).rejected).toEqual([]);
  });

  it('DESK-156 an order that is too small at its fill is reported there', () => {
    // 0.5 units at 100; at the open of 600 they are less than one step.
    const { rejected, trades } = on(after([600, 601, 599, 600]), { notional: 55 });
    expect(trades).toEqual([]);
    expect(rejected).toMatchObject([{ at: 2, field: 'notional' }]);
  });
});
