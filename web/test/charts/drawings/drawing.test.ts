import { drawingAnchors, drawingKinds } from '@sextant/workers/src/core/chartDrawings.ts';
import { describe, expect, it } from 'vitest';
import { createDrawing, handlesOf, moveAll, moveHandle, placedCount } from '../../../src/charts/drawings/drawing.ts';
import { measure, measureTexts, positionFacts, positionTexts } from '../../../src/charts/drawings/drawingFacts.ts';
import { sizeOf } from '../../../src/charts/drawings/SizeHint.tsx';
import { DrawingIndex, indexDrawing } from '../../../src/charts/drawings/placeDrawings.ts';
import { indexOfTime, timeOfIndex } from '../../../src/charts/timeScale.ts';

const HOUR = 3_600_000;
const at = (hours: number, price: number) => ({ time: hours * HOUR, price });
const hours = (from: number, count: number, step = 1) =>
  Float64Array.from({ length: count }, (_, i) => (from + i * step) * HOUR);

describe('a new drawing', () => {
  it.each(drawingKinds)('DESK-092 %s has the anchors of its kind', (kind) => {
    const points = [at(1, 100), at(3, 110)].slice(0, placedCount(kind));
    expect(createDrawing(kind, points).anchors).toHaveLength(drawingAnchors[kind]);
  });

  it('DESK-100 a long has its stop below and its target at 2R above, wherever the pointer was', () => {
    const anchors = [at(1, 100), at(5, 106), at(5, 97)];
    expect(createDrawing('long', [at(1, 100), at(5, 97)]).anchors).toEqual(anchors);
    expect(createDrawing('long', [at(1, 100), at(5, 103)]).anchors).toEqual(anchors);
    // Placed from right to left.
    expect(createDrawing('long', [at(5, 100), at(1, 97)]).anchors).toEqual(anchors);
    expect(createDrawing('short', [at(1, 100), at(5, 97)]).anchors).toEqual([at(1, 100), at(5, 94), at(5, 103)]);
  });

  it('DESK-095 has whole milliseconds and a price above 0', () => {
    expect(createDrawing('text', [{ time: 1.6, price: -3 }])).toMatchObject({ anchors: [{ time: 2, price: 1e-12 }] });
  });
});

describe('moving', () => {
  it('DESK-092 the four corners of a box move alone', () => {
    const box = createDrawing('rectangle', [at(1, 100), at(3, 110)]);
    expect(handlesOf(box)).toEqual([at(1, 100), at(3, 110), at(1, 110), at(3, 100)]);
    expect(moveHandle(box, 2, at(0, 120)).anchors).toEqual([at(0, 100), at(3, 120)]);
    expect(moveHandle(box, 3, at(9, 90)).anchors).toEqual([at(1, 90), at(9, 110)]);
    expect(moveHandle(box, 0, at(2, 99)).anchors).toEqual([at(2, 99), at(3, 110)]);
  });

  it('DESK-100 target and stop of a position stay on their sides and end together', () => {
    const long = createDrawing('long', [at(1, 100), at(5, 97)]);
    expect(moveHandle(long, 1, at(7, 112)).anchors).toEqual([at(1, 100), at(7, 112), at(7, 97)]);
    expect(moveHandle(long, 1, at(7, 90)).anchors[1]).toEqual(at(7, 100));
    expect(moveHandle(long, 2, at(5, 130)).anchors[2]).toEqual(at(5, 100));
    expect(moveHandle(long, 0, at(2, 200)).anchors[0]).toEqual(at(2, 106));
    const short = createDrawing('short', [at(1, 100), at(5, 103)]);
    expect(moveHandle(short, 2, at(5, 90)).anchors[2]).toEqual(at(5, 100));
  });

  it('DESK-092 all anchors move together', () =>
    expect(
      moveAll(createDrawing('trend', [at(1, 100), at(3, 110)]), ({ time, price }) => ({
        time: time + HOUR,
        price: price + 1,
      })).anchors,
    ).toEqual([at(2, 101), at(4, 111)]));
});

