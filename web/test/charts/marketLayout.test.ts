import { describe, expect, it } from 'vitest';
import { layoutOf } from '../../src/charts/chartLayout.ts';
import { linkChart, publishTime } from '../../src/charts/linkedCharts.ts';
import { applyLayout, currentLayout, marketLayout, readMarket } from '../../src/charts/marketLayout.ts';
import { percentSplits } from '../../src/charts/paneOptions.ts';

describe('the layout of the charts', () => {
  it('DESK-104 is applied and read back as it was saved', () => {
    const before = currentLayout();
    const two: ReturnType<typeof currentLayout> = {
      charts: [
        { symbol: null, interval: '15m', scale: 'percent', indicators: ['rsi', 'boll'] },
        { symbol: 'ETHUSDT', interval: '1d', scale: 'log', indicators: [] },
      ],
      pane_size: 'large',
    };
    applyLayout(two);
    expect(currentLayout()).toEqual(two);
    expect(marketLayout.count).toBe('2');
    expect(layoutOf('market2')).toMatchObject({ scale: 'log', paneSize: 'large' });
    applyLayout(before);
    expect(currentLayout()).toEqual(before);
  });

  it('DESK-104 is read with care', () => {
    const start = readMarket(null);
    expect(start).toMatchObject({ count: '1' });
    expect(start.cells.map(({ interval }) => interval)).toEqual(['1h', '4h', '15m', '1d']);
    for (const text of ['', '{', '7', '{"count":3,"cells":[{"symbol":"<b>","interval":"2h"}]}', '{"cells":"no"}'])
      expect(readMarket(text), text).toEqual(start);
    const own = { count: '4', cells: [{ symbol: 'ETHUSDT', interval: '1m' }] };
    expect(readMarket(JSON.stringify(own))).toMatchObject({
      count: '4',
      cells: [{ symbol: 'ETHUSDT', interval: '1m' }, {}, {}, {}],
    });
  });
});

it('DESK-105 the time under the pointer reaches the other linked charts, and only those', () => {
  const seen: string[] = [];
  const chart = (name: string) => ({ showTime: (ms: number | null) => void seen.push(`${name} ${ms}`) });
  const [a, b, c] = [chart('a'), chart('b'), chart('c')];
  const stops = [linkChart(a), linkChart(b)];
  publishTime(a, 5);
  publishTime(c, 6);
  publishTime(b, null);
  expect(seen).toEqual(['b 5', 'a null']);
  for (const stop of stops) stop();
  publishTime(a, 7);
  expect(seen).toHaveLength(2);
});

describe('labels in percent', () => {
  it.each([
    // From 95 to 110 with a base of 100: -5 to +10 %, five labels at most.
    [95, 110, 100, 5, [95, 100, 105, 110]],
    [99.6, 100.7, 100, 4, [100, 100.5]],
    [50, 400, 100, 4, [100, 200, 300, 400]],
  ])('DESK-106 of %f to %f from %f stand at round percentages', (min, max, base, room, values) =>
    expect(percentSplits(min, max, base, room).map((value) => Number(value.toFixed(9)))).toEqual(values),
  );

  it('DESK-106 are absent without a base', () => expect(percentSplits(1, 2, NaN, 5)).toEqual([]));
});
