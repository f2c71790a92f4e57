import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Expectation, validateCandles } from '../../../src/adapters/exchanges/validateCandles.ts';

const minute = 60_000;
const startMs = 1_000_000 * minute;
const bar = (index: number, close = 100): number[] => [startMs + index * minute, 100, 101, 99, close, 5];
/** Bars 0 to 9 are requested, all of them closed. */
const expected: Expectation = {
  intervalMs: minute,
  fromMs: startMs,
  toMs: startMs + 9 * minute,
  closedByMs: startMs + 60 * minute,
  nowMs: startMs + 60 * minute,
  firstTradeMs: 0,
};
const all = (): unknown[] => Array.from({ length: 10 }, (_, index) => bar(index));
const accept = (rows: unknown[], change: Partial<Expectation> = {}) => {
  const result = validateCandles(rows, { ...expected, ...change });
  if (!result.ok) throw new Error(result.error);
  return result.value;
};
const replaced = (index: number, row: unknown): unknown[] => all().map((each, i) => (i === index ? row : each));
const index = (timeMs: number): number => (timeMs - startMs) / minute;

describe('validateCandles', () => {
  it('accepts a complete response unchanged', () => {
    const { candles, gaps, rejectedCount } = accept(all());
    expect(Array.from(candles.time, index)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect({ gaps, rejectedCount }).toEqual({ gaps: [], rejectedCount: 0 });
  });

  it('sorts rows that come newest first and drops exact duplicates', () => {
    const { candles, gaps } = accept([...all().reverse(), bar(3), bar(4)]);
    expect(Array.from(candles.time, index)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(gaps).toEqual([]);
  });

  it('rejects both of two different rows for one bar', () => {
    const { candles, gaps, rejectedCount } = accept([...all(), bar(4, 100.5)]);
    expect(Array.from(candles.time, index)).toEqual([0, 1, 2, 3, 5, 6, 7, 8, 9]);
    expect(gaps).toEqual([{ fromMs: startMs + 4 * minute, toMs: startMs + 4 * minute, missingCount: 1 }]);
    expect(rejectedCount).toBe(1);
  });

  it.each([
    ['nulls, as ccxt makes of an HTML page', [null, null, null, null, null, null]],
    ['a text', 'abc'],
    ['too few cells', [startMs, 100, 101]],
    ['NaN', [startMs + 4 * minute, 100, NaN, 99, 100, 5]],
    ['infinity', [startMs + 4 * minute, 100, Infinity, 99, 100, 5]],
    ['text cells', [startMs + 4 * minute, '100', '101', '99', '100', '5']],
    ['a negative volume', [startMs + 4 * minute, 100, 101, 99, 100, -1]],
    ['high below low', [startMs + 4 * minute, 100, 99, 101, 100, 5]],
    ['high below close', [startMs + 4 * minute, 100, 101, 99, 102, 5]],
    ['low above open', [startMs + 4 * minute, 100, 101, 100.5, 101, 5]],
    ['a price of zero', [startMs + 4 * minute, 0, 101, 0, 100, 5]],
    ['a time between bars', [startMs + 4 * minute + 1, 100, 101, 99, 100, 5]],
    ['a time in seconds', [(startMs + 4 * minute) / 1000, 100, 101, 99, 100, 5]],
  ])('rejects a row with %s and names the gap it leaves', (_what, row) => {
    const { candles, gaps, rejectedCount } = accept(replaced(4, row));
    expect(candles.time).toHaveLength(9);
    expect(gaps.map(({ fromMs, missingCount }) => [index(fromMs), missingCount])).toEqual([[4, 1]]);
    expect(rejectedCount).toBe(1);
  });

  it('rejects the response when more than a tenth of it is invalid', () => {
    const rows = all().map((row, i) => (i < 2 ? [null, null, null, null, null, null] : row));
    expect(validateCandles(rows, expected)).toEqual({ ok: false, error: '2 of 10 rows are not candles' });
  });

  it('leaves out the running bar, future bars and bars that were not requested', () => {
    const nowMs = startMs + 8 * minute + 30_000;
    const rows = [...all(), bar(10), bar(500), bar(-1)];
    const { candles, gaps } = accept(rows, { closedByMs: nowMs, nowMs });
    // Bar 8 started at minute 8 and is running at 8:30.
    expect(Array.from(candles.time, index)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(gaps).toEqual([]);
  });

  it('treats a bar as closed only when it is on both clocks', () => {
    const nowMs = startMs + 10 * minute + 1000;
    const { candles, gaps } = accept(all(), { closedByMs: startMs + 10 * minute - 500, nowMs });
    expect(Array.from(candles.time, index)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    // A second late is no gap.
    expect(gaps).toEqual([]);
  });

  it('reports the newest bar as missing when it is overdue', () => {
    const { gaps } = accept(all().slice(0, 7));
    expect(gaps.map(({ fromMs, missingCount }) => [index(fromMs), missingCount])).toEqual([[7, 3]]);
  });

  it('does not report bars from before the market opened', () => {
    const rows = all().slice(6);
    expect(accept(rows, { firstTradeMs: startMs + 6 * minute }).gaps).toEqual([]);
    expect(accept(rows, { firstTradeMs: Infinity }).gaps).toEqual([]);
    expect(accept(rows).gaps.map(({ missingCount }) => missingCount)).toEqual([6]);
  });

  it('lets no invalid candle through whatever is sent', () => {
    const cell = fc.oneof(
      fc.double({ min: -1e6, max: 1e6 }),
      fc.constantFrom<unknown>(null, 'x', NaN, Infinity, undefined, {}, startMs + 3 * minute, startMs + 5 * minute),
    );
    const row = fc.oneof(
      fc.array(cell, { maxLength: 8 }),
      fc.integer({ min: -5, max: 20 }).map((i) => bar(i)),
      cell,
    );
    fc.assert(
      fc.property(fc.array(row, { maxLength: 60, size: 'max' }), (rows) => {
        const result = validateCandles(rows, expected);
        if (!result.ok) return;
        const { time, open, high, low, close, volume } = result.value.candles;
        time.forEach((timeMs, i) => {
          const [o, h, l, c, v] = [open[i]!, high[i]!, low[i]!, close[i]!, volume[i]!];
          expect([timeMs, o, h, l, c, v].every(Number.isFinite)).toBe(true);
          expect(l > 0 && h >= Math.max(o, c) && l <= Math.min(o, c) && v >= 0).toBe(true);
          expect(timeMs % minute === 0 && timeMs >= expected.fromMs && timeMs <= expected.toMs).toBe(true);
          if (i > 0) expect(timeMs).toBeGreaterThan(time[i - 1]!);
        });
        const missing = result.value.gaps.reduce((sum, gap) => sum + gap.missingCount, 0);
        expect(time.length + missing).toBe(10);
      }),
      { numRuns: 2000, seed: 43 },
    );
  });
});
