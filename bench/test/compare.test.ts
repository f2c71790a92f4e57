import { describe, expect, it } from 'vitest';
import { BUSY_RUN_TO_RUN_FRACTION, compareRuns, isRegression, RUN_TO_RUN_FRACTION } from '../src/compare.ts';
import type { ResultLine, Run } from '../src/results.ts';

const environment = { node: 'v24', cpu: 'c', cores: 2, commit: 'a', engine: 'e', load1: 0, date: '2026-01-01' };
const run = (...lines: ResultLine[]): Run => ({ environment, lines });
const line = (name: string, ratio: number, margin = 0.01): ResultLine => ({
  suite: 'indicators',
  case: name,
  figure: 1,
  unit: 'ns/bar',
  against: 'typescript',
  ratio,
  margin,
});
const verdictOf = (before: ResultLine, after: ResultLine) => compareRuns(run(before), run(after))[0]!.verdict;

describe('compareRuns', () => {
  it('calls a higher ratio better and a lower one worse', () => {
    expect(verdictOf(line('rsi', 2), line('rsi', 2.5))).toBe('better');
    expect(verdictOf(line('rsi', 2), line('rsi', 1.5))).toBe('worse');
  });

  it('calls a change inside the margins of both runs the same', () => {
    expect(verdictOf(line('rsi', 2, 0.1), line('rsi', 2.2, 0.1))).toBe('same');
    expect(verdictOf(line('rsi', 2, 0.001), line('rsi', 2.2, 0.001))).toBe('better');
  });

  it('adds the squares of the margins and of the difference between two runs of one build', () => {
    const [judgement] = compareRuns(run(line('rsi', 2, 0.04)), run(line('rsi', 2, 0.12)));
    expect(judgement!.tolerance).toBeCloseTo(Math.sqrt(0.04 ** 2 + 0.12 ** 2 + RUN_TO_RUN_FRACTION ** 2), 12);
  });

  it('requires a large change when one of the runs met a busy machine', () => {
    const quiet = run(line('rsi', 2));
    const busy = { ...run(line('rsi', 2.4)), environment: { ...environment, load1: 3 } };
    expect(compareRuns(quiet, busy)[0]!.verdict).toBe('same');
    expect(compareRuns(quiet, busy)[0]!.tolerance).toBeGreaterThanOrEqual(BUSY_RUN_TO_RUN_FRACTION);
    expect(compareRuns(quiet, run(line('rsi', 2.4)))[0]!.verdict).toBe('better');
  });

  it('requires as much of a loss as of a gain', () => {
    const factor = 1.05;
    expect(verdictOf(line('rsi', 1, 0.03), line('rsi', factor, 0.03))).toBe('same');
    expect(verdictOf(line('rsi', factor, 0.03), line('rsi', 1, 0.03))).toBe('same');
  });

  it('counts a case that is gone as a regression, and one that the machine had to skip not', () => {
    const gone = compareRuns(run(line('rsi', 2), line('ema', 2)), run(line('rsi', 2)));
    expect(gone.map(({ verdict }) => verdict)).toEqual(['same', 'missing']);
    expect(gone.some(isRegression)).toBe(true);
    const skipped = { suite: 'indicators', case: 'rsi', against: 'typescript', skipped: 'no cc' };
    expect(compareRuns(run(line('rsi', 2)), run(skipped)).map(({ verdict }) => verdict)).toEqual(['skipped']);
  });

  it('shows a new case without judging it', () => {
    const [judgement] = compareRuns(run(), run(line('rsi', 2)));
    expect(judgement).toMatchObject({ verdict: 'new', after: 2 });
    expect(isRegression(judgement!)).toBe(false);
  });

  it('keeps the cases of two rivals apart', () => {
    const native: ResultLine = { ...(line('rsi', 0.8) as object), against: 'native' } as ResultLine;
    const before = run(line('rsi', 2), native);
    expect(compareRuns(before, before).map(({ against }) => against)).toEqual(['typescript', 'native']);
  });

  it('does not judge figures that have no ratio, nor the self check', () => {
    const figure: ResultLine = { suite: 's', case: 'call', figure: 20, unit: 'ns' };
    const check: ResultLine = { ...figure, case: 'self-check', against: 'itself', ratio: 1, margin: 0 };
    expect(compareRuns(run(figure, check), run(figure, { ...check, ratio: 9 }))).toEqual([]);
  });
});
