import { expect, it } from 'vitest';
import { ApiFailure } from '../../src/api/failure.ts';
import type { Order } from '../../src/api/types.ts';
import { cancelledText, orderEndText } from '../../src/data/orders.ts';

const order = (change: Partial<Order>): Order =>
  ({
    type: 'limit',
    side: 'LONG',
    symbol: 'BTCUSDT',
    status: 'filled',
    fill: null,
    message: null,
    cancel_reason: null,
    ...change,
  }) as Order;
const fill = { price: 59_900.5, quantity: 0.02, fee: 0.24, role: 'maker', at: '2026-01-01T00:00:00Z' } as const;

it('DESK-066 an order that ended without its owner is reported with what happened', () => {
  expect(orderEndText(order({ fill }))).toBe('Buy limit BTCUSDT filled: 0.0200 at 59,900.5');
  expect(orderEndText(order({ side: 'SHORT', type: 'stop', status: 'expired' }))).toBe('Sell stop BTCUSDT expired');
  const cancelled = order({ status: 'cancelled', cancel_reason: 'margin', message: 'Too little equity was free.' });
  expect(orderEndText(cancelled)).toBe('Buy limit BTCUSDT cancelled. Too little equity was free.');
});

it('DESK-066 what its owner did is not reported again', () => {
  expect(orderEndText(order({ type: 'market', fill }))).toBeNull();
  expect(orderEndText(order({ status: 'cancelled', cancel_reason: 'owner' }))).toBeNull();
});

it('DESK-182 cancelling several says which had ended and which still rest', () => {
  const failure = (code: string) => new ApiFailure({ code, status: 0, message: '' });
  expect(cancelledText(3, [])).toBe('3 orders cancelled.');
  expect(cancelledText(3, [failure('conflict'), failure('not_found')])).toBe('1 order cancelled. 2 ended before.');
  // Without a network nothing is known to have ended.
  expect(cancelledText(2, [failure('unreachable'), failure('unreachable')])).toBe(
    '0 orders cancelled. 2 orders not cancelled, still resting.',
  );
});
