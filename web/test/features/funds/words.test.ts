import { describe, expect, it } from 'vitest';
import { ApiFailure, failureOf } from '../../../src/api/failure.ts';
import { createFailureText } from '../../../src/features/funds/purchase/PurchasePage.tsx';
import { outcomeText, stepOf } from '../../../src/features/funds/details/DetailsPage.tsx';
import { fundsState, takeCardReturn } from '../../../src/features/funds/fundsState.ts';

const problem = (body: object) =>
  failureOf(new Response(null, { status: 422, headers: { 'content-type': 'application/problem+json' } }), {
    code: 'payment_refused',
    ...body,
  });

describe('FUND-031 ERR-018 the words of a payment that was not created', () => {
  it.each([
    [{ provider_detail: 'A', detail: 'B', error: 'payment_refused', message: 'D' }, 'A'],
    [{ detail: 'B', error: 'payment_refused', message: 'D' }, 'B'],
    [{ error: 'payment_refused', message: 'D' }, 'D'],
    [{ error: 'payment_refused' }, 'Failed to create payment'],
    [{ provider_detail: '', detail: '' }, 'Failed to create payment'],
  ])('%j: %s', (body, text) => expect(createFailureText(problem(body))).toBe(text));

  it('a bug shows our own message', () =>
    expect(createFailureText(new TypeError('x is undefined'))).toBe('Failed to create payment'));
  it('a server that is away says so', () =>
    expect(createFailureText(new ApiFailure({ code: 'unreachable', status: 0, message: 'No response.' }))).toBe(
      'No response.',
    ));
});

describe('what came of a payment', () => {
  const payment = { tokens: 20, credits: 20, credits_refunded: 0, note: null };
  it('a full one names its credits', () =>
    expect(outcomeText({ ...payment, status: 'COMPLETED' })).toMatchObject({
      title: '20 credits added',
      tone: 'success',
    }));
  it('a partial one says why there are fewer', () =>
    expect(outcomeText({ ...payment, status: 'COMPLETED', credits: 9, note: 'Half arrived.' })).toEqual({
      title: '9 credits added',
      text: 'Half arrived.',
      tone: 'info',
    }));
  it('one credit is not many', () =>
    expect(outcomeText({ ...payment, status: 'COMPLETED', credits: 1 }).title).toBe('1 credit added'));
  it.each(['EXPIRED', 'CANCELLED'] as const)('%s says that money on its way is not lost', (status) =>
    expect(outcomeText({ ...payment, status, credits: 0 }).text).toMatch(/credited when they arrive/),
  );
  it('a failed one gives the reason of the provider', () =>
    expect(outcomeText({ ...payment, status: 'FAILED', credits: 0, note: 'Coin is in maintenance' }).text).toBe(
      'Coin is in maintenance',
    ));
});

describe('FUND-014 how far a transfer is', () => {
  it.each([
    [[], 'waiting'],
    [['created', 'invoiced', 'seen'], 'waiting'],
    [['created', 'invoiced', 'seen', 'confirming'], 'confirming'],
    [['created', 'credited'], 'credited'],
    [['created', 'expired', 'late'], 'credited'],
  ] as const)('%j: %s', (kinds, step) => expect(stepOf(kinds.map((kind) => ({ kind })))).toBe(step));
});

describe('FUND-006 the return address from MoonPay', () => {
  it('has words that lead to a page and to nothing else', () => {
    takeCardReturn(new URLSearchParams('other=1&transactionId=abc&transactionStatus=completed'));
    expect(fundsState.hasReturnedFromCard).toBe(true);
    fundsState.hasReturnedFromCard = false;
    takeCardReturn(new URLSearchParams('other=1'));
    expect(fundsState.hasReturnedFromCard).toBe(false);
  });
});
