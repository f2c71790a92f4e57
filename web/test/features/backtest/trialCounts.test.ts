import { beforeEach, expect, it } from 'vitest';
import { defaultParams } from '../../../src/features/backtest/params.ts';
import { countRun, countTrials, noteTried, trialsOn } from '../../../src/features/backtest/trialCounts.ts';
import { runUserResets } from '../../../src/state/userReset.ts';

beforeEach(() => runUserResets());

it('counts every set once however often it is looked at, and tells how many there were before', () => {
  const params = defaultParams();
  countRun('a', params);
  countRun('a', { ...params });
  countRun('a', { ...params, entryThreshold: 0.5 });
  expect(trialsOn('a')).toBe(2);
  expect(countTrials('a', 100)).toBe(2);
  expect(trialsOn('a')).toBe(102);
  expect(trialsOn('b')).toBe(0);
});

it('does not count a set again that a search has tried', () => {
  const params = defaultParams();
  noteTried('a', params);
  countRun('a', params);
  expect(trialsOn('a')).toBe(0);
});

it('belongs to one person: the next user of the browser starts at none', () => {
  countTrials('a', 7);
  runUserResets();
  expect(trialsOn('a')).toBe(0);
});
