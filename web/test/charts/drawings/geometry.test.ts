import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  boxOf,
  distanceTo,
  fibonacciRatios,
  handleAt,
  isHit,
  magnetPrice,
  outlineOf,
  rayEnd,
} from '../../../src/charts/drawings/geometry.ts';
import { type Ranged, RangeIndex } from '../../../src/charts/drawings/rangeIndex.ts';

const at = (x: number, y: number) => ({ x, y });
const area = { left: 0, top: 0, right: 100, bottom: 50 };
const placed = { textLength: 0, unit: 1 };

describe('the distance to a line', () => {
  it.each([
    // A 3-4-5 triangle: the foot lies inside.
    [at(4, 3), at(0, 0), at(8, 0), 3],
    // Beside the ends the nearest point is the end.
    [at(-3, 4), at(0, 0), at(8, 0), 5],
    [at(11, -4), at(0, 0), at(8, 0), 5],
    // To the diagonal x = y: |2 - 0| / root of 2.
    [at(2, 0), at(0, 0), at(10, 10), Math.SQRT2],
    // A line of one point.
    [at(3, 4), at(0, 0), at(0, 0), 5],
  ])('DESK-092 of %j to %j, %j is %f', (point, from, to, distance) =>
    expect(distanceTo(point, [from, to])).toBeCloseTo(distance, 12),
  );
});

describe('a ray leaves the plot', () => {
  it.each([
    ['at the right edge', at(10, 10), at(20, 12), at(100, 28)],
    ['at the bottom', at(10, 10), at(20, 20), at(50, 50)],
    ['at the left edge', at(60, 20), at(40, 20), at(0, 20)],
    ['at the top', at(50, 40), at(50, 30), at(50, 0)],
    ['past the second point when it starts outside', at(-20, 10), at(-10, 10), at(100, 10)],
    ['nowhere when both points are the same', at(10, 10), at(10, 10), at(10, 10)],
  ])('DESK-092 %s', (_name, from, through, end) => {
    const { x, y } = rayEnd(from, through, area);
    expect([x, y]).toEqual([expect.closeTo(end.x, 9), expect.closeTo(end.y, 9)]);
  });
});

describe('outlines', () => {
  it('DESK-092 a horizontal line crosses the plot', () => {
    const outline = outlineOf({ kind: 'horizontal', points: [at(70, 20)], ...placed }, area);
    expect(outline).toEqual({ segments: [[at(0, 20), at(100, 20)]], boxes: [] });
    expect(isHit(at(3, 23), outline, 4)).toBe(true);
    expect(isHit(at(3, 25), outline, 4)).toBe(false);
  });

  it('DESK-092 a rectangle is hit at its edges, a measure inside too', () => {
    const points = [at(10, 40), at(30, 20)];
    const rectangle = outlineOf({ kind: 'rectangle', points, ...placed }, area);
    expect(isHit(at(10, 30), rectangle, 2)).toBe(true);
    expect(isHit(at(20, 30), rectangle, 2)).toBe(false);
    expect(isHit(at(20, 30), outlineOf({ kind: 'measure', points, ...placed }, area), 2)).toBe(true);
  });

  it('DESK-092 a position has a box of gain and one of loss', () => {
    // Entry at 30, target above at 10, stop below at 40.
    const { boxes } = outlineOf({ kind: 'long', points: [at(10, 30), at(50, 10), at(50, 40)], ...placed }, area);
    expect(boxes).toEqual([
      { left: 10, right: 50, top: 10, bottom: 30 },
      { left: 10, right: 50, top: 30, bottom: 40 },
    ]);
  });

  it('DESK-092 a text is hit over its characters', () => {
    const outline = outlineOf({ kind: 'text', points: [at(10, 30)], textLength: 4, unit: 1 }, area);
    expect(isHit(at(36, 20), outline, 0)).toBe(true);
    expect(isHit(at(42, 20), outline, 0)).toBe(false);
  });

  it('DESK-092 a retracement has a line for each ratio', () => {
    const ratioRows = fibonacciRatios.map((ratio) => 40 - 30 * ratio);
    const { segments } = outlineOf({ kind: 'fibonacci', points: [at(10, 10), at(50, 40)], ratioRows, ...placed }, area);
    expect(segments).toHaveLength(fibonacciRatios.length + 1);
    expect(segments[3]).toEqual([at(10, 25), at(50, 25)]);
  });

  it('DESK-092 a box has its corners in order whichever were placed', () =>
    expect(boxOf(at(30, 10), at(10, 20))).toEqual({ left: 10, right: 30, top: 10, bottom: 20 }));
});

describe('handles and magnet', () => {
  it('DESK-092 the nearest handle within reach is taken', () => {
    const handles = [at(0, 0), at(6, 0), at(50, 0)];
    expect(handleAt(at(4, 0), handles, 9)).toBe(1);
    expect(handleAt(at(20, 0), handles, 9)).toBe(-1);
  });

  it('DESK-099 a price snaps to the nearest price of the candle within reach', () => {
    // Ten pixels to a unit of price.
    const snap = (price: number) => magnetPrice(price, [100, 104, 99, 103], { yOf: (value) => -value * 10, reach: 12 });
    expect(snap(103.4)).toBe(103);
    expect(snap(103.6)).toBe(104);
    expect(snap(101.5)).toBe(101.5);
    expect(snap(101.2)).toBe(100);
  });
});

describe('the index of ranges', () => {
  const range = fc
    .tuple(
      fc.oneof(fc.constant(-Infinity), fc.integer({ min: -50, max: 150 })),
      fc.oneof(fc.constant(Infinity), fc.integer({ min: 0, max: 60 })),
    )
    .map(([from, length]): Ranged => ({ from, to: Number.isFinite(from) ? from + length : length }));

  it('DESK-092 finds what a scan of all ranges finds', () => {
    fc.assert(
      fc.property(
        fc.array(range, { maxLength: 60 }),
        fc.integer({ min: -60, max: 160 }),
        fc.nat(40),
        (ranges, from, length) => {
          const to = from + length;
          const scanned = ranges.filter((each) => each.from <= to && each.to >= from);
          const result = new RangeIndex(ranges).within(from, to);
          expect(new Set(result)).toEqual(new Set(scanned));
          expect(result).toHaveLength(scanned.length);
        },
      ),
    );
  });
});
