import { beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import { type Columns, roughMarket } from '../candles.ts';
import { ownEntries } from '../cases.ts';
import { references } from '../reference/references.ts';
import { expectSeries, indicator, loadEngine } from '../support.ts';

// A million candles: drift would show, memory must stay within 256 MiB, and one candle must not remember another's block.

const COUNT = 1_000_000;
const MEMORY_MAX = 256 * 1024 * 1024;

let engine: Engine;
let candles: Columns;
beforeAll(async () => {
  engine = await loadEngine();
  candles = roughMarket(COUNT, 99, { volatility: 0.002, frozen: 0.01, stepMs: 60_000 });
});

function slice(from: number, to: number): Columns {
  return Object.fromEntries(Object.entries(candles).map(([name, x]) => [name, x.slice(from, to)])) as Columns;
}

const defaults = (id: string): number[] =>
  ownEntries.find((entry) => entry.id === id)!.parameters.map((parameter) => parameter.default);

describe('a million candles', () => {
  it.each(['sma', 'boll', 'cci', 'mfi', 'donchian', 'ichimoku'])('%s equals the definition anywhere', (id) => {
    const series = indicator(engine, id, candles);
    for (let k = 0; k < 60; k++) {
      const end = Math.floor(((k + 1) / 60) * COUNT);
      const want = references[id]!(slice(end - 240, end), defaults(id));
      for (const [name, column] of Object.entries(want)) {
        expectSeries(series[name]!.slice(end - 100, end), column.slice(-100), { scale: 1, hint: `${id} ${name}` });
      }
    }
  });

  it.each(['ema', 'macd', 'rsi', 'atr', 'adx', 'obv'])('%s has not drifted from the definition', (id) => {
    const series = indicator(engine, id, candles);
    const want = references[id]!(candles, defaults(id));
    const scale = id === 'obv' ? Math.max(...candles.volume.subarray(0, 1000)) : id === 'macd' ? 100 : 1;
    for (const [name, column] of Object.entries(want)) {
      for (let end = 1000; end <= COUNT; end += 33_300) {
        expectSeries(series[name]!.slice(end - 50, end), column.slice(end - 50, end), { scale, hint: `${id} ${name}` });
      }
    }
  });

  it('fits every indicator, one after the other, into 256 MiB', async () => {
    const fresh = await loadEngine();
    for (const { id } of ownEntries) {
      const series = indicator(fresh, id, candles);
      expect(
        Object.values(series).every((column) => Number.isFinite(column.at(-1)!)),
        id,
      ).toBe(true);
      expect(fresh.raw.arenaHighWater(), id).toBeLessThanOrEqual(MEMORY_MAX);
    }
  });
});
