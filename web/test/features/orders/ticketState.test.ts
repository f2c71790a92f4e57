import { beforeEach, expect, it } from 'vitest';
import {
  editDraft,
  fixExpiry,
  forgetDraft,
  renewKey,
  setSide,
  startDraft,
  ticketState,
} from '../../../src/features/orders/ticket/ticketState.ts';
import { runUserResets } from '../../../src/state/userReset.ts';

const btc = { symbol: 'BTCUSDT', side: 'LONG' } as const;
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
  expect(fixExpiry(1000)).toBeNull();
  editDraft({ expiry: 'hour' });
  expect(fixExpiry(1000)).toBe(3_601_000);
  expect(fixExpiry(900_000)).toBe(3_601_000);
  renewKey();
  expect(fixExpiry(900_000)).toBe(4_500_000);
  editDraft({ size: { by: 'notional', value: 500 } });
  expect(fixExpiry(1_800_000)).toBe(5_400_000);
  editDraft({ type: 'market' });
  expect(fixExpiry(1_800_000)).toBeNull();
  editDraft({ type: 'stop' });
  expect(fixExpiry(2_000_000)).toBe(5_600_000);
});

it('AUTH-018 another user finds no draft', () => {
  startDraft(btc);
  const { key } = now();
  runUserResets();
  expect(now().draft).toBeNull();
  expect(now().key).not.toBe(key);
});
