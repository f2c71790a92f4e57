import { describe, expect, it } from 'vitest';
import { formatRun, parseRuns, type Run } from '../src/results.ts';

const environment = { node: 'v24', cpu: 'c', cores: 2, commit: 'a', engine: 'e', load1: 0.5, date: '2026-01-01' };
const measured = { suite: 'indicators', case: 'rsi', figure: 3.1, unit: 'ns/bar' };
const run: Run = {
  environment,
  lines: [
    { ...measured, against: 'typescript', ratio: 2.4, margin: 0.01 },
    { suite: 'indicators', case: 'rsi', against: 'native', skipped: 'no cc' },
    { suite: 'indicators', case: 'ema', mismatch: 'candle 40' },
  ],
};

describe('the results format', () => {
  it('is one JSON object a line, the environment first', () => {
    const lines = formatRun(run).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([{ environment }, ...run.lines]);
  });

  it('gives back what was written, several runs in one file', () =>
    expect(parseRuns(formatRun(run) + formatRun(run), 'f')).toEqual([run, run]));

  it.each([
    ['{"suite":"s"}', 'f, line 2: neither a result nor an environment line'],
    ['{', 'f, line 2: not JSON'],
    [JSON.stringify({ ...measured, ratio: -1 }), 'f, line 2: neither a result nor an environment line'],
    [JSON.stringify({ ...measured, extra: 1 }), 'f, line 2: neither a result nor an environment line'],
  ])('names the line that is not a result: %s', (line, message) =>
    expect(() => parseRuns(`${JSON.stringify({ environment })}\n${line}\n`, 'f')).toThrow(message),
  );

  it('rejects results without the machine they came from', () =>
    expect(() => parseRuns(JSON.stringify(measured), 'f')).toThrow('before any environment line'));
});
