import { registry } from '@sextant/engine-as/abi/registry.ts';
import { describe, expect, it } from 'vitest';
import { indicatorChoices, indicatorLabel, linesOf } from '../../src/charts/indicatorLines.ts';

describe('the indicators of a chart', () => {
  it('are all of the registry, each once: prices over the candles, others below them', () => {
    const [over, below] = indicatorChoices.map(({ entries }) => entries.map(({ id }) => id));
    expect([...(over ?? []), ...(below ?? [])].sort()).toEqual(registry.map(({ id }) => id).sort());
    expect(below).toEqual(['macd', 'rsi', 'cci', 'stochrsi', 'atr', 'adx', 'mfi', 'obv']);
  });

  it('stand over the candles with all their lines, and below them on one scale', () => {
    const series = {
      boll: { upper: Float64Array.of(NaN, 3), middle: Float64Array.of(NaN, 2), lower: Float64Array.of(NaN, 1) },
      macd: { macd: Float64Array.of(NaN, 5), signal: Float64Array.of(NaN, 4), histogram: Float64Array.of(NaN, 1) },
    };
    const { overlays, panes } = linesOf(['boll', 'macd'], 2, series);
    expect(overlays.map(({ label, lines }) => [label, lines.map(({ values }) => values)])).toEqual([
      [
        'BOLL 20 2',
        [
          [null, 3],
          [null, 2],
          [null, 1],
        ],
      ],
    ]);
    expect(panes).toHaveLength(1);
    expect(panes[0]).toMatchObject({ id: 'indicator.macd', label: 'MACD 12 26 9', values: [null, 5], levels: [0] });
    expect(panes[0]?.others?.map(({ label, values, isBars }) => [label, values, isBars])).toEqual([
      ['signal', [null, 4], false],
      ['histogram', [null, 1], true],
    ]);
  });

  it('have the names that readers know', () => {
    const { overlays, panes } = linesOf(['fib', 'pivot', 'ichimoku', 'adx'], 2, undefined);
    expect(overlays.map(({ lines }) => lines.map(({ label }) => label))).toEqual([
      ['high', 'low', '23.6 %', '38.2 %', '50 %', '61.8 %', '78.6 %'],
      ['P', 'R1', 'S1', 'R2', 'S2', 'R3', 'S3'],
      ['tenkan', 'kijun', 'span A', 'span B'],
    ]);
    expect(panes[0]?.others?.map(({ label }) => label)).toEqual(['+DI', '\u2212DI']);
  });

  it('draw no direction, and leave out what no registry has', () => {
    const { overlays, panes } = linesOf(['supertrend', 'gone'], 2, undefined);
    expect(overlays.map(({ lines }) => lines.map(({ label }) => label))).toEqual([['line']]);
    expect(panes).toEqual([]);
  });

  it('are named as traders write them', () => {
    const label = (id: string) => registry.filter((entry) => entry.id === id).map(indicatorLabel)[0];
    expect(['rsi', 'ema50', 'obv', 'boll', 'vwap'].map(label)).toEqual(['RSI 14', 'EMA50', 'OBV', 'BOLL 20 2', 'VWAP']);
  });
});
