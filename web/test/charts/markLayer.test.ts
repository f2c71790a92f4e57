import { describe, expect, it } from 'vitest';
import type { ChartMark } from '../../src/charts/chartModel.ts';
import { candleAt, marksText } from '../../src/charts/levelsAndMarks.ts';

const times = Float64Array.of(0, 60, 120, 240);
const candles = { time: times, open: times, high: times, low: times, close: times, volume: times };

describe('the candle of a story', () => {
  it.each([
    [-1, -1],
    [0, 0],
    [59, 0],
    [60, 1],
    [179, 2],
    // In the hole between the third and the last candle.
    [200, -1],
    [240, 3],
    [299, 3],
    [300, -1],
  ])('of moment %i is number %i', (atMs, index) => expect(candleAt(candles, 60, atMs)).toBe(index));

  it('of no candles is none', () => {
    const empty = new Float64Array();
    const none = { time: empty, open: empty, high: empty, low: empty, close: empty, volume: empty };
    expect(candleAt(none, 60, 0)).toBe(-1);
  });
});

describe('the words over a candle', () => {
  const mark = (index: number, title: string): ChartMark => ({ index, title, atMs: 0, direction: 'neutral' });
  const marks = [mark(1, 'One'), mark(2, 'Two'), mark(2, 'Three'), mark(3, 'x'.repeat(200))];

  it('are the title of its story, with how many more there are', () => {
    expect(marksText(marks, 0)).toBeUndefined();
    expect(marksText(marks, 1)).toBe('One');
    expect(marksText(marks, 2)).toBe('Two (and 1 more)');
    expect(marksText(marks, 3)).toBe(`${'x'.repeat(90)}…`);
  });
});
