import { webhookPausesS } from '@sextant/workers/src/core/webhooks.ts';
import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { bodyOf, signedHeaders, textOf } from '../../../src/features/notifications/message.ts';
import { nextPauseS } from '../../../src/features/notifications/deliver.ts';

describe('a signed webhook', () => {
  it('matches the published signature of the Standard Webhooks example', () =>
    // https://docs.svix.com/receiving/verifying-payloads/how-manual
    expect(
      signedHeaders(
        ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
        'msg_p5jXN8AQM9LWM0D4loKWxJek',
        1_614_265_330_999,
        '{"test": 2432232314}',
      ),
    ).toEqual({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    }));

  it('changes with its body, its id and its time', () => {
    const of = (id: string, atMs: number, body: string) =>
      signedHeaders(['whsec_c2VjcmV0'], id, atMs, body)['webhook-signature'];
    const base = of('msg_1', 1_000_000, '{}');
    expect(of('msg_1', 1_000_000, '{} ')).not.toBe(base);
    expect(of('msg_2', 1_000_000, '{}')).not.toBe(base);
    expect(of('msg_1', 1_001_000, '{}')).not.toBe(base);
    // The key is the decoded bytes, not the text.
    const expected = createHmac('sha256', 'secret').update('msg_1.1000.{}').digest('base64');
    expect(base).toBe(`v1,${expected}`);
  });
});

describe('a message', () => {
  const createdAt = new Date('2026-03-01T12:00:00Z');
  const closed = {
    position_id: 'p',
    symbol: 'PEPEUSDT',
    side: 'SHORT',
    entry_price: 0.00001234,
    exit_price: 0.000012,
    reason: 'TAKE_PROFIT',
    net_pnl_usdt: -1234.5,
  } as const;

  it('describes what happened, with every digit of a small price and the sign of the PnL', () =>
    expect(textOf({ kind: 'position_closed', payload: closed, createdAt })).toBe(
      'Position closed: SHORT PEPEUSDT, take profit\n0.00001234 to 0.000012, net -1,234.50 USDT, simulated',
    ));

  it('gives a program the same facts', () =>
    expect(JSON.parse(bodyOf({ kind: 'position_closed', payload: closed, createdAt }))).toEqual({
      type: 'position.closed',
      timestamp: '2026-03-01T12:00:00.000Z',
      data: closed,
    }));

  it('about a scan reports when nothing was found', () => {
    const payload = { scan_id: 's', result_count: 0, best: null };
    expect(textOf({ kind: 'scan_finished', payload, createdAt })).toBe(
      'Scan while you were away finished: No signals found',
    );
    const best = { symbol: 'BTCUSDT', interval: '1h', direction: 'LONG', confidence: 0.834 };
    expect(textOf({ kind: 'scan_finished', payload: { ...payload, result_count: 2, best }, createdAt })).toBe(
      'Scan while you were away finished: 2 signals\nBest: LONG BTCUSDT 1h, confidence 83 %',
    );
    const sure = { scan_id: 's', result_count: 1, best: { ...best, confidence: 0.995 } };
    expect(textOf({ kind: 'scan_finished', payload: sure, createdAt })).toContain('confidence more than 99 %');
    // Own rules have no degrees.
    const ruled = { scan_id: 's', result_count: 1, best: { ...best, confidence: 1 } };
    expect(textOf({ kind: 'scan_finished', payload: ruled, createdAt })).toMatch(/1h, score 100 by your rules$/m);
  });

  it('about credits counts them, and reports when there are none', () => {
    const text = (credits: number) => textOf({ kind: 'credits_low', payload: { credits, ledger_id: 'l' }, createdAt });
    expect(text(2)).toBe('Credits are low: 2 left');
    expect(text(0)).toBe('No credits left. Buy credits to continue.');
  });
});

describe('the pause before the next attempt', () => {
  it('grows as Standard Webhooks specifies, and then there is none', () => {
    const pauses = Array.from({ length: 11 }, (_, at) => nextPauseS(at + 1, undefined, 0));
    expect(pauses).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400, undefined, undefined]);
    expect(webhookPausesS.reduce((sum, pause) => sum + pause, 0) / 86_400).toBeGreaterThan(3);
  });

  it('varies by a tenth at most, and is never shorter than the receiver requested', () => {
    expect(nextPauseS(2, undefined, 1)).toBe(330);
    expect(nextPauseS(1, 35, 0.5)).toBe(35);
    expect(nextPauseS(2, 35, 0)).toBe(300);
    expect(nextPauseS(1, 10_000_000, 0)).toBe(86_400);
  });
});
