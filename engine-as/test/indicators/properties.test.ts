import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import { candlesOf, type Columns, firstCandles } from '../candles.ts';
import { cases, ownEntries, titleOf, valuesOf } from '../cases.ts';
import { references } from '../reference/references.ts';
import { expectSameBits, expectSeries, indicator, loadEngine } from '../support.ts';

// Arbitrary candles, up to 600: by default fast-check's arrays stay near ten elements.

/** PROPERTY_SEED and PROPERTY_SCALE (times as many runs; 66 makes 100,000) are for long runs outside the gate. */
const seed = Number(process.env['PROPERTY_SEED'] ?? 20260719);
const scale = Number(process.env['PROPERTY_SCALE'] ?? 1);
const LENGTH_MAX = 600;

let engine: Engine;
beforeAll(async () => {
  engine = await loadEngine();
});

const move = fc.oneof(
  { weight: 6, arbitrary: fc.double({ min: -0.05, max: 0.05, noNaN: true }) },
  { weight: 2, arbitrary: fc.constant(0) },
  { weight: 1, arbitrary: fc.double({ min: -0.6, max: 1.5, noNaN: true }) },
);
const candle = fc.record({
  move,
  up: fc.double({ min: 0, max: 0.1, noNaN: true }),
  down: fc.double({ min: 0, max: 0.1, noNaN: true }),
  volume: fc.oneof(fc.constant(0), fc.double({ min: 0.001, max: 1e6, noNaN: true })),
});
const candleSets = fc
  .integer({ min: 0, max: LENGTH_MAX })
  .chain((length) => fc.array(candle, { minLength: length, maxLength: length, size: 'max' }))
  .map((rows): Columns => {
    const onTick = (price: number): number => Math.max(0.01, Math.round(price * 100) / 100); // as exchanges quote
    let price = 100;
    const close = rows.map((row) => (price = onTick(Math.min(1e5, price * (1 + row.move)))));
    const before = (i: number): number => close[i - 1] ?? 100;
    return candlesOf(close, {
      high: rows.map((row, i) => onTick(Math.max(close[i]!, before(i)) * (1 + row.up))),
      low: rows.map((row, i) => onTick(Math.min(close[i]!, before(i)) * (1 - row.down))),
      volume: rows.map((row) => row.volume),
    });
  });

describe(`any candles (seed ${seed})`, () => {
  it('reach the lengths they are meant to reach', () => {
    const lengths = fc.sample(candleSets, { seed, numRuns: 200 }).map(({ close }) => close.length);
    expect(Math.max(...lengths)).toBeGreaterThan(LENGTH_MAX * 0.95);
    expect(lengths.filter((length) => length > 300).length).toBeGreaterThan(60);
  });

  it.each(cases.filter(({ id }) => id !== 'fib' && id !== 'pivot').map((each) => [titleOf(each), each] as const))(
    '%s equals its slow twin',
    (title, each) => {
      fc.assert(
        fc.property(candleSets, (candles) => {
          const got = indicator(engine, each.id, candles, each.params);
          const want = references[each.id]!(candles, valuesOf(each));
          const isIndex = ['rsi', 'cci', 'mfi', 'stochrsi', 'adx'].includes(each.id);
          const size = each.id === 'obv' ? Math.max(1, ...candles.volume) : Math.max(1, ...candles.high);
          // An oscillator over an almost motionless window divides two differences that are mostly rounding.
          const tolerance = each.id === 'cci' || each.id === 'stochrsi' ? 1e-7 : 1e-9;
          for (const [name, column] of Object.entries(want)) {
            expectSeries(got[name]!, column, { tolerance, scale: isIndex ? 1 : size, hint: `${title} ${name}` });
          }
        }),
        { seed, numRuns: 12 * scale },
      );
    },
  );

  it.each(ownEntries.map(({ id }) => id))('%s depends on no later candle', (id) => {
    fc.assert(
      fc.property(candleSets, fc.double({ min: 0, max: 1, noNaN: true }), (candles, share) => {
        const cut = Math.floor(share * candles.close.length);
        const whole = indicator(engine, id, candles);
        const part = indicator(engine, id, firstCandles(candles, cut));
        expectSameBits(part, Object.fromEntries(Object.entries(whole).map(([name, x]) => [name, x.slice(0, cut)])), id);
      }),
      { seed, numRuns: 40 * scale },
    );
  });
});
