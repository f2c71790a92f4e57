import { beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import { type Columns, flatMarket, goldenWalk, roughMarket } from '../candles.ts';
import { cases, titleOf, valuesOf } from '../cases.ts';
import { references } from '../reference/references.ts';
import { expectSeries, indicator, loadEngine } from '../support.ts';

let engine: Engine;
beforeAll(async () => {
  engine = await loadEngine();
});

/** Size below which a difference is rounding of the prices themselves: they enter differences and deviations. */
const scaleOf: Record<string, number> = { macd: 1, rsi: 0.01, cci: 0.01, mfi: 0.01, stochrsi: 0.01, adx: 0.01 };

/** Prices rounded to whole units: ties everywhere. */
function onTicks(candles: Columns): Columns {
  const round = (x: Float64Array) => x.map((price) => Math.max(1, Math.round(price)));
  const { open, high, low, close } = candles;
  return { ...candles, open: round(open), high: round(high), low: round(low), close: round(close) };
}

const markets = {
  'the golden walk': goldenWalk(400),
  'a rough market with frozen and empty candles': roughMarket(400, 7),
  'a market that mostly stands still': roughMarket(300, 8, { frozen: 0.85 }),
  'a cheap coin': roughMarket(300, 9, { price: 1e-7, volatility: 0.05 }),
  'a coarse tick grid, where much is equal': onTicks(roughMarket(400, 10, { volatility: 0.03 })),
  'a market that never moves': flatMarket(260),
};

describe.each(Object.entries(markets))('on %s', (_, candles) => {
  const price = Math.max(...candles.high);
  it.each(cases.map((each) => [titleOf(each), each] as const))('%s equals its slow twin', (title, each) => {
    const got = indicator(engine, each.id, candles, each.params);
    const want = references[each.id]!(candles, valuesOf(each));
    expect(Object.keys(got)).toEqual(Object.keys(want));
    for (const [name, column] of Object.entries(want)) {
      const isIndex = ['rsi', 'cci', 'mfi', 'stochrsi', 'adx'].includes(each.id);
      const scale = isIndex ? 1 : each.id === 'obv' ? 1 : price * (scaleOf[each.id] ?? 1);
      expectSeries(got[name]!, column, { scale, hint: `${title} ${name}` });
    }
  });
});
