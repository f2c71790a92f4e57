import { describe, expect, it } from 'vitest';
import { coinText, isPaid, methodText, statusTone } from '../../src/format/paymentNames.ts';

describe('the status of a payment', () => {
  it.each([
    ['completed', 'success'],
    ['confirmed', 'success'],
    ['pending', 'warning'],
    ['waiting', 'warning'],
    ['failed', 'error'],
    ['expired', 'error'],
    ['cancelled', 'neutral'],
    ['refunded', 'neutral'],
    ['an unknown word', 'neutral'],
  ])('PAY-004 PAY-005 X32 %s is %s, in any case', (word, tone) => {
    expect(statusTone(word)).toBe(tone);
    expect(statusTone(word.toUpperCase())).toBe(tone);
  });

  it.each(['finished', 'confirmed', 'completed', 'paid', 'success', 'COMPLETED'])('FUND-023 %s means paid', (word) =>
    expect(isPaid(word)).toBe(true),
  );
  it.each(['waiting', 'partially_paid', 'refunded', 'sending', ''])('FUND-023 %j does not', (word) =>
    expect(isPaid(word)).toBe(false),
  );
});

describe('FUND-012 a coin', () => {
  it('is named with its network', () => {
    expect(methodText({ method: 'usdt', network: 'TRON (TRC-20)' })).toBe('USDT on TRON (TRC-20)');
    expect(methodText({ method: 'bnb', network: 'BNB Smart Chain (BEP-20)' })).toBe('BNB on BNB Smart Chain (BEP-20)');
    expect(methodText({ method: 'card', network: null })).toBe('Card');
  });
  it('keeps every digit of its amount', () =>
    expect(coinText({ method: 'bnb', pay_amount: '0.031415926535897932' })).toBe('0.031415926535897932 BNB'));
});
