import { beforeEach, expect, it } from 'vitest';
import { countRun, countTrials, trialsOn } from '../../../src/features/backtest/trialCounts.ts';
import { runUserResets } from '../../../src/state/userReset.ts';

beforeEach(() => runUserResets());

it('counts every set once however often it is looked at, and tells how many there were before', () => {
  countRun({ data: 'a', params: 'p' });
  countRun({ data: 'a', params: 'p' });
  countRun({ data: 'a', params: 'q' });
  expect(trialsOn('a')).toBe(2);
  expect(countTrials('a', 100)).toBe(2);
  expect(trialsOn('a')).toBe(102);
  expect(trialsOn('b')).toBe(0);
});

it('belongs to one person: the next user of the browser starts at none', () => {
  countTrials('a', 7);
  runUserResets();
  expect(trialsOn('a')).toBe(0);
});
