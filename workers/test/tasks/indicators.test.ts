import { readFile } from 'node:fs/promises';
import { buildEngine } from '@sextant/engine-as/build.ts';
import { registry } from '@sextant/engine-as/abi/registry.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { compileEngine } from '../../src/engine/engine.ts';
import type { Candles, IndicatorRequest } from '../../src/protocol/backtest.ts';
import { runTask, startEngine, type TaskEngine } from '../../src/tasks/index.ts';

let task: TaskEngine;
beforeAll(async () => {
  const { path } = await buildEngine();
  task = startEngine(await compileEngine(new Uint8Array(await readFile(path))));
});

function candlesOf(close: readonly number[], change: Partial<Record<keyof Candles, number[]>> = {}): Candles {
  const column = (values: readonly number[]): Float64Array => Float64Array.from(values);
  return {
    time: column(change.time ?? close.map((_, i) => i * 60_000)),
    open: column(change.open ?? close),
    high: column(change.high ?? close),
    low: column(change.low ?? close),
    close: column(close),
    volume: column(change.volume ?? close.map(() => 1)),
  };
}

function request(requests: IndicatorRequest[], candles = candlesOf([10, 11, 10, 12])) {
  return runTask(task, { name: 'indicators', input: { candles, requests } }) as ReturnType<
    typeof import('../../src/tasks/indicators.ts').indicators
  >;
}

function seriesOf(requests: IndicatorRequest[], candles?: Candles) {
  const response = request(requests, candles);
  if (!response.ok) throw new Error(response.error.message);
  return response.value.series;
}

describe('the indicators task', () => {
  it('names several of one indicator by their parameters: sma2 and sma3, each its own values', () => {
    const series = seriesOf([
      { id: 'sma', params: { period: 2 } },
      { id: 'sma', params: { period: 3 } },
      { id: 'rsi' },
    ]);
    expect(Object.keys(series)).toEqual(['sma2', 'sma3', 'rsi']);
    // Closes 10, 11, 10, 12.
    expect(Object.values(series['sma2'] ?? {})[0]?.[2]).toBe(10.5);
    expect(Object.values(series['sma3'] ?? {})[0]?.[3]).toBe(11);
  });

  it.each([1e-12, 1e15])('stays finite at prices around %d, the bounds of what it takes', (price) => {
    const close = Array.from({ length: 200 }, (_, i) => price * (price > 1 ? 1 - (i % 7) * 0.01 : 1 + (i % 7) * 0.01));
    const candles = candlesOf(close, { volume: close.map(() => 1e18) });
    for (const [name, outputs] of Object.entries(
      seriesOf(
        registry.map(({ id }) => ({ id })),
        candles,
      ),
    )) {
      for (const column of Object.values(outputs)) {
        expect(
          [...column].every((value) => Number.isNaN(value) || Number.isFinite(value)),
          name,
        ).toBe(true);
        if (!['pivot', 'fib', 'ema200'].includes(name)) expect(column.at(-1), name).not.toBeNaN();
      }
    }
  });

  it('returns each request under its id with outputs by name', () => {
    const series = seriesOf([{ id: 'rsi', params: { period: 2 } }, { id: 'obv' }]);
    expect([...series['rsi']!['rsi']!].slice(0, 3)).toEqual([NaN, NaN, 50]);
    expect([...series['obv']!['obv']!]).toEqual([1, 2, 1, 2]);
  });

  it('accepts one indicator twice under two names', () => {
    const series = seriesOf([
      { id: 'sma', params: { period: 1 }, as: 'one' },
      { id: 'sma', params: { period: 2 }, as: 'two' },
    ]);
    expect([...series['one']!['sma']!]).toEqual([10, 11, 10, 12]);
    expect([...series['two']!['sma']!]).toEqual([NaN, 10.5, 10.5, 11]);
  });

  it('gives an alias under its own name, equal to its period by hand', () => {
    const candles = candlesOf(Array.from({ length: 60 }, (_, i) => 100 + Math.sin(i)));
    const series = seriesOf([{ id: 'ema26' }, { id: 'ema', params: { period: 26 } }], candles);
    expect([...series['ema26']!['ema26']!]).toEqual([...series['ema']!['ema']!]);
  });

  it('returns every id of the registry over no candles at all', () => {
    const series = seriesOf(
      registry.map(({ id }) => ({ id })),
      candlesOf([]),
    );
    expect(Object.keys(series)).toHaveLength(registry.length);
    expect(
      Object.values(series)
        .flatMap((outputs) => Object.values(outputs))
        .every((x) => x.length === 0),
    ).toBe(true);
  });

  it('gives the same bits after other tasks have used the memory', () => {
    const candles = candlesOf(Array.from({ length: 300 }, (_, i) => 100 + Math.sin(i * 0.7)));
    const before = seriesOf(
      registry.map(({ id }) => ({ id })),
      candles,
    );
    seriesOf([{ id: 'fib' }], candlesOf(Array.from({ length: 999 }, (_, i) => 5 + Math.cos(i))));
    expect(
      seriesOf(
        registry.map(({ id }) => ({ id })),
        candles,
      ),
    ).toEqual(before);
  });

  it.each<[string, IndicatorRequest[], string]>([
    ['an unknown id', [{ id: 'rsi' }, { id: 'rsx' }], 'requests[1].id'],
    ['an unknown parameter', [{ id: 'rsi', params: { length: 3 } }], 'requests[0].params.length'],
    ['a period out of bounds', [{ id: 'rsi', params: { period: 0 } }], 'requests[0].params.period'],
    ['a period that is not whole', [{ id: 'rsi', params: { period: 1.5 } }], 'requests[0].params.period'],
    ['a fast average that is not faster', [{ id: 'macd', params: { fast: 26 } }], 'requests[0].params.fast'],
    ['a parameter of an alias', [{ id: 'sma20', params: { period: 3 } }], 'requests[0].params.period'],
    ['two results of one name', [{ id: 'sma' }, { id: 'ema', as: 'sma' }], 'requests[1].as'],
    ['too many requests', Array.from({ length: 65 }, (_, i) => ({ id: 'obv', as: `obv${i}` })), 'requests'],
  ])('rejects %s and names the field', (_, requests, field) => {
    expect(request(requests)).toMatchObject({ ok: false, error: { code: 'bad_input', field } });
  });

  it('lists the known indicators when another is requested', () => {
    const response = request([{ id: 'rsx' }]);
    expect(response.ok ? '' : response.error.message).toContain('sma20, sma50');
  });

  it.each([
    ['high', Number.NaN],
    ['close', Number.POSITIVE_INFINITY],
    ['low', 0],
    ['volume', -1],
    ['volume', 1e19],
    ['high', 1e300],
    ['low', 1e-300],
  ] as const)('rejects a %s of %d before the engine sees it', (name, value) => {
    const candles = candlesOf([10, 11, 12]);
    candles[name][1] = value;
    expect(request([{ id: 'sma' }], candles)).toMatchObject({ ok: false, error: { field: `candles.${name}[1]` } });
  });
});
