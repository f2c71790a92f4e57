import { describe, expect, it } from 'vitest';
import type { OrderPreview } from '../../../src/api/types.ts';
import {
  bodyOf,
  draftOf,
  formField,
  isBare,
  orderPrice,
  shownSizes,
  type TicketDraft,
  withSide,
} from '../../../src/features/orders/ticket/draft.ts';
import { sharesOf, sharesProblem, targetsBody } from '../../../src/features/shared/targets/targetDraft.ts';

const draft = (change: Partial<TicketDraft> = {}): TicketDraft => ({
  ...draftOf({ symbol: 'BTCUSDT', side: 'LONG' }),
  ...change,
});
const body = (change: Partial<TicketDraft>, price: number | null = null) => bodyOf(draft(change), price);

describe('DESK-055 the body of a draft', () => {
  it('names what was typed only: the settings decide the rest', () => {
    expect(body({})).toEqual({ symbol: 'BTCUSDT', side: 'LONG', type: 'market', interval: '1h', reduce_only: false });
  });

  it.each([
    [{ by: 'notional', value: 500 }, { notional: 500 }],
    [{ by: 'quantity', value: 0.02 }, { quantity: 0.02 }],
    [{ by: 'equity_fraction', value: 25 }, { equity_fraction: 0.25 }],
    [{ by: 'risk_fraction', value: 1.5 }, { risk_fraction: 0.015 }],
  ] as const)('a size by %o', (size, sent) => expect(body({ size })).toMatchObject(sent));

  it('a resting order has a price and an expiry, and none while its price is unknown', () => {
    const atMs = Date.UTC(2026, 0, 31, 12);
    expect(body({ type: 'limit' })).toBeNull();
    expect(bodyOf(draft({ type: 'limit' }), 60_000, atMs)).toMatchObject({
      price: 60_000,
      expires_at: '2026-01-31T12:00:00.000Z',
    });
    expect(bodyOf(draft({ type: 'market' }), null, atMs)).not.toHaveProperty('expires_at');
    // Figures do not depend on it, so they are not requested again as time passes.
    expect(body({ type: 'limit', expiry: 'hour' }, 60_000)).not.toHaveProperty('expires_at');
  });

  it('targets are sent nearest first, the last with what the others leave', () => {
    const targets = [
      { price: 110, sharePct: 50 },
      { price: 105, sharePct: 30 },
      { price: 120, sharePct: 0 },
    ];
    expect(body({ targets })?.take_profits).toEqual([
      { price: 105, fraction: 0.3 },
      { price: 110, fraction: 0.5 },
      { price: 120, fraction: 0.2 },
    ]);
    expect(targetsBody(targets, 'SHORT').map(({ price }) => price)).toEqual([120, 110, 105]);
  });

  it('shares that leave nothing for the last target are not sent', () => {
    const targets = [
      { price: 105, sharePct: 60 },
      { price: 110, sharePct: 40 },
      { price: 115, sharePct: 0 },
    ];
    expect(sharesOf(targets)).toEqual([60, 40, 0]);
    expect(sharesProblem(targets)).toContain('Lower the shares');
    expect(body({ targets })).toBeNull();
  });

  it('an order that only closes has no levels and no share of equity', () => {
    const closing = body({
      isReduceOnly: true,
      stopLoss: 90,
      targets: [{ price: 110, sharePct: 100 }],
      trailing: 'off',
      size: { by: 'equity_fraction', value: 10 },
    });
    expect(closing).toEqual({ symbol: 'BTCUSDT', side: 'LONG', type: 'market', interval: '1h', reduce_only: true });
  });

  it('trailing: as set is left out, off is sent, own numbers are sent', () => {
    expect(body({})).not.toHaveProperty('trailing');
    expect(body({ trailing: 'off' })?.trailing).toEqual({ enabled: false });
    const trailing = { mode: 'percent', callbackPct: 1, stepPct: 0.5, activationPct: 0 } as const;
    expect(body({ trailing })?.trailing).toEqual({
      enabled: true,
      mode: 'percent',
      callback_pct: 1,
      step_pct: 0.5,
      activation_pct: 0,
    });
  });
});

describe('DESK-055 starts', () => {
  it('a price of the chart makes a limit order, levels of a signal fill in the ticket', () => {
    const ofSignal = draftOf({ symbol: 'ETHUSDT', side: 'SHORT', stopLoss: 105, target: 90, interval: '15m' });
    expect(ofSignal).toMatchObject({ type: 'market', stopLoss: 105, interval: '15m' });
    expect(ofSignal.targets).toEqual([{ price: 90, sharePct: 100 }]);
    expect(draftOf({ symbol: 'ETHUSDT', side: 'LONG', price: 95, interval: 'x' })).toMatchObject({
      type: 'limit',
      price: 95,
      interval: '1h',
    });
  });

  it('the other side has levels of its own', () => {
    const typed = draft({ stopLoss: 95, targets: [{ price: 110, sharePct: 100 }], size: { by: 'notional', value: 5 } });
    expect(withSide(typed, 'LONG')).toBe(typed);
    expect(withSide(typed, 'SHORT')).toMatchObject({ side: 'SHORT', stopLoss: null, targets: null, size: typed.size });
  });

  it.each([
    ['limit', 'LONG', 99.5],
    ['limit', 'SHORT', 100.5],
    ['stop', 'LONG', 100.5],
    ['stop', 'SHORT', 99.5],
  ] as const)('a %s of a %s starts where it rests', (type, side, price) =>
    expect(orderPrice(draft({ type, side }), 100, 0.1)).toBe(price),
  );

  it('only a request with market and side continues a draft', () => {
    expect(isBare({ symbol: 'A', side: 'LONG' })).toBe(true);
    expect(isBare({ symbol: 'A', side: 'LONG', notional: 5 })).toBe(false);
  });
});

describe('DESK-056 the sizes follow from each other', () => {
  const preview = { quantity: 0.5, notional: 1000, margin: 100, loss_at_stop_pct: 1.2 } as OrderPreview;
  it('the typed one leads, the others are those of the server', () => {
    const shown = shownSizes(draft({ size: { by: 'notional', value: 1003 } }), preview, 5000);
    expect(shown).toEqual({ notional: 1003, quantity: 0.5, equity_fraction: 2, risk_fraction: 1.2 });
  });
  it('what is unknown is empty, never 0', () => {
    const none = { notional: null, quantity: null, equity_fraction: null, risk_fraction: null };
    expect(shownSizes(draft(), undefined, 5000)).toEqual(none);
    expect(shownSizes(draft(), { ...preview, quantity: 0 }, 5000)).toEqual(none);
    expect(shownSizes(draft(), preview, null).equity_fraction).toBeNull();
  });
});

it.each([
  ['notional', 'size'],
  ['risk_fraction', 'size'],
  ['take_profits.0.price', 'targets'],
  ['stop_loss', 'stop'],
  ['expires_at', 'expiry'],
  ['symbol', 'other'],
  ['', 'other'],
])('DESK-057 a rejection of "%s" stands beside the field %s', (name, field) => expect(formField(name)).toBe(field));
