import { describe, expect, it } from 'vitest';
import type { ChartModel } from '../../src/charts/chartModel.ts';
import { forgetViews, recallView, rememberView, startView, viewAfter } from '../../src/charts/view.ts';

const HOUR = 3_600_000;
const forming = { open: 1, high: 1, low: 1, close: 1 };

/** @param from hours since the epoch at which the first candle opens */
function modelOf(from: number, count: number, more: Partial<ChartModel> & { stepMs?: number } = {}): ChartModel {
  const { stepMs = HOUR, ...rest } = more;
  const flat = new Float64Array(count).fill(1);
  const time = Float64Array.from({ length: count }, (_, i) => from * HOUR + i * stepMs);
  const candles = { time, open: flat, high: flat, low: flat, close: flat, volume: flat };
  return { candles, priceDecimals: 2, scoredFrom: 0, trades: [], panes: [], ...rest };
}

describe('a view that the user has moved', () => {
  const before = modelOf(1000, 300);
  // Hours 1080 to 1160.
  const view = { min: 80, max: 160 };

  it.each([1, 12, 40])('keeps its time when %i candles came and as many left', (moved) =>
    expect(viewAfter(view, before, modelOf(1000 + moved, 300))).toEqual({ min: 80 - moved, max: 160 - moved }),
  );

  it('keeps its time while the history grows before it', () =>
    expect(viewAfter(view, before, modelOf(500, 800))).toEqual({ min: 580, max: 660 }));

  it('keeps its time when candles are only added', () =>
    expect(viewAfter(view, before, modelOf(1000, 340))).toEqual(view));

  it('keeps its time when the scored window starts elsewhere', () =>
    expect(viewAfter(view, before, modelOf(1000, 300, { scoredFrom: 50 }))).toEqual(view));

  it('keeps its time over a gap of the new candles', () => {
    const after = modelOf(1000, 300);
    // Hours 1010 to 1019 are missing: what follows stands ten places earlier.
    const holed = Float64Array.from([...after.candles.time.slice(0, 10), ...after.candles.time.slice(20)]);
    const model = { ...after, candles: { ...after.candles, time: holed } };
    expect(viewAfter(view, before, model)).toEqual({ min: 70, max: 150 });
  });

  it('stays with the newest candle where that was in sight', () => {
    const atEnd = { min: 250, max: 301 };
    expect(viewAfter(atEnd, modelOf(1000, 300, { forming }), modelOf(1012, 300, { forming }))).toEqual(atEnd);
    const grown = viewAfter(atEnd, before, modelOf(500, 800));
    expect([grown.min, grown.max]).toEqual([750, 801]);
  });
});

describe('the start view is shown', () => {
  it('where the user had not moved it', () => {
    const before = modelOf(1000, 300, { scoredFrom: 100 });
    const after = modelOf(500, 800, { scoredFrom: 600 });
    expect(viewAfter(startView(before), before, after)).toEqual(startView(after));
  });

  it('for candles of another length', () => {
    const after = modelOf(1000, 300, { stepMs: 4 * HOUR });
    expect(viewAfter({ min: 80, max: 160 }, modelOf(1000, 300), after)).toEqual(startView(after));
  });

  it.each([5000, 100])('where the stretch is outside of the new candles, from hour %i', (from) => {
    const after = modelOf(from, 300);
    expect(viewAfter({ min: 80, max: 160 }, modelOf(1000, 300), after)).toEqual(startView(after));
  });
});

describe('a view that was left', () => {
  const key = 'market BTCUSDT 1h';
  const before = modelOf(1000, 300);

  it('DESK-103 is found at its time after minutes away, with more history on both sides', () => {
    rememberView(key, { min: 80, max: 160 }, before);
    expect(recallView(key, modelOf(1012, 300))).toEqual({ min: 68, max: 148 });
    expect(recallView(key, modelOf(500, 900))).toEqual({ min: 580, max: 660 });
    expect(recallView('market ETHUSDT 1h', before)).toEqual(startView(before));
    forgetViews();
    expect(recallView(key, before)).toEqual(startView(before));
  });

  it('DESK-103 follows the newest candle where that was in sight', () => {
    rememberView(key, { min: 249, max: 300 }, before);
    expect(recallView(key, modelOf(1040, 300))).toEqual({ min: 249, max: 300 });
  });

  it('DESK-103 starts again where its time is gone, or was not moved', () => {
    rememberView(key, { min: 80, max: 160 }, before);
    const later = modelOf(3000, 300);
    expect(recallView(key, later)).toEqual(startView(later));
    rememberView(key, startView(before), before);
    expect(recallView(key, modelOf(900, 400))).toEqual(startView(modelOf(900, 400)));
  });
});
