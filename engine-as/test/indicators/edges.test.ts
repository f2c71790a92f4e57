import { beforeAll, describe, expect, it } from 'vitest';
import {
  INDICATOR_STATE_LENGTH,
  KIND_FIB,
  KIND_MACD,
  KIND_RSI,
  KIND_SMA,
  PERIOD_MAX,
} from '../../abi/indicatorKinds.ts';
import { indicatorEntry, resolveParameters } from '../../abi/registry.ts';
import { STATUS_BAD_PARAMETER, STATUS_OUT_OF_MEMORY, STATUS_UNKNOWN_KIND } from '../../abi/status.ts';
import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import { candlesOf, flatMarket, roughMarket } from '../candles.ts';
import { cases, ownEntries, titleOf } from '../cases.ts';
import { indicator, loadEngine, pushColumns } from '../support.ts';

let engine: Engine;
beforeAll(async () => {
  engine = await loadEngine();
});

describe('the warm-up', () => {
  const candles = roughMarket(700, 5, { frozen: 0 });
  it.each(cases.map((each) => [titleOf(each), each] as const))('of %s is where its first value is', (_, each) => {
    const entry = indicatorEntry(each.id)!;
    const resolved = resolveParameters(entry, each.params);
    const series = indicator(engine, each.id, candles, each.params);
    for (const { name, warmup } of entry.outputs) {
      const column = [...series[name]!];
      const first = column.findIndex((value) => !Number.isNaN(value));
      const declared = resolved.ok ? warmup(resolved.params) : -1;
      if (entry.isWarmupDataDependent) expect(first).toBeGreaterThanOrEqual(declared);
      else expect(first, name).toBe(declared);
      expect(
        column.slice(first).every((value) => Number.isFinite(value)),
        `${name} is finite from its first value on`,
      ).toBe(true);
    }
  });

  it.each(cases.map((each) => [titleOf(each), each] as const))(
    '%s of a series too short is undefined throughout',
    (_, each) => {
      for (const count of [0, 1, 2]) {
        const series = indicator(engine, each.id, roughMarket(count, 3), each.params);
        for (const column of Object.values(series)) {
          expect(column).toHaveLength(count);
          expect([...column].every((value) => Number.isNaN(value) || Number.isFinite(value))).toBe(true);
        }
      }
    },
  );

  it('takes the longest period over fewer candles', () => {
    const series = indicator(engine, 'sma', roughMarket(300, 1), { period: PERIOD_MAX });
    expect([...series['sma']!].every(Number.isNaN)).toBe(true);
  });
});

describe('a market that stands still', () => {
  const neutral: [string, Record<string, number>][] = [
    ['sma', { sma: 0.1 }],
    ['ema', { ema: 0.1 }],
    ['macd', { macd: 0, signal: 0, histogram: 0 }],
    ['boll', { upper: 0.1, middle: 0.1, lower: 0.1 }],
    ['rsi', { rsi: 50 }],
    ['cci', { cci: 0 }],
    ['stochrsi', { k: 50, d: 50 }],
    ['atr', { atr: 0 }],
    ['adx', { adx: 0, plusDi: 0, minusDi: 0 }],
    ['mfi', { mfi: 50 }],
    ['donchian', { upper: 0.1, lower: 0.1 }],
    ['ichimoku', { tenkan: 0.1, kijun: 0.1, senkouA: 0.1, senkouB: 0.1 }],
  ];
  it.each(neutral)('%s has its stated neutral value exactly', (id, values) => {
    const series = indicator(engine, id, flatMarket(200, 0.1)); // 0.1 is not exact in binary
    for (const [name, value] of Object.entries(values)) expect(series[name]!.at(-1)).toBe(value);
  });

  it('averages return to the frozen price exactly after a move', () => {
    const candles = candlesOf([...Array<number>(60).fill(7.3), 12, ...Array<number>(400).fill(0.1)]);
    expect(indicator(engine, 'sma', candles)['sma']!.at(-1)).toBe(0.1);
    expect(indicator(engine, 'ema', candles)['ema']!.at(-1)).toBe(0.1);
    expect(indicator(engine, 'boll', candles)['upper']!.at(-1)).toBe(0.1);
    expect(indicator(engine, 'cci', candles)['cci']!.at(-1)).toBe(0);
    expect(indicator(engine, 'mfi', candles)['mfi']!.at(-1)).toBe(50);
  });

  it('rsi is neutral once every move has faded to rounding dust', () => {
    const candles = candlesOf([1, 2, ...Array<number>(9000).fill(1.5)]);
    expect(indicator(engine, 'rsi', candles)['rsi']!.at(-1)).toBe(50);
  });

  it('mfi and vwap stay defined without any volume', () => {
    const candles = candlesOf([1, 2, 3, 4], { volume: [0, 0, 0, 0] });
    expect([...indicator(engine, 'mfi', candles, { period: 2 })['mfi']!]).toEqual([NaN, NaN, 50, 50]);
    expect([...indicator(engine, 'vwap', candles)['vwap']!]).toEqual([1, 2, 3, 4]);
  });
});

