import { describe, expect, it } from 'vitest';
import type { PairedOptions } from '../src/paired.ts';
import { isMeasurement, SELF_CHECK } from '../src/results.ts';
import { runSuite } from '../src/runSuite.ts';
import type { BenchCase } from '../src/suite.ts';

const quick: PairedOptions = { blockMs: 0.01, warmMs: 0.01, budgetMs: 0.1, pairsMin: 3, pairsMax: 3 };

function caseOf(overrides: Partial<BenchCase> = {}): BenchCase {
  return {
    name: 'sum',
    unit: 'ns',
    toFigure: (operationNs: number) => operationNs,
    rivals: [],
    options: quick,
    operation: () => Math.sqrt(2),
    verify: () => [],
    ...overrides,
  };
}

describe('runSuite', () => {
  it('gives each rival a line with figure, ratio and margin, after a check of the harness against itself', async () => {
    // The rival is on paper: one second for each operation, so the ratio has to be enormous.
    const contestant = { block: (count: number) => count * 1e9 };
    const { lines } = await runSuite('s', { cases: [caseOf({ rivals: [{ against: 'typescript', contestant }] })] });
    expect(lines.map((line) => [line.case, 'against' in line && line.against])).toEqual([
      [SELF_CHECK, 'itself'],
      ['sum', 'typescript'],
    ]);
    const [, line] = lines.filter(isMeasurement);
    expect(line).toMatchObject({ suite: 's', case: 'sum', unit: 'ns', against: 'typescript' });
    expect(line?.ratio).toBeGreaterThan(1e3);
    expect(line?.margin).toBeGreaterThanOrEqual(0);
  });

  it('does not time a case whose results differ, and says what differs', async () => {
    let calls = 0;
    const wrong = caseOf({ operation: () => calls++, verify: () => ['candle 3: 1 against 2'] });
    const { lines } = await runSuite('s', { cases: [wrong] });
    expect(lines).toEqual([{ suite: 's', case: 'sum', mismatch: 'candle 3: 1 against 2' }]);
    expect(calls).toBe(0);
  });

  it('names what the machine cannot compare', async () => {
    const skipped = [{ against: 'native', reason: 'no C compiler' }];
    const { lines } = await runSuite('s', { cases: [caseOf({ skipped })] });
    expect(lines).toContainEqual({ suite: 's', case: 'sum', against: 'native', skipped: 'no C compiler' });
  });

  it('gives a case without rivals an absolute figure', async () => {
    const { lines } = await runSuite('s', { cases: [caseOf({ unit: 'us', toFigure: (ns) => ns / 1000 })] });
    expect(lines).toHaveLength(1);
    const [line] = lines.filter(isMeasurement);
    expect(line).toMatchObject({ suite: 's', case: 'sum', unit: 'us' });
    expect(line?.figure).toBeGreaterThan(0);
    expect(line).not.toHaveProperty('ratio');
  });
});
