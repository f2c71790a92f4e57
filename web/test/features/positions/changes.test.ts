import { describe, expect, it } from 'vitest';
import type { PositionEvent } from '../../../src/api/types.ts';
import { rowsOfKind } from '../../../src/features/positions/CloseAllMenu.tsx';
import { eventText } from '../../../src/features/positions/detail/positionTexts.ts';
import { changeBody, netText } from '../../../src/features/positions/detail/useLevelDraft.ts';
import { mark } from '../../../src/features/positions/mark.ts';
import {
  enginePosition,
  positionModel,
  targetLevelId,
  targetOfLevel,
} from '../../../src/features/positions/positionShapes.ts';
import { lastOnly, viewWith } from '../../support/positions.ts';

const percent = { mode: 'percent', callbackPct: 0.5, stepPct: 0.25, activationPct: 0 } as const;

describe('changes of an open position on the page', () => {
  it('DESK-001 DESK-006 send only what differs, with the levels that were shown', () => {
    const position = viewWith({ trailing: percent });
    const expected = { stop_loss: 98, take_profit: 104, take_profits: null };
    expect(changeBody(position, {})).toBeNull();
    expect(
      changeBody(position, { stop: 98, targets: [{ price: 104, sharePct: 100 }], trailing: { ...percent } }),
    ).toBeNull();
    expect(changeBody(position, { stop: 99 })).toEqual({ expected, stop_loss: 99 });
    expect(changeBody(position, { targets: [{ price: 105, sharePct: 100 }], trailing: null })).toEqual({
      expected,
      take_profit: 105,
      trailing: { enabled: false },
    });
    expect(changeBody(position, { trailing: { ...percent, callbackPct: 1 } })?.trailing).toEqual({
      enabled: true,
      mode: 'percent',
      activation_pct: 0,
      callback_pct: 1,
      step_pct: 0.25,
    });
    const atr = { mode: 'atr', atrMultiplier: 2, atrPeriod: 14, activationPct: 1 } as const;
    expect(changeBody(position, { trailing: atr })?.trailing).toEqual({
      enabled: true,
      mode: 'atr',
      activation_pct: 1,
      atr_mult: 2,
      atr_period: 14,
    });
  });

  it('DESK-158 send several targets together, nearest first, the last one with what the others leave', () => {
    const expected = { stop_loss: 98, take_profit: 104, take_profits: null };
    const three = [
      { price: 108, sharePct: 30 },
      { price: 104, sharePct: 50 },
      { price: 112, sharePct: 99 },
    ];
    const sent = [
      { price: 104, fraction: 0.5 },
      { price: 108, fraction: 0.3 },
      { price: 112, fraction: 0.2 },
    ];
    expect(changeBody(viewWith(), { targets: three })).toEqual({ expected, take_profits: sent });
    const split = viewWith({ takeProfits: sent });
    expect(changeBody(split, { targets: three })).toBeNull();
    expect(changeBody(split, { targets: [{ price: 104, sharePct: 100 }] })).toEqual({
      expected: { ...expected, take_profits: sent },
      take_profits: [{ price: 104, fraction: 1 }],
    });
  });

  it('DESK-163 send edited targets with those that were there when their editing started, and the present stop', () => {
    const seen = [
      { price: 104, fraction: 0.5 },
      { price: 108, fraction: 0.5 },
    ];
    const elsewhere = [
      { price: 104, fraction: 0.5 },
      { price: 110, fraction: 0.5 },
    ];
    const targets = [
      { price: 105, sharePct: 50 },
      { price: 108, sharePct: 50 },
    ];
    // The position shows the change of another tab already; the draft was made before it.
    const position = viewWith({ takeProfits: elsewhere, stopLoss: 99 });
    expect(changeBody(position, { targets, seen: { takeProfit: 104, takeProfits: seen } })).toEqual({
      expected: { stop_loss: 99, take_profit: 104, take_profits: seen },
      take_profits: [
        { price: 105, fraction: 0.5 },
        { price: 108, fraction: 0.5 },
      ],
    });
  });

  it('DESK-159 the line of each target can be dragged', () => {
    expect([0, 1, 2].map(targetLevelId).map(targetOfLevel)).toEqual([0, 1, 2]);
    expect(targetOfLevel('stop')).toBeNull();
  });

  it('DESK-009 show the result in USDT and in multiples of the loss at the first stop', () => {
    expect(netText(-10, { lossAtStop: 20 })).toBe('\u221210.00 USDT, \u22120.50R');
    expect(netText(40, { lossAtStop: 20 })).toBe('+40.00 USDT, +2.00R');
    expect(netText(5, { lossAtStop: 0 })).toBe('+5.00 USDT');
  });

  it('DESK-012 the chart names a moved level with its result, and lets stop and target be dragged', () => {
    const candles = { time: [0], open: [1], high: [1], low: [1], close: [1], volume: [1] };
    const columns = Object.fromEntries(
      Object.entries(candles).map(([name, values]) => [name, Float64Array.from(values)]),
    );
    const life = { position: viewWith(), moves: [], price: 100, net: 0 };
    const levels = (moved: Parameters<typeof positionModel>[2]['moved'] = null) =>
      positionModel(columns as never, 60_000, { ...life, moved }).levels?.map(({ id, price, label }) => [
        id,
        price,
        label,
      ]);
    expect(levels()).toEqual([
      ['target', 104, 'target'],
      [undefined, 100, 'entry'],
      ['stop', 98, 'stop'],
      [undefined, 90.45, 'liquidation'],
    ]);
    const moved = { stop: 99, stopLabel: 'new stop', targets: [{ price: 104, label: 'target' }] };
    expect(levels(moved)?.[2]).toEqual(['stop', 99, 'new stop']);
  });

  it('DESK-005 own trailing replaces trailing and break-even of the strategy', () => {
    const value = { breakEvenR: 1, intervals: [{ interval: '1h', weight: 1 }] };
    const strategy = { name: 'Mine', version: 'a', value } as never;
    // Stops fill on the tick, as live.
    expect(enginePosition(viewWith({ tickSize: 0.5 }))).toMatchObject({ tickSize: 0.5 });
    expect(enginePosition(viewWith({ strategy }))).toMatchObject({ breakEvenR: 1, stopSpanMs: 3_600_000 });
    expect(enginePosition(viewWith({ strategy, isTrailingOwn: true }))).toMatchObject({
      breakEvenR: 0,
      stopSpanMs: null,
    });
  });

  it('DESK-008 DESK-180 DESK-192 the event of a change names what moved', () => {
    const trailing = {
      mode: null,
      callback_pct: null,
      step_pct: null,
      atr_mult: null,
      atr_period: null,
      activation_pct: null,
    };
    const event = (from: object, to: object) =>
      ({ id: 'e', at: '2026-01-01T00:00:00.000Z', kind: 'changed', data: { from, to, by: 'owner' } }) as PositionEvent;
    expect(eventText(event({ stop_loss: 98 }, { stop_loss: 99 }), 2)).toBe('You moved the stop from 98.00 to 99.00');
    expect(eventText(event({ take_profit: 104, trailing }, { take_profit: 105, trailing }), 2)).toBe(
      'You moved the target from 104.00 to 105.00 and switched trailing off',
    );
    const two = [
      { price: 104, fraction: 0.5 },
      { price: 108, fraction: 0.5 },
    ];
    const later = [two[0], { price: 110, fraction: 0.5 }];
    expect(eventText(event({ take_profit: 104, take_profits: null }, { take_profit: 104, take_profits: two }), 2)).toBe(
      'You changed the targets from 104.00 to 104.00 (50 %), 108.00 (50 %)',
    );
    expect(
      eventText(event({ take_profit: 104, take_profits: two }, { take_profit: 104, take_profits: later }), 2),
    ).toBe('You changed the targets from 104.00 (50 %), 108.00 (50 %) to 104.00 (50 %), 110.00 (50 %)');
    // The first of three was hit: an earlier version stored the shares of the size at the opening.
    const left = [
      { price: 108, fraction: 0.3 },
      { price: 112, fraction: 0.2 },
    ];
    const given = [
      { price: 108, fraction: 0.6 },
      { price: 110, fraction: 0.4 },
    ];
    expect(eventText(event({ take_profits: left }, { take_profits: given }), 2)).toBe(
      'You changed the targets from 108.00 (60 %), 112.00 (40 %) to 108.00 (60 %), 110.00 (40 %)',
    );
    expect(eventText(event({ trailing }, { trailing: { ...trailing, mode: 'atr' } }), 2)).toBe(
      'You set trailing by ATR',
    );
  });

  it('DESK-010 losers and winners are those by the net result; a position without a price is neither', () => {
    const rows = [
      mark(viewWith({ id: 'gains' }), lastOnly(103)),
      // The price is above the entry, the costs are larger.
      mark(viewWith({ id: 'costs' }), lastOnly(100.01)),
      mark(viewWith({ id: 'short', side: 'SHORT' }), lastOnly(103)),
      mark(viewWith({ id: 'unknown' }), null),
    ];
    const idsOf = (kind: Parameters<typeof rowsOfKind>[1]) => rowsOfKind(rows, kind).map(({ position }) => position.id);
    expect(idsOf('all')).toEqual(['gains', 'costs', 'short', 'unknown']);
    expect(idsOf('losers')).toEqual(['costs', 'short']);
    expect(idsOf('winners')).toEqual(['gains']);
    expect(idsOf('long')).toEqual(['gains', 'costs', 'unknown']);
    expect(idsOf('short')).toEqual(['short']);
  });
});
