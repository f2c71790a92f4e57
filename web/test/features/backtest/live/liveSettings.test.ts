import { beforeEach, describe, expect, it, vi } from 'vitest';
import { rulesText } from '../../../../src/format/strategyText.ts';
import {
  besideOf,
  keepLive,
  readLive,
  readLivePlace,
  settingsOf,
  startLive,
  strategyOf,
} from '../../../../src/features/backtest/live/liveSettings.ts';

const stored = new Map<string, string>();
beforeEach(() => {
  stored.clear();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  });
  return () => vi.unstubAllGlobals();
});

describe('the settings of Live rules', () => {
  it('leave out what is not longer than the base', () => {
    expect(besideOf('15m', startLive())).toEqual(['1h', '4h']);
    expect(besideOf('1h', startLive())).toEqual(['4h']);
    expect(besideOf('4h', startLive())).toEqual([]);
    expect(besideOf('15m', { longer: ['4h'] })).toEqual(['4h']);
  });

  it('make the rules of the scanner until something is changed', () => {
    const strategy = strategyOf(startLive(), '1h', { context: ['4h'], tuning: { adx: 1.5 } });
    expect(strategy.intervals).toEqual([
      { interval: '1h', weight: 1 },
      { interval: '4h', weight: 0.5 },
    ]);
    // ADX weighs 1 untuned, RSI 1.5 and has no tuning.
    expect([strategy.weights['adx'], strategy.weights['rsi']]).toEqual([1.5, 1.5]);
    expect(Object.fromEntries(rulesText(strategy))).toMatchObject({
      Intervals: '1h, with 4h at half weight',
      'Stop and target': '2 ATR, 4 ATR',
      'Opposite signal': 'is skipped',
      'Holding time': 'no limit',
    });
  });

  it('of a saved strategy give the same strategy again', () => {
    const [rsi, adx] = [-1.25, 0.5];
    const saved = {
      ...strategyOf(startLive(), '15m', { context: [], tuning: {} }),
      intervals: [
        { interval: '15m' as const, weight: 1 },
        { interval: '4h' as const, weight: 0.8 },
      ],
      weights: { rsi, adx },
      breakEvenR: 1,
    };
    const settings = settingsOf('Mine', saved);
    expect(besideOf('15m', settings)).toEqual(['4h']);
    expect(strategyOf(settings, '15m', { context: ['4h'], tuning: { adx: 1.5 } })).toEqual(saved);
    expect(Object.fromEntries(rulesText(saved))['Intervals']).toBe('15m, with 4h (weight 0.8)');
    keepLive(settings, null);
    expect(readLive()).toEqual(settings);
  });

  it('are kept with their place, and forgotten when they are not what this page writes', () => {
    const settings = { ...startLive(), entryThreshold: 0.2, longer: ['4h' as const] };
    settings.exits.stop = { mode: 'percent', fraction: 0.03 };
    const place = { symbol: 'ETHUSDT', interval: '1h' as const, historyCount: 5000 };
    keepLive(settings, place);
    expect([readLive(), readLivePlace()]).toEqual([settings, place]);
    keepLive(settings, null);
    expect(readLivePlace()).toBeNull();
    const [key] = [...stored.keys()];
    for (const odd of ['{', '{"settings":{"exits":1},"place":null}', '{"settings":{"longer":["1h"]},"place":null}']) {
      stored.set(String(key), odd);
      expect(readLive()).toEqual(startLive());
      expect(readLivePlace()).toBeNull();
    }
  });
});
