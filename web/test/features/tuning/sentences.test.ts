import { neutralTuning } from '@sextant/workers/src/signals/signalRules.ts';
import { describe, expect, it } from 'vitest';
import { noChangeText } from '../../../src/features/tuning/RescorePanel.tsx';
import { newsWeightText } from '../../../src/features/tuning/TuningTab.tsx';
import { tuningView } from '../../../src/features/tuning/useTuning.ts';
import { scanParams } from '../../support/signals.ts';

const scanned = (tuning: Partial<typeof neutralTuning> = {}) => ({
  ...scanParams,
  tuning: { ...neutralTuning, ...tuning },
});
const weights = (tuning: Partial<typeof neutralTuning> = {}) => tuningView({ ...neutralTuning, ...tuning });

describe('the sentence beside unchanged results is computed from the weights', () => {
  it('says that they are those of the scan', () => {
    expect(noChangeText(scanned(), weights())).toBe('Same weights as the last scan.');
    expect(noChangeText(scanned({ adx: 1.5 }), weights({ adx: 1.5 }))).toBe('Same weights as the last scan.');
  });

  it('names the weights that were moved since', () => {
    const adx = 'Results stay the same with these weights (ADX).';
    expect(noChangeText(scanned(), weights({ adx: 1.2 }))).toBe(adx);
    // Moved back is moved, when the scan had another.
    expect(noChangeText(scanned({ adx: 1.2 }), weights())).toBe(adx);
    const two = noChangeText(scanned(), weights({ adx: 0.5, mfi: 1.5 }));
    for (const name of ['ADX', 'Money flow index']) expect(two).toContain(name);
  });

  it('says that saved rules do not read them', () => {
    const strategy = { name: 'Mine', version: 'v', value: {} } as never;
    expect(noChangeText({ ...scanned(), strategy }, weights({ adx: 1.5 }))).toBe(
      'Not available for your own rules (Mine).',
    );
  });
});

describe('the sentence beside the News weight says whether it has an effect', () => {
  const source = (name: string, count: number, weight: number, replayedCount?: number) =>
    ({ name, count, weight, replayed: replayedCount === undefined ? null : { count: replayedCount } }) as never;
  it.each([
    [[], 'No effect yet: a source needs 30 measured stories (most so far: 0).'],
    [[source('A', 29, 0), source('B', 3, 0)], 'No effect yet: a source needs 30 measured stories (most so far: 29).'],
    [[source('A', 2, 0, 12)], 'No effect yet: a source needs 30 measured stories (most so far: 12).'],
    [[source('A', 2, 0, 30)], "No effect now: no source's stories moved prices measurably."],
    [[source('A', 30, 0)], "No effect now: no source's stories moved prices measurably."],
    [[source('A', 40, 0.5), source('B', 3, 0)], 'Stories of A vote.'],
  ])('%#', (sources, text) => expect(newsWeightText({ sources, min_count: 30 })).toBe(text));
});
