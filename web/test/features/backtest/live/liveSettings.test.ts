import { tunedWeights } from '@sextant/engine-as/abi/strategy.ts';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { resetVoteWeights, setVoteWeight } from '../../../../src/features/backtest/live/VoteWeights.tsx';
import { rulesText } from '../../../../src/format/strategyText.ts';
import {
  besideOf,
  keepLive,
  longerOffered,
  readLive,
  settingsOf,
  settingsOfRun,
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

  it('have every longer interval of rules that were opened, those that no scan reads too', () => {
    const saved = {
      ...strategyOf(startLive(), '5m', { context: [], tuning: {} }),
      intervals: [
        { interval: '5m' as const, weight: 1 },
        { interval: '1d' as const, weight: 0.8 },
      ],
    };
    const settings = settingsOf('Mine', saved);
    expect(besideOf('5m', settings)).toEqual(['1d']);
    expect(longerOffered('5m', settings)).toEqual(['15m', '1h', '4h', '1d']);
    // Switched off, it can be switched on again.
    expect(longerOffered('5m', { ...settings, longer: [] })).toEqual(['15m', '1h', '4h', '1d']);
    expect(longerOffered('5m', startLive())).toEqual(['15m', '1h', '4h']);
    expect(strategyOf(settings, '5m', { context: besideOf('5m', settings), tuning: {} })).toEqual(saved);
  });

  it('of a run of Live rules with other weights start at the tuned ones again', () => {
    const tuning = { adx: 1.5 };
    const live = startLive();
    setVoteWeight(live, 'rsi', -1.25, tunedWeights(tuning));
    const strategy = strategyOf(live, '1h', { context: ['4h'], tuning });
    const again = settingsOfRun(strategy, { opened: { name: 'Live rules', version: '' }, tuning, stored: live });
    expect(strategyOf(again, '1h', { context: ['4h'], tuning })).toEqual(strategy);
    expect(again.own?.startWeights).toMatchObject({ rsi: 1.5, adx: 1.5 });
    resetVoteWeights(again);
    expect(again.own).toBeNull();
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
      'Vote parameters': 'defaults',
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
      parameters: { rsi: { period: 21, overbought: 80 }, adx: { trend: 30 }, mfi: { period: 5 } },
      breakEvenR: 1,
    };
    const settings = settingsOf('Mine', saved);
    expect(besideOf('15m', settings)).toEqual(['4h']);
    expect(strategyOf(settings, '15m', { context: ['4h'], tuning: { adx: 1.5 } })).toEqual(saved);
    expect(Object.fromEntries(rulesText(saved))).toMatchObject({
      Intervals: '15m, with 4h (weight 0.8)',
      // MFI has no weight.
      'Vote parameters': 'RSI 21, 30/80; ADX 14, 30',
    });
    keepLive(settings);
    expect(readLive()).toEqual(settings);
  });

  it('of a run of Live rules are Live rules again while the tuning is the same, and custom rules with another', () => {
    const stored = { ...startLive(), exits: { ...startLive().exits, breakEvenR: 1 } };
    const tuning = { adx: 1.5 };
    const strategy = strategyOf(stored, '1h', { context: ['4h'], tuning });
    const again = settingsOfRun(strategy, { opened: null, tuning, stored });
    // 1h is not longer than the base: it stays chosen for a run on 15m.
    expect(again).toEqual(stored);
    const later = settingsOfRun(strategy, { opened: null, tuning: { adx: 0.5 }, stored });
    expect(later.own).toMatchObject({ name: 'Live rules', weights: { adx: 1.5 } });
    expect(strategyOf(later, '1h', { context: ['4h'], tuning: { adx: 0.5 } })).toEqual(strategy);
  });

  it('of a run of changed saved rules keep the name and the version they were opened with', () => {
    const saved = strategyOf(startLive(), '1h', { context: [], tuning: {} });
    const opened = { name: 'Mine', version: 'v' };
    const { own } = settingsOfRun({ ...saved, entryThreshold: 0.3 }, { opened, tuning: {}, stored: startLive() });
    expect(own).toMatchObject(opened);
  });

  it('are stored, and dropped when this page cannot have written them', () => {
    const settings = { ...startLive(), entryThreshold: 0.2, longer: ['4h' as const] };
    settings.exits.stop = { mode: 'percent', fraction: 0.03 };
    keepLive(settings);
    expect(readLive()).toEqual(settings);
    const [key] = [...stored.keys()];
    // Rules stored before votes had parameters use the defaults.
    const plain = settingsOf('Mine', strategyOf(startLive(), '1h', { context: [], tuning: {} }));
    const before = { ...plain, own: { ...plain.own, parameters: undefined, startParameters: undefined } };
    stored.set(String(key), JSON.stringify(before));
    expect(readLive()).toEqual(plain);
    const older = { ...startLive(), own: { name: 'Mine', weights: {}, intervalWeights: {} } };
    for (const odd of ['{', '{"exits":1}', '{"longer":["1h"]}', JSON.stringify(older)]) {
      stored.set(String(key), odd);
      expect(readLive()).toEqual(startLive());
    }
  });
});
