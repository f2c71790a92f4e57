import { describe, expect, it } from 'vitest';
import type { ChartModel, LinePane } from '../../src/charts/chartModel.ts';
import { isSameLine } from '../../src/charts/stackShape.ts';
import { isSameBelow } from '../../src/charts/stillLayer.ts';

const column = Float64Array.of(1, 2, 3);
const candles = { time: column, open: column, high: column, low: column, close: column, volume: column };
const model = (change: Partial<ChartModel> = {}): ChartModel => ({
  candles,
  priceDecimals: 2,
  scoredFrom: 0,
  trades: [],
  panes: [],
  ...change,
});
const overlay = (values: (number | null)[]) => ({
  id: 'ema',
  label: 'EMA',
  lines: [{ label: 'EMA', values, colour: 'accent' as const, isFilled: false }],
});
const values = [1, null, 3];

describe('a model that differs above the candles alone', () => {
  it.each<[string, Partial<ChartModel>, Partial<ChartModel>, boolean]>([
    ['trades', {}, { trades: [] }, true],
    ['the list of overlays', { overlays: [overlay(values)] }, { overlays: [overlay(values)] }, true],
    ['values of an overlay', { overlays: [overlay(values)] }, { overlays: [overlay([1, null, 4])] }, false],
    ['one overlay more', {}, { overlays: [overlay(values)] }, false],
    ['candles', {}, { candles: { ...candles } }, false],
    ['the first scored candle', {}, { scoredFrom: 1 }, false],
    ['the forming candle', {}, { forming: { open: 1, high: 1, low: 1, close: 1 } }, false],
    ['news', {}, { marks: [] }, false],
    ['stops, which move the scale', {}, { stops: [1, 2, 3] }, false],
  ])('RULE-209 another value of %s', (_, a, b, isSame) => {
    expect(isSameBelow(model(a), model(b))).toBe(isSame);
  });
});

describe('a line under the candles', () => {
  const pane = (change: Partial<LinePane> = {}): LinePane => ({
    id: 'score',
    label: 'Score',
    values,
    colour: 'muted',
    isFilled: false,
    levels: [0.3, -0.3],
    weight: 1,
    format: String,
    ...change,
  });
  it.each<[string, Partial<LinePane>, boolean]>([
    ['a copy of the values', { values: [...values], format: () => '' }, true],
    ['another value', { values: [1, null, 3.1] }, false],
    ['a value in place of none', { values: [1, 2, 3] }, false],
    ['one value less', { values: [1, null] }, false],
    ['another level', { levels: [0.4, -0.4] }, false],
    ['a second line', { others: [pane()] }, false],
  ])('RULE-209 %s', (_, change, isSame) => {
    expect(isSameLine(pane(), pane(change))).toBe(isSame);
    expect(isSameLine(undefined, pane(change))).toBe(false);
  });
});
