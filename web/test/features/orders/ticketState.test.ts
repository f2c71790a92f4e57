import { beforeEach, expect, it } from 'vitest';
import {
  bodyToSend,
  dismissLeft,
  editDraft,
  forgetDraft,
  leaveExpired,
  renewKey,
  setSide,
  settleSent,
  startDraft,
  ticketState,
} from '../../../src/features/orders/ticket/ticketState.ts';
import type { OrderBody } from '../../../src/api/types.ts';
import { ApiFailure } from '../../../src/api/failure.ts';
import { followUp, isSilent } from '../../../src/features/orders/ticket/sending.ts';
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
  expect(settleSent(now().key)).toBe(true);
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

const HOUR_MS = 3_600_000;
const send = (atMs: number) => bodyToSend(atMs, () => sentBody(null, 100));
const failed = (status: number, field?: string) =>
  new ApiFailure({ code: status === 409 ? 'conflict' : 'invalid_input', status, message: 'No.', field });

it('DESK-196 an order is sent again for 20 hours with its key, then left and named, and the next press is another', () => {
  startDraft({ ...btc, price: 95 });
  const { key } = now();
  expect(send(1000)).not.toBeNull();
  expect(send(1000 + 20 * HOUR_MS - 1)).not.toBeNull();
  expect(now().key).toBe(key);
  expect(send(1000 + 20 * HOUR_MS)).toBeNull();
  expect(now()).toMatchObject({ draft: { price: 95 }, sent: null, left: [{ key, atMs: 1000 }] });
  expect(now().key).not.toBe(key);
  expect(send(1001 + 20 * HOUR_MS)).not.toBeNull();
});

it('DESK-196 a ticket that opens after 20 hours leaves the order too', () => {
  startDraft({ ...btc, price: 95 });
  send(1000);
  leaveExpired(1000 + HOUR_MS);
  expect(now().left).toEqual([]);
  leaveExpired(1000 + 24 * HOUR_MS);
  expect(now()).toMatchObject({ sent: null, left: [{ atMs: 1000 }] });
});

it('DESK-196 an edit, another side and another market name the order that they replace, until it is settled or dismissed', () => {
  startDraft({ ...btc, price: 95 });
  const keys: string[] = [];
  for (const replace of [
    () => editDraft({ stopLoss: 90 }),
    () => setSide('SHORT'),
    () => startDraft({ ...btc, symbol: 'ETHUSDT' }),
  ]) {
    keys.push(now().key);
    send(1000 * keys.length);
    replace();
    expect(now().left).toEqual(keys.map((key, at) => ({ key, atMs: 1000 * (at + 1) })));
  }
  expect(settleSent(keys[1] ?? '')).toBe(false);
  dismissLeft(keys[0] ?? '');
  expect(now().left.map(({ key }) => key)).toEqual([keys[2]]);
  runUserResets();
  expect(now().left).toEqual([]);
});

it('DESK-196 an order that was confirmed is not named when the draft goes', () => {
  startDraft(btc);
  send(1000);
  settleSent(now().key);
  forgetDraft();
  expect(now().left).toEqual([]);
});

it('DESK-191 a rejection is followed up only while its order is in the ticket', () => {
  startDraft({ ...btc, price: 95 });
  send(1000);
  const { key } = now();
  expect(followUp(key, failed(422, 'expires_at'), true)).toBe('again');
  send(2000);
  editDraft({ stopLoss: 90 });
  send(3000);
  expect(followUp(key, failed(422, 'expires_at'), true)).toBeNull();
  expect(followUp(key, failed(409, 'expected_price'), false)).toBeNull();
  expect(now()).toMatchObject({ sent: { atMs: 3000 }, left: [] });
  expect(followUp(now().key, failed(409, 'expected_price'), false)).toBe('moved');
});

it.each([401, 429])(
  'DESK-191 after %i on a first press nothing is sent; on a repetition the order may be placed',
  (status) => {
    startDraft({ ...btc, price: 95 });
    send(1000);
    followUp(now().key, failed(status), true);
    expect(now().sent).not.toBeNull();
    followUp(now().key, failed(status), false);
    expect(now().sent).toBeNull();
  },
);

it('DESK-190 a response of a proxy leaves the order unconfirmed, and its text is not that of a rejection', () => {
  startDraft({ ...btc, price: 95 });
  send(1000);
  const proxy = new ApiFailure({ code: 'internal', status: 502, message: '' });
  expect(followUp(now().key, proxy, false)).toBeNull();
  expect(now().sent).not.toBeNull();
  expect([proxy, failed(503), failed(400)].map(isSilent)).toEqual([true, false, false]);
});

it('AUTH-018 another user finds no draft', () => {
  startDraft(btc);
  const { key } = now();
  runUserResets();
  expect(now().draft).toBeNull();
  expect(now().key).not.toBe(key);
});
