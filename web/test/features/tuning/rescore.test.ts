import { confidenceOf, directionOf, scoreWith } from '@sextant/workers/src/signals/rescoring.ts';
import { neutralTuning } from '@sextant/workers/src/signals/signalRules.ts';
import { describe, expect, it } from 'vitest';
import { tuningKeys, tuningNames } from '../../../src/features/tuning/useTuning.ts';
import { rescore } from '../../../src/features/tuning/RescorePanel.tsx';
import { scanParams, signalOf } from '../../support/signals.ts';

const only = (vote: string, opinion: number) => [{ vote, interval: '1h', opinion, is_live: true, contribution: 0 }];

describe('rescoring a stored signal', () => {
  it('weighs by hand: ADX alone is 1 of a total weight of 16', () => {
    expect(scoreWith(signalOf({ contributions: only('adx', 1) }), neutralTuning)).toBeCloseTo(1 / 16, 12);
    // At 1.5 both its vote and the total grow by a half.
    expect(scoreWith(signalOf({ contributions: only('adx', 1) }), { ...neutralTuning, adx: 1.5 })).toBeCloseTo(
      1.5 / 16.5,
      12,
    );
  });

  it.each(tuningKeys)('the slider of %s moves the score of a signal that has its vote', (name) => {
    const vote = tuningNames[name];
    const signal = signalOf({ contributions: only(vote, 1) });
    const louder = scoreWith(signal, { ...neutralTuning, [vote]: 1.5 });
    expect(louder).toBeGreaterThan(scoreWith(signal, neutralTuning));
  });

  it('TUNE-011 the news slider changes the confidence of a signal with its vote, and the direction of one near the threshold', () => {
    // News and ADX, each 1 of a total of 17: 0.118, a LONG.
    const score = 1 / 17 + 1 / 17;
    const signal = signalOf({
      score,
      raw_confidence: confidenceOf(score),
      contributions: [...only('news', 1), ...only('adx', 1)],
    });
    const turned = (news: number) => rescore([signal], scanParams, { ...neutralTuning, news }, null);
    expect(turned(1)).toMatchObject({ count: 1, unexplained: 0, turned: 0, changed: [] });
    expect(turned(1.5).changed[0]?.confidence).toBeCloseTo(confidenceOf(2.5 / 17.5), 12);
    // Both at a half: 1 of 16 is 0.063, below the threshold.
    // RSI 1.5 and ADX 1 against news: 1.5 of 17 is 0.088, a LONG; with news at 1.5 it is 1 of 17.5, 0.057, and none.
    const near = signalOf({
      score: 1.5 / 17,
      raw_confidence: confidenceOf(1.5 / 17),
      contributions: [...only('rsi', 1), ...only('adx', 1), ...only('news', -1)],
    });
    const against = rescore([near], scanParams, { ...neutralTuning, news: 1.5 }, null);
    expect(against).toMatchObject({ turned: 1, unexplained: 0 });
    expect(against.changed[0]?.direction).toBe('NEUTRAL');
  });

  it('counts a longer interval half as much, and news only when there is any', () => {
    const timeframes = [
      { interval: '1h', weight: 1, score: null },
      { interval: '4h', weight: 0.5, score: null },
    ];
    const signal = signalOf({ timeframes, contributions: only('adx', 1) });
    expect(scoreWith(signal, neutralTuning)).toBeCloseTo(1 / (16 * 1.5), 12);
    expect(scoreWith(signalOf({ contributions: only('news', 1) }), neutralTuning)).toBeCloseTo(1 / 17, 12);
  });

  it('reads direction and confidence as docs/ensemble.md has them', () => {
    expect([directionOf(0.08), directionOf(0.0799), directionOf(-0.08)]).toEqual(['LONG', 'NEUTRAL', 'SHORT']);
    expect(confidenceOf(-0.5)).toBe(0.75);
  });

  it('says what changes, what turns, what falls below the floor, and leaves out what it cannot explain', () => {
    const score = 1.5 / 16;
    const near = signalOf({
      symbol: 'AUSDT',
      score,
      raw_confidence: confidenceOf(score),
      contributions: [...only('rsi', 1)],
    });
    const unexplained = signalOf({ symbol: 'BUSDT', score: 0.3 });
    const same = signalOf({ symbol: 'CUSDT', raw_confidence: 1 });
    const heavier = Object.fromEntries(Object.keys(neutralTuning).map((vote) => [vote, 1.5])) as typeof neutralTuning;
    const result = rescore([near, unexplained, same], scanParams, heavier, 0.5);
    expect(result).toMatchObject({ count: 2, turned: 1, belowFloor: 1, unexplained: 1 });
    expect(result.changed.map(({ signal, direction }) => [signal.symbol, direction])).toEqual([['AUSDT', 'NEUTRAL']]);
    expect(rescore([near, same], scanParams, neutralTuning, null).changed).toEqual([]);
  });
});
