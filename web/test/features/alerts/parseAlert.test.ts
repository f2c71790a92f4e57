import { describe, expect, it } from 'vitest';
import {
  bodyOfDraft,
  changeOfDraft,
  draftOf,
  draftOfAlert,
  editDraft,
} from '../../../src/features/alerts/alertDraft.ts';
import { parseAlert } from '../../../src/features/alerts/parseAlert.ts';
import { browserName } from '../../../src/features/alerts/push.ts';

const symbols = ['BTCUSDT', 'ETHUSDT', '1000PEPEUSDT'];

describe('alerts typed as words', () => {
  it.each([
    ['alert BTC 70000', 'BTCUSDT', 70_000],
    ['alert ethusdt 3.5k', 'ETHUSDT', 3500],
    ['Alert 1000pepe 0,0123', '1000PEPEUSDT', 0.0123],
  ])('DESK-086 %s', (typed, symbol, level) => {
    expect(parseAlert(typed, symbols)).toEqual([{ symbol, level }]);
  });

  it.each(['alert', 'alert BTC', 'alert BTC 0', 'alert DOGE 1', 'alert BTC 1e9', 'buy BTC 5'])(
    'DESK-086 %s is none',
    (typed) => {
      expect(parseAlert(typed, symbols)).toEqual([]);
    },
  );
});

describe('the form', () => {
  it.each([
    { kind: 'price', exchange: 'okx', symbol: 'BTCUSDT', when: 'below', level: 5 },
    { kind: 'change', exchange: 'binance', symbol: 'BTCUSDT', minutes: 7, pct: 3, direction: 'down' },
    {
      kind: 'indicator',
      exchange: 'binance',
      symbol: 'BTCUSDT',
      interval: '4h',
      indicator: 'sma',
      params: { period: 9 },
      output: 'sma',
      when: 'above',
      level: 1,
    },
    { kind: 'signal', exchange: 'binance', symbol: 'BTCUSDT', interval: '1h', strategy_id: null, direction: 'SHORT' },
    { kind: 'spread', symbol: 'BTCUSDT', buy: 'okx', sell: 'bybit', net_pct: -0.1, hold_hours: 24 },
    { kind: 'funding', exchange: 'bybit', symbol: 'BTCUSDT', when: 'above', rate_pct: 0.1 },
    { kind: 'liquidation', position_id: 'p', distance_pct: 4 },
    { kind: 'news', symbol: 'ETHUSDT', high_impact: true },
    { kind: 'formula', exchange: 'binance', symbol: 'BTCUSDT', interval: '15m', expression: 'close > 5' },
  ] as const)('DESK-086 an alert on $kind is edited as it was set', (condition) => {
    const copy = JSON.parse(JSON.stringify(condition)) as Parameters<typeof draftOf>[0];
    expect(bodyOfDraft(draftOf(copy)).condition).toEqual(condition);
    const stored = {
      id: 'a',
      condition,
      text: '',
      repeats: true,
      pause_minutes: 3,
      channels: ['page', 'push'],
      note: 'x',
      expires_at: null,
      state: 'active',
      state_reason: null,
      fired_count: 0,
      last_fired_at: null,
      created_at: '',
    } as unknown as Parameters<typeof draftOfAlert>[0];
    expect(bodyOfDraft(draftOfAlert(stored))).toEqual({
      condition,
      repeats: true,
      pause_minutes: 3,
      channels: ['page', 'push'],
      note: 'x',
      expires_at: null,
    });
  });

  it('DESK-272 a level that was put in follows the market; a typed one, or one that was set, stays', () => {
    const filled = editDraft(draftOf({ kind: 'price' }), { level: 65_000, prefilled: 65_000 });
    expect(editDraft(filled, { symbol: 'ETHUSDT' })).toMatchObject({ symbol: 'ETHUSDT', level: 0 });
    expect(editDraft(filled, { exchange: 'okx' }).level).toBe(0);
    expect(editDraft(filled, { when: 'below' }).level).toBe(65_000);
    expect(editDraft(editDraft(filled, { level: 70_000 }), { symbol: 'ETHUSDT' }).level).toBe(70_000);
    const given = draftOf({ kind: 'price', symbol: 'BTCUSDT', level: 5 });
    expect(editDraft(given, { symbol: 'ETHUSDT' }).level).toBe(5);
  });

  it.each([
    ['active', {}, undefined],
    ['paused', { note: 'y' }, undefined],
    ['paused', { level: 6 }, 'active'],
    ['fired', {}, 'active'],
    ['expired', {}, 'active'],
    ['stopped', {}, 'active'],
  ] as const)('DESK-273 a saved alert that was %s with the changes %o has the new state %s', (state, fields, next) => {
    const condition = { kind: 'price', exchange: 'okx', symbol: 'BTCUSDT', when: 'below', level: 5 };
    const stored = {
      condition,
      repeats: false,
      pause_minutes: 3,
      channels: ['page'],
      note: 'x',
      expires_at: null,
      state,
    };
    const alert = stored as unknown as Parameters<typeof draftOfAlert>[0];
    expect(changeOfDraft({ ...draftOfAlert(alert), ...fields }, alert).state).toBe(next);
  });

  it('DESK-086 names a browser', () => {
    const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36';
    expect(browserName(chrome)).toBe('Chrome on Linux');
    expect(browserName(`${chrome} Edg/140.0`)).toBe('Edge on Linux');
    expect(browserName('Mozilla/5.0 (Macintosh; Intel Mac OS X 15) Gecko/20100101 Firefox/143.0')).toBe(
      'Firefox on macOS',
    );
  });
});
