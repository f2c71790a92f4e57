import { expect, it } from 'vitest';
import { ladderOf } from '../../../src/features/orders/ticket/ladder.ts';
import {
  cancelEntries,
  movedBody,
  onTick,
  orderLevels,
  partOfLevel,
} from '../../../src/features/orders/resting/movedOrder.ts';
import { partBody } from '../../../src/features/positions/CloseDialog.tsx';
import type { Order } from '../../../src/api/types.ts';

const targets = [{ price: 110 }, { price: 120 }];

it('DESK-058 the ladder has every price of the order to scale', () => {
  const rungs = ladderOf({ entry: 100, stop_loss: 95, liquidation: 80, last_price: 101, targets });
  expect(rungs.map(({ name, place }) => [name, place])).toEqual([
    ['Liquidation', 0],
    ['Stop', 0.375],
    ['Entry', 0.5],
    ['Last', 0.525],
    ['Target 1', 0.75],
    ['Target 2', 1],
  ]);
});

it('DESK-058 one target has no number, a last price at the entry no mark, nothing without an entry', () => {
  const one = { entry: 100, stop_loss: 105, liquidation: null, last_price: 100, targets: [{ price: 90 }] };
  expect(ladderOf(one).map(({ name }) => name)).toEqual(['Target', 'Entry', 'Stop']);
  expect(ladderOf({ ...one, entry: null })).toEqual([]);
});

const order = (change: Partial<Order>): Order =>
  ({
    id: 'a',
    symbol: 'BTCUSDT',
    side: 'LONG',
    type: 'limit',
    quantity: 0.5,
    price: 100,
    stop_loss: null,
    take_profits: null,
    ...change,
  }) as Order;

it('DESK-060 resting orders are lines of their symbol, the dragged one at its new price', () => {
  const orders = [
    order({}),
    order({ id: 'b', side: 'SHORT', type: 'stop', price: 90 }),
    order({ id: 'c', symbol: 'X' }),
  ];
  const levels = orderLevels(orders, { id: 'a', part: 'price', price: 99 });
  expect(levels['BTCUSDT']?.map(({ id, price, label }) => [id, price, label])).toEqual([
    ['a', 99, 'new buy limit 0.5000'],
    ['b', 90, 'sell stop 0.5000'],
  ]);
  expect(levels['X']).toHaveLength(1);
});

it('DESK-161 stop and each target of a resting order are lines too, and a dragged one is sent alone or with its fellows', () => {
  const targets = [
    { price: 110, fraction: 0.6 },
    { price: 120, fraction: 0.4 },
  ];
  const own = order({ stop_loss: 95, take_profits: targets, revision: 3 });
  const moved = { id: 'a', part: 0, price: 125 } as const;
  const levels = orderLevels([own], moved)['BTCUSDT'] ?? [];
  expect(levels.map(({ price, label, colour }) => [price, label, colour])).toEqual([
    [100, 'buy limit 0.5000', 'accent'],
    [95, 'buy limit 0.5000, stop', 'down'],
    [125, 'new buy limit 0.5000, target 1', 'up'],
    [120, 'buy limit 0.5000, target 2', 'up'],
  ]);
  expect(levels.map(({ id }) => partOfLevel(id ?? ''))).toEqual(
    (['price', 'stop', 0, 1] as const).map((part) => ({ id: 'a', part })),
  );
  // Dragged past the other one it is the further one, with its own share.
  expect(movedBody(own, moved)).toEqual({
    expected_revision: 3,
    take_profits: [
      { price: 120, fraction: 0.4 },
      { price: 125, fraction: 0.6 },
    ],
  });
  expect(movedBody(own, { id: 'a', part: 'stop', price: 96 })).toEqual({ expected_revision: 3, stop_loss: 96 });
  expect(movedBody(own, { id: 'a', part: 'price', price: 99 })).toEqual({ expected_revision: 3, price: 99 });
});

it('DESK-060 a dragged price lies on the tick, rounded for its owner', () => {
  expect(onTick({ side: 'LONG' }, { part: 'price', price: 100.07 }, 0.1)).toBe(100);
  expect(onTick({ side: 'SHORT' }, { part: 'price', price: 100.01 }, 0.1)).toBe(100.1);
  // Levels are rounded towards the entry: the stop of a long up, its target down.
  expect(onTick({ side: 'LONG' }, { part: 'stop', price: 95.01 }, 0.1)).toBe(95.1);
  expect(onTick({ side: 'LONG' }, { part: 1, price: 110.07 }, 0.1)).toBe(110);
});

it('DESK-062 the part of a position to close', () => {
  expect(partBody('25 %', 1)).toEqual({ fraction: 0.25 });
  expect(partBody('Quantity', 0.3)).toEqual({ quantity: 0.3 });
  expect(partBody('100 %', 1)).toBeUndefined();
});

it('DESK-182 the menu of a chart cancels the resting orders of its market, the highest price first', () => {
  const orders = [
    order({ exchange: 'binance' }),
    order({ exchange: 'binance', id: 'b', side: 'SHORT', price: 1110.5 }),
    order({ exchange: 'binance', id: 'c', symbol: 'X' }),
    order({ exchange: 'bybit', id: 'd' }),
  ];
  const entries = cancelEntries(orders, { exchange: 'binance', symbol: 'BTCUSDT' }, 1);
  expect(entries.map(({ id, label, order: { id: orderId } }) => [id, label(), orderId])).toEqual([
    ['cancel-b', 'Cancel sell limit 0.5000 at 1,110.5', 'b'],
    ['cancel-a', 'Cancel buy limit 0.5000 at 100.0', 'a'],
  ]);
});