describe('extreme values', () => {
  it.each([1e-8, 1e12])('prices around %d stay finite and within bounds', (price) => {
    const candles = roughMarket(300, 6, { price, volatility: 0.3 });
    for (const { id, outputs } of ownEntries) {
      const series = indicator(engine, id, candles);
      for (const { name, unit } of outputs) {
        const values = [...series[name]!].filter((value) => !Number.isNaN(value));
        expect(values.length, `${id} ${name}`).toBeGreaterThan(0);
        expect(values.every(Number.isFinite), `${id} ${name}`).toBe(true);
        if (unit === '0..100') expect(Math.min(...values), `${id} ${name}`).toBeGreaterThanOrEqual(0);
        if (unit === '0..100') expect(Math.max(...values), `${id} ${name}`).toBeLessThanOrEqual(100);
      }
    }
  });

  it('a price a billion times larger leaves no trace once it has left the window', () => {
    const after = Array.from({ length: 60 }, (_, i) => 1 + (i % 7) * 0.01);
    const clean = candlesOf([...Array<number>(5).fill(1), ...after]);
    const spiked = candlesOf([1, 1, 1e9, 1, 1, ...after]);
    for (const id of ['sma', 'boll', 'cci', 'mfi']) {
      const [a, b] = [indicator(engine, id, clean), indicator(engine, id, spiked)];
      for (const name of Object.keys(a)) {
        const error = Math.abs(b[name]!.at(-1)! - a[name]!.at(-1)!);
        expect(error, `${id} ${name}`).toBeLessThanOrEqual(1e-12 * Math.max(1, Math.abs(a[name]!.at(-1)!)));
      }
    }
  });
});

describe('times beyond every calendar', () => {
  // The next midnight is the time itself once a day is less than the distance between two doubles.
  it.each([1e300, 1.7e308, -1e300, 9e24])('around %d do not hold a session for ever', (first) => {
    const candles = roughMarket(40, 7);
    candles.time.forEach((_, i) => (candles.time[i] = first * (1 + Math.sign(first) * i * 1e-3)));
    for (const id of ['vwap', 'pivot']) expect(Object.values(indicator(engine, id, candles))[0]).toHaveLength(40);
  });
});

describe('rejected input', () => {
  function status(kind: number, params: number[]): number {
    engine.raw.arenaReset();
    const columns = pushColumns(engine, roughMarket(50, 1));
    const out = engine.reserve(8 * 50);
    return engine.raw.indicator(kind, columns, 50, engine.push(Float64Array.from(params)), out, 50, 0);
  }

  it.each([0, -1, 1.5, PERIOD_MAX + 1, Number.NaN, Number.POSITIVE_INFINITY])('rejects a period of %d', (period) => {
    expect(status(KIND_SMA, [period])).toBe(STATUS_BAD_PARAMETER);
    expect(status(KIND_RSI, [period])).toBe(STATUS_BAD_PARAMETER);
    expect(status(KIND_FIB, [period])).toBe(STATUS_BAD_PARAMETER);
  });

  it('rejects a fast average that is not faster', () => {
    expect(status(KIND_MACD, [26, 26, 9])).toBe(STATUS_BAD_PARAMETER);
  });

  it.each([-1, 17, 1000])('rejects the unknown kind %i', (kind) => {
    expect(status(kind, [14])).toBe(STATUS_UNKNOWN_KIND);
    expect(status(kind, [0])).toBe(STATUS_UNKNOWN_KIND);
  });

  it('a full arena is reported and leaves nothing reserved', async () => {
    const full = await loadEngine();
    const columns = pushColumns(full, roughMarket(50, 1));
    const [params, out] = [full.push(Float64Array.of(14, 14, 3, 3, 0, 0)), full.reserve(8 * 50)];
    const state = full.reserve(INDICATOR_STATE_LENGTH);
    full.f64View(state, INDICATOR_STATE_LENGTH).fill(0);
    while (full.raw.arenaReserve(1 << 20) !== 0);
    while (full.raw.arenaReserve(64) !== 0);
    const mark = full.raw.arenaMark();
    const needsScratch = ['sma', 'boll', 'cci', 'mfi', 'supertrend', 'donchian', 'ichimoku', 'stochrsi'];
    for (const id of needsScratch) {
      const { kind } = indicatorEntry(id)!;
      expect(full.raw.indicator(kind, columns, 50, params, out, 50, state), id).toBe(STATUS_OUT_OF_MEMORY);
      expect(full.raw.arenaMark()).toBe(mark);
    }
  });
});
