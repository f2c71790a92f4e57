import { beforeEach, expect, it } from 'vitest';
import {
  compared,
  comparedOf,
  compareRun,
  dropCompared,
  freeName,
  sameRun,
} from '../../../../src/features/backtest/saved/comparedRuns.ts';
import { runOf } from '../../../support/runs.ts';
import { savedOf } from '../../../support/savedRuns.ts';

beforeEach(() => {
  for (const id of compared.ids) dropCompared(id);
});

it('RULE-123 four runs are compared, a fifth takes the slot of the first, and one added again becomes the last', () => {
  for (const id of ['a', 'b', 'c', 'd', 'e']) compareRun(id);
  expect(compared.ids).toEqual(['b', 'c', 'd', 'e']);
  compareRun('c');
  expect(compared.ids).toEqual(['b', 'd', 'e', 'c']);
  dropCompared('d');
  expect(compared.ids).toEqual(['b', 'e', 'c']);
});

it('RULE-123 a compared run that was deleted is left out', () => {
  const [one, two] = [savedOf({ id: 'one' }), savedOf({ id: 'two' })];
  expect(comparedOf([one, two], ['two', 'gone', 'one'])).toEqual([two, one]);
});

it('RULE-123 a run gets a free name of at most 60 characters', () => {
  expect(freeName('BTCUSDT 1h', 'Classic', [])).toBe('BTCUSDT 1h, Classic');
  expect(freeName('BTCUSDT 1h', 'Classic', ['BTCUSDT 1h, Classic', 'BTCUSDT 1h, Classic 2'])).toBe(
    'BTCUSDT 1h, Classic 3',
  );
  const long = 'x'.repeat(80);
  const first = freeName('BTCUSDT 1h', long, []);
  const second = freeName('BTCUSDT 1h', long, [first]);
  expect([first.length, second.length, second.endsWith('x 2')]).toEqual([60, 60, true]);
});

it('RULE-123 a run that is saved already is found by its four hashes', () => {
  const run = runOf({});
  const saved = savedOf({ hashes: run.result.hashes });
  expect(sameRun([savedOf({ hashes: { ...saved.hashes, params: 'x' } }), saved], run)).toBe(saved);
  expect(sameRun([savedOf({ hashes: { ...saved.hashes, engine: 'x' } })], run)).toBeUndefined();
});
