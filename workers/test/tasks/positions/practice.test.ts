import { beforeAll, describe, expect, it } from 'vitest';
import type { BacktestResult, Candles } from '../../../src/protocol/backtest.ts';
import type { PracticeAction, PracticeInput } from '../../../src/protocol/practice.ts';
import { defaultCosts } from '../../../src/protocol/wire/defaults.ts';
import { ownRulesOf } from '../../../src/protocol/wire/strategy.ts';
import { runTask, startEngine, type TaskEngine } from '../../../src/tasks/index.ts';
import { engineTimeoutMs, testEngine } from '../../support/engine.ts';
import { after, type Bar, candlesOf, flat, order, placed, practisedBy } from '../../support/practice.ts';
import { seededRandom } from '../../support/randomRuns.ts';

let engine: TaskEngine;
beforeAll(async () => {
  engine = startEngine(await testEngine());
}, engineTimeoutMs);

/** Closes that move by up to 1 % either way; each candle opens where the last one closed. */
function randomCandles(random: () => number, count: number): Candles {
  let price = 100;
  const bars = Array.from({ length: count }, (): Bar => {
    const open = price;
    price = open * (1 + (random() - 0.5) * 0.02);
    const high = Math.max(open, price) * (1 + random() * 0.004);
    return [open, high, Math.min(open, price) * (1 - random() * 0.004), price];
  });
  return candlesOf(bars);
}
const openAt = ({ open }: Candles, at: number): number => open[at] ?? NaN;

const practised = (candles: Candles, actions: readonly PracticeAction[], change?: Partial<PracticeInput>) =>
  practisedBy(engine, candles, actions, change);