describe('figures', () => {
  it('DESK-092 a measure states difference, percent, candles and time', () => {
    expect(measure(at(1, 200), at(25, 190), 24)).toEqual({ price: -10, pct: -5, ms: 24 * HOUR, candles: 24 });
    expect(measureTexts(at(1, 200), at(25, 190), 24, 1)).toEqual(['\u221210.0 (\u22125.00 %)', '24 candles, 1 d']);
    expect(measureTexts(at(3, 100), at(2, 101.5), -1, 2)).toEqual(['+1.50 (+1.50 %)', '1 candle, 1 h']);
  });

  it('DESK-100 a position states risk, reward and R', () => {
    const long = moveHandle(createDrawing('long', [at(1, 200), at(5, 196)]), 1, at(5, 210));
    // Risk 4 of 200, reward 10 of 200: 2.5R.
    expect(positionFacts(long)).toEqual({ r: 2.5, riskPct: 2, rewardPct: 5 });
    expect(positionTexts(long, 1)).toEqual(['target 210.0 (5.00 %)', 'long 200.0, 2.50R', 'stop 196.0 (2.00 %)']);
    expect(positionFacts(moveHandle(long, 2, at(5, 300)))?.r).toBeNaN();
    expect(positionFacts(createDrawing('trend', [at(1, 1), at(2, 2)]))).toBeNull();
  });

  it('DESK-100 the size loses the risk of the settings at the stop, costs included', () => {
    const long = createDrawing('long', [at(1, 100), at(5, 98)]);
    const settings = { balance_usdt: 10_000, base_usdt: null, leverage: 10, risk_tolerance: 'medium' as const };
    const market = { tickSize: 0.01, stepSize: 0.001, minNotional: 5, maxLeverage: 50, maxQuantity: 0 };
    const size = sizeOf(long, settings, market, 'binance');
    // The stop fills at 98 less 0.02 %: 97.9804. A unit loses 2.0196 and fees of 0.05 % of 197.9804: 2.1185902.
    // 1 % of 10,000 USDT is 100 USDT: 47.2012 units, 47.201 on the step.
    expect(size?.quantity).toBeCloseTo(47.201, 9);
    expect(size?.lossAtStopUsdt).toBeCloseTo(47.201 * 2.1185902, 6);
    expect(sizeOf(moveHandle(long, 2, at(5, 100)), settings, market, 'binance')).toBeNull();
  });
});

describe('times and candles', () => {
  it('DESK-096 a time has the same place when candles are added on either side', () => {
    const [short, long] = [hours(100, 50), hours(40, 200)];
    for (const time of [90, 100, 120.5, 149, 170]) {
      const [before, after] = [indexOfTime(short, time * HOUR), indexOfTime(long, time * HOUR)];
      expect(after - before).toBeCloseTo(60, 9);
      expect(timeOfIndex(short, before)).toBeCloseTo(time * HOUR, 3);
    }
  });

  it('DESK-096 a time lies inside its candle on a longer interval', () => {
    const four = hours(100, 50, 4);
    expect(indexOfTime(four, 109 * HOUR)).toBeCloseTo(2.25, 9);
    expect(indexOfTime(four, 96 * HOUR)).toBeCloseTo(-1, 9);
    expect(indexOfTime(four, 304 * HOUR)).toBeCloseTo(51, 9);
  });

  it('DESK-096 a gap between candles takes no room', () => {
    const holed = Float64Array.from([0, 1, 10, 11].map((hour) => hour * HOUR));
    expect(indexOfTime(holed, 5.5 * HOUR)).toBeCloseTo(1.5, 9);
  });

  it('DESK-096 lines without end are in sight beyond their points, hidden drawings never', () => {
    const time = hours(0, 100);
    const drawings = [
      createDrawing('horizontal', [at(90, 1)]),
      createDrawing('ray', [at(20, 1), at(25, 2)]),
      createDrawing('ray', [at(25, 1), at(20, 2)]),
      createDrawing('trend', [at(30, 1), at(40, 2)]),
      { ...createDrawing('horizontal', [at(90, 1)]), is_hidden: true },
    ];
    const index = new DrawingIndex();
    index.update(drawings, time);
    const seen = (from: number, to: number) => index.within(from, to).map(({ order }) => order);
    expect(seen(50, 60)).toEqual([0, 1]);
    expect(seen(0, 10)).toEqual([0, 2]);
    expect(seen(35, 36)).toEqual([0, 1, 3]);
    const [ray] = drawings.slice(1);
    expect(ray && indexDrawing(ray, 0, time)).toMatchObject({ from: 20, to: Infinity, indices: [20, 25] });
  });
});
