import { beforeAll, describe, expect, it } from 'vitest';
import { type Engine, instantiate } from '../../src/engine/engine.ts';
import type { Candles } from '../../src/protocol/backtest.ts';
import { patternRecord, patterns } from '../../src/tasks/patterns.ts';
import { engineTimeoutMs, testEngine } from '../support/engine.ts';

let engine: Engine;
beforeAll(async () => {
  engine = instantiate((await testEngine()).module);
}, engineTimeoutMs);

type Row = readonly [open: number, high: number, low: number, close: number];

const candlesOf = (rows: readonly Row[]): Candles => ({
  time: Float64Array.from(rows, (_, i) => i * 3_600_000),
  open: Float64Array.from(rows, ([open]) => open),
  high: Float64Array.from(rows, ([, high]) => high),
  low: Float64Array.from(rows, ([, , low]) => low),
  close: Float64Array.from(rows, ([, , , close]) => close),
  volume: new Float64Array(rows.length).fill(1),
});

/** Bodies of 1 with tails of 1, up and down in turn; then a black body of 1 that a white one of 2 contains. */
const quiet = (i: number): Row => (i % 2 === 0 ? [100, 102, 99, 101] : [101, 102, 99, 100]);
const engulfing: Row[] = [
  [101, 102, 99, 100],
  [99.5, 102, 99, 101.5],
];
const rising: Row[] = [
  [101.5, 103, 101, 102],
  [102, 104, 101.5, 103],
];

describe('patterns', () => {
  it('names the pattern at the candle that completes it, of the last candles only', () => {
    const rows = [...Array.from({ length: 21 }, (_, i) => quiet(i)), ...engulfing, ...rising];
    const outcome = patterns(engine, { candles: candlesOf(rows), lastCount: 3 });
    if (!outcome.ok) throw new Error(outcome.error.message);
    expect(outcome.value.hits).toContainEqual({ id: 'engulfing', index: 22, value: 100 });
    expect(outcome.value.hits.every(({ index }) => index >= 22)).toBe(true);
  });

  it('names a swing formation with the highs and lows that it is drawn through', () => {
    // As the double top that engine-as/test/patterns/formations.test.ts works out.
    const closes = [105];
    for (const [price, count] of [
      [100, 6],
      [110, 8],
      [104, 6],
      [110.5, 6],
      [100, 10],
    ] as const) {
      const from = closes.at(-1) ?? 0;
      for (let i = 1; i <= count; i++) closes.push(from + ((price - from) * i) / count);
    }
    const rows = closes.map((close): Row => [close, close + 0.1, close - 0.1, close]);
    const outcome = patterns(engine, { candles: candlesOf(rows), lastCount: 5 });
    if (!outcome.ok) throw new Error(outcome.error.message);
    expect(outcome.value.hits.find(({ id }) => id === 'doubleTop')).toEqual({
      id: 'doubleTop',
      index: 33,
      value: -100,
      points: [
        { index: 14, side: 'high' },
        { index: 20, side: 'low' },
        { index: 26, side: 'high' },
      ],
    });
  });

  it('rejects impossible candles', () => {
    const outcome = patterns(engine, { candles: candlesOf([[100, 90, 110, 100]]), lastCount: 1 });
    expect(outcome).toMatchObject({ ok: false, error: { code: 'bad_input' } });
  });
});

describe('patternRecord', () => {
  it('counts how often a pattern was followed by its direction, beside all candles', () => {
    const up = [...Array.from({ length: 21 }, (_, i) => quiet(i)), ...engulfing, ...rising];
    const down = [...up.slice(0, 23), [101.5, 102, 97, 98] as Row, [98, 99, 96, 97] as Row];
    const outcome = patternRecord(engine, { series: [up, up, down].map(candlesOf), horizonCount: 2 });
    if (!outcome.ok) throw new Error(outcome.error.message);
    expect(outcome.value.patterns['engulfing']?.bullish).toEqual({ count: 3, followedCount: 2 });
    // 25 candles, of which the last two have no close two later.
    expect(outcome.value).toMatchObject({ seriesCount: 3, horizonCount: 2, all: { count: 69 } });
    const { higherCount, lowerCount } = outcome.value.all;
    expect(higherCount + lowerCount).toBeLessThanOrEqual(69);
  });

  it('counts nothing without later candles', () => {
    const rows = Array.from({ length: 21 }, (_, i) => quiet(i));
    const outcome = patternRecord(engine, { series: [candlesOf(rows)], horizonCount: 21 });
    expect(outcome).toMatchObject({ ok: true, value: { patterns: {}, all: { count: 0 } } });
  });
});