describe('practised orders', () => {
  it('DESK-156 a market order opens at the next open and a close leaves at the next one, with slippage and both fees', () => {
    const bars: Bar[] = [
      [102, 103, 101, 102.5],
      [104, 105, 103, 104],
      [108, 109, 107, 108],
    ];
    const { trades, open, equity } = practised(after(...bars), [placed(), { at: 3, kind: 'close' }]);
    // 0.01 % against the trader: bought at 102.0102, sold at 107.9892; 0.05 % of both values.
    const quantity = 1000 / 102.0102;
    const net = quantity * (107.9892 - 102.0102) - 0.0005 * quantity * (102.0102 + 107.9892);
    expect(trades).toMatchObject([{ side: 'LONG', entryIndex: 2, exitIndex: 4, closeReason: 'SIGNAL' }]);
    expect(trades[0]?.entryPrice).toBeCloseTo(102.0102, 9);
    expect(trades[0]?.exitPrice).toBeCloseTo(107.9892, 9);
    expect(trades[0]?.quantity).toBeCloseTo(quantity, 9);
    expect(trades[0]?.netPnl).toBeCloseTo(net, 9);
    expect(open).toBeNull();
    expect(equity).toHaveLength(4);
    expect(equity[0]).toBe(10_000);
    // Marked at the close of 102.5, with the entry fee paid.
    expect(equity[1]).toBeCloseTo(10_000 + quantity * (102.5 - 102.0102) - 0.5, 9);
    expect(equity[3]).toBeCloseTo(10_000 + net, 9);
  });

  it('DESK-156 a limit rests until the price trades beyond it, pays the maker fee, and its target closes it later', () => {
    const levels = { type: 'limit', price: 98, stopPrice: 95, targets: [{ price: 102, fraction: 1 }] } as const;
    const dips = after([100, 101, 98, 99], [99, 103, 97.9, 99], [99, 103, 98.5, 102.5]);
    const { trades } = practised(dips, [placed(levels)]);
    // Touched at 98 it does not fill. In the candle that fills it the high of 103 may be older than the fill.
    expect(trades).toMatchObject([{ entryIndex: 3, exitIndex: 4, entryPrice: 98, closeReason: 'TP' }]);
    const quantity = 1000 / 98;
    expect(trades[0]?.exitPrice).toBeCloseTo(101.9898, 9);
    expect(trades[0]?.netPnl).toBeCloseTo(quantity * (101.9898 - 98) - 0.0002 * 1000 - 0.0005 * quantity * 101.9898, 9);
    expect(practised(candlesOf([flat, flat, [100, 101, 98, 99]]), [placed(levels)])).toMatchObject({
      trades: [],
      working: { type: 'limit', price: 98 },
    });
  });

  it('DESK-156 the stop counts in the candle that fills a resting order: the loss is taken', () => {
    const levels = { type: 'limit', price: 98, stopPrice: 95, targets: [{ price: 102, fraction: 1 }] } as const;
    const { trades } = practised(after([100, 103, 94, 96]), [placed(levels)]);
    expect(trades).toMatchObject([{ entryIndex: 2, exitIndex: 2, closeReason: 'SL' }]);
    // A stop slips by 0.02 %.
    expect(trades[0]?.exitPrice).toBeCloseTo(95 * 0.9998, 9);
  });

  it('DESK-156 a stop entry fills behind a gap with slippage, and a short gains when the price falls', () => {
    const entry = { side: 'SHORT', type: 'stop', price: 98, stopPrice: 101 } as const;
    const { trades } = practised(after([97, 97.5, 96, 96], [96, 96.5, 93, 94]), [
      placed(entry),
      { at: 2, kind: 'close' },
    ]);
    expect(trades[0]?.entryPrice).toBeCloseTo(97 * 0.9998, 9);
    expect(trades[0]?.exitPrice).toBeCloseTo(96 * 1.0001, 9);
    const quantity = 1000 / (97 * 0.9998);
    const [sold, bought] = [97 * 0.9998, 96 * 1.0001];
    expect(trades[0]?.netPnl).toBeCloseTo(quantity * (sold - bought) - 0.0005 * quantity * (sold + bought), 9);
  });

  it('DESK-156 three targets close their shares, each at its price', () => {
    const targets = [
      { price: 102, fraction: 0.5 },
      { price: 104, fraction: 0.3 },
      { price: 106, fraction: 0.2 },
    ];
    const rises = after([100, 102.5, 99.5, 102], [102, 104.5, 101, 104], [104, 106.5, 103, 106]);
    const half = practised(candlesOf([flat, flat, [100, 102.5, 99.5, 102]]), [placed({ stopPrice: 95, targets })]);
    expect(half.open?.targets).toEqual(targets.slice(1));
    const { trades } = practised(rises, [placed({ stopPrice: 95, targets })]);
    expect(trades).toMatchObject([{ entryIndex: 2, exitIndex: 4, closeReason: 'TP', targetPrice: 106 }]);
    const average = (0.5 * 102 + 0.3 * 104 + 0.2 * 106) * 0.9999;
    // Shares are closed on the least step of a quantity, 0.0001.
    expect(trades[0]?.exitPrice).toBeCloseTo(average, 6);
    const [entry, quantity] = [100.01, 1000 / 100.01];
    expect(trades[0]?.netPnl).toBeCloseTo(quantity * (average - entry) - 0.0005 * quantity * (average + entry), 6);
  });

  it('DESK-156 an open position is valued at the last close, a cancelled order never fills, and a turn takes one open', () => {
    const candles = after([102, 103, 101, 102.5], [102, 103, 101, 103]);
    const { trades, open } = practised(candles, [placed()]);
    expect(trades).toMatchObject([{ closeReason: 'END', exitIndex: 3 }]);
    expect(trades[0]?.exitPrice).toBeCloseTo(103 * 0.9999, 9);
    expect(open).toMatchObject({ side: 'LONG', isClosing: false });
    expect(practised(candles, [placed(), { at: 1, kind: 'cancel' }])).toMatchObject({ trades: [], working: null });
    const turned = practised(candles, [placed(), { at: 2, kind: 'close' }, placed({ side: 'SHORT' }, 2)]);
    expect(turned.trades.map(({ side, entryIndex, exitIndex }) => [side, entryIndex, exitIndex])).toEqual([
      ['LONG', 2, 3],
      ['SHORT', 3, 3],
    ]);
  });

  it('DESK-156 the figures of a draft are those of its fill', () => {
    const draft = order({
      stopPrice: 95,
      targets: [
        { price: 102, fraction: 0.5 },
        { price: 104, fraction: 0.5 },
      ],
    });
    const { draft: preview } = practised(candlesOf([flat, flat]), [], { draft });
    const [entry, quantity] = [100.01, 1000 / 100.01];
    expect(preview?.entryPrice).toBeCloseTo(entry, 9);
    const stop = 95 * 0.9998;
    expect(preview?.lossAtStop).toBeCloseTo(quantity * (entry - stop) + 0.0005 * quantity * (entry + stop), 9);
    // Each target closes half on the least step of a quantity, 0.0001.
    const half = 4.9995;
    const gain = (price: number) => half * (price - entry) - 0.0005 * half * (entry + price);
    expect(preview?.gains[0]).toBeCloseTo(gain(102), 9);
    expect(preview?.gains[1]).toBeCloseTo(gain(104), 9);
  });

  it.each([
    ['notional', { notional: 0 }],
    ['notional', { notional: 10_001 }],
    ['leverage', { leverage: 0 }],
    ['leverage', { leverage: 2.5 }],
    ['leverage', { leverage: 126 }],
    ['price', { type: 'limit', price: 101 }],
    ['price', { type: 'stop', price: 99 }],
    ['price', { type: 'limit' }],
    ['stop', { stopPrice: 101 }],
    ['stop', { side: 'SHORT', stopPrice: 99 }],
    ['targets', { targets: [{ price: 99, fraction: 1 }] }],
    [
      'targets',
      {
        targets: [
          { price: 104, fraction: 0.5 },
          { price: 102, fraction: 0.5 },
        ],
      },
    ],
    ['targets', { targets: [{ price: 102, fraction: 0.5 }] }],
    ['targets', { targets: [101, 102, 103, 104].map((price) => ({ price, fraction: 0.25 })) }],
  ] as const)('DESK-156 an order with a wrong %s is rejected by that field', (field, change) => {
    const result = practised(candlesOf([flat, flat]), [placed(change)]);
    expect(result).toMatchObject({ trades: [], working: null, rejected: [{ at: 1, field }] });
  });

  it('DESK-156 a second order is rejected until the account is free, and changes nothing', () => {
    const candles = after([100, 101, 99, 100], [100, 101, 99, 100]);
    const twice = practised(candles, [placed(), placed({ side: 'SHORT' }, 2)]);
    expect(twice.rejected).toMatchObject([{ at: 2, field: 'account' }]);
    expect(twice.trades).toEqual(practised(candles, [placed()]).trades);
  });

  it('DESK-156 stop and target fill as in the backtest of the same candles', () => {
    const random = seededRandom(11);
    const candles = randomCandles(random, 400);
    const rules = ownRulesOf(
      ['long when news > 0', 'short when news < 0', 'stop 2 %', 'target 3 %', 'size fixed'].join('\n'),
      '1h',
    );
    if (!rules.ok) throw new Error(rules.error[0]?.message);
    for (let at = 20; at < 380; at += 12) {
      const sign = random() < 0.5 ? 1 : -1;
      const news = new Int8Array(400);
      news[at] = sign;
      const lab = runTask(engine, {
        name: 'backtestStrategy',
        input: {
          candles,
          strategy: rules.value,
          context: [],
          news,
          costs: { ...defaultCosts, leverage: 1, fundingSource: 'off' },
          scoredCount: 390,
        },
      });
      if (!lab.ok) throw new Error(lab.error.message);
      const fill = openAt(candles, at + 1) * (1 + sign * 0.0001);
      const own = practised(candles, [
        placed(
          {
            side: sign > 0 ? 'LONG' : 'SHORT',
            stopPrice: fill * (1 - sign * 0.02),
            targets: [{ price: fill * (1 + sign * 0.03), fraction: 1 }],
          },
          at,
        ),
      ]);
      const [expected] = (lab.value as BacktestResult).trades;
      if (expected === undefined) throw new Error('the backtest did not trade');
      const { entryIndex, exitIndex, closeReason, entryPrice, exitPrice } = expected;
      expect(own.trades).toHaveLength(1);
      expect(own.trades[0]).toMatchObject({ entryIndex, exitIndex, closeReason });
      expect(own.trades[0]?.entryPrice).toBeCloseTo(entryPrice, 9);
      expect(own.trades[0]?.exitPrice).toBeCloseTo(exitPrice, 9);
    }
  });
});
