import { beforeEach, expect, it } from 'vitest';
import {
  editDraft,
  bodyToSend,
  forgetDraft,
  forgetSent,
  renewKey,
  setSide,
  startDraft,
  ticketState,
} from '../../../src/features/orders/ticket/ticketState.ts';
import type { OrderBody } from '../../../src/api/types.ts';
import { runUserResets } from '../../../src/state/userReset.ts';

const btc = { symbol: 'BTCUSDT', side: 'LONG' } as const;
const expiryAt = (nowMs: number): number | null => {
  const body = bodyToSend(nowMs, (expiresAtMs) => sentBody(expiresAtMs, 95));
  return body?.expires_at == null ? null : Date.parse(body.expires_at);
};
const sentBody = (expiresAtMs: number | null, expectedPrice: number): OrderBody => ({
  ...btc,
  type: 'limit',
  interval: '1h',
  price: 95,
  expected_price: expectedPrice,
  ...(expiresAtMs === null ? {} : { expires_at: new Date(expiresAtMs).toISOString() }),
});
const now = () => ticketState.current;

beforeEach(runUserResets);

it('DESK-063 the same draft has the same key, an edit has another', () => {
  startDraft(btc);
  const { key } = now();
  startDraft(btc);
  expect(now().key).toBe(key);
  editDraft({ size: { by: 'notional', value: 500 } });
  expect(now().key).not.toBe(key);
  const edited = now().key;
  expect(renewKey()).not.toBe(edited);
});

it('DESK-063 a request that only names market and side continues the draft of that market', () => {
  startDraft(btc);
  editDraft({ size: { by: 'notional', value: 500 }, stopLoss: 90 });
  startDraft({ ...btc, side: 'SHORT' });
  expect(now().draft).toMatchObject({ side: 'SHORT', size: { by: 'notional', value: 500 }, stopLoss: null });
  startDraft({ ...btc, price: 95 });
  expect(now().draft).toMatchObject({ side: 'LONG', type: 'limit', price: 95, size: null });
  startDraft({ symbol: 'ETHUSDT', side: 'LONG' });
  expect(now().draft?.symbol).toBe('ETHUSDT');
});

it('DESK-063 the side changes in the ticket; a placed or forgotten draft is gone', () => {
  startDraft(btc);
  setSide('SHORT');
  expect(now().draft?.side).toBe('SHORT');
  forgetDraft();
  expect(now().draft).toBeNull();
  setSide('LONG');
  expect(now().draft).toBeNull();
});

it('DESK-179 an expiry counts from the first sending, is the same when sent again, and that of an edit is new', () => {
  startDraft({ ...btc, price: 95 });
  expect(expiryAt(1000)).toBeNull();
  editDraft({ expiry: 'hour' });
  expect(expiryAt(1000)).toBe(3_601_000);
  expect(expiryAt(900_000)).toBe(3_601_000);
  renewKey();
  expect(expiryAt(900_000)).toBe(4_500_000);
  editDraft({ size: { by: 'notional', value: 500 } });
  expect(expiryAt(1_800_000)).toBe(5_400_000);
  editDraft({ type: 'market' });
  expect(expiryAt(1_800_000)).toBeNull();
  editDraft({ type: 'stop' });
  expect(expiryAt(2_000_000)).toBe(5_600_000);
});

it('DESK-191 a press that placed nothing fixes neither the expiry nor the order', () => {
  startDraft({ ...btc, price: 95 });
  editDraft({ expiry: 'hour' });
  expect(expiryAt(1000)).toBe(3_601_000);
  forgetSent();
  expect(expiryAt(900_000)).toBe(4_500_000);
});

it('DESK-190 a repeated order is the one that was sent first, whatever the price is since; an edit is another', () => {
  startDraft({ ...btc, price: 95 });
  const first = bodyToSend(1000, () => sentBody(null, 100));
  expect(first?.expected_price).toBe(100);
  expect(bodyToSend(9000, () => sentBody(null, 101))).toEqual(first);
  editDraft({ size: { by: 'notional', value: 500 } });
  expect(bodyToSend(9000, () => sentBody(null, 101))?.expected_price).toBe(101);
});

it('AUTH-018 another user finds no draft', () => {
  startDraft(btc);
  const { key } = now();
  runUserResets();
  expect(now().draft).toBeNull();
  expect(now().key).not.toBe(key);
});
