import { type IntervalName, intervals } from '@sextant/engine-as/abi/intervals.ts';
import { isSymbol } from '@sextant/workers/src/core/symbolPattern.ts';
import { proxy, subscribe } from 'valtio';
import type { ChartLayouts } from '../api/types.ts';
import { readSaved, save } from '../state/storage.ts';
import { onUserReset } from '../state/userReset.ts';
import { type ChartPlace, layoutOf } from './chartLayout.ts';

/** The charts of the market, in reading order; each has a layout of its indicators and scale. */
export const marketPlaces = ['market', 'market2', 'market3', 'market4'] as const satisfies readonly ChartPlace[];

export const chartCounts = ['1', '2', '4'] as const;
export type ChartCount = (typeof chartCounts)[number];

interface MarketCell {
  /** null: the selected symbol. */
  symbol: string | null;
  interval: IntervalName;
}

interface MarketLayout {
  count: ChartCount;
  /** As many as marketPlaces. */
  cells: MarketCell[];
}

export type LayoutValue = ChartLayouts['layouts'][number]['value'];

const KEY = 'chart.cells';
const startIntervals: readonly IntervalName[] = ['1h', '4h', '15m', '1d'];
const startMarket = (): MarketLayout => ({
  count: '1',
  cells: startIntervals.map((interval) => ({ symbol: null, interval })),
});

/** Parses the stored charts; the default where another version of this page wrote them. */
export function readMarket(text: string | null): MarketLayout {
  const start = startMarket();
  try {
    const { count, cells } = JSON.parse(text ?? 'null') as Partial<MarketLayout>;
    const stored = Array.isArray(cells) ? (cells as (Partial<MarketCell> | undefined)[]) : [];
    return {
      count: chartCounts.find((each) => each === count) ?? '1',
      cells: start.cells.map((cell, at) => ({
        symbol: typeof stored[at]?.symbol === 'string' && isSymbol(stored[at].symbol) ? stored[at].symbol : null,
        interval: intervals.find((each) => each === stored[at]?.interval) ?? cell.interval,
      })),
    };
  } catch {
    return start;
  }
}

export const marketLayout = proxy(readMarket(readSaved(KEY)));
subscribe(marketLayout, () => save(KEY, JSON.stringify(marketLayout)));

/** What is saved under a name: the charts in sight, with their indicators and scales. */
export function currentLayout(): LayoutValue {
  const count = Number(marketLayout.count);
  return {
    charts: marketPlaces.slice(0, count).map((place, at) => {
      const { symbol = null, interval = '1h' } = marketLayout.cells[at] ?? {};
      const { scale, indicators } = layoutOf(place);
      return { symbol, interval, scale, indicators: [...indicators] };
    }),
    pane_size: layoutOf('market').paneSize,
  };
}

/** Shows a saved layout. Charts beyond its own stay as they are, out of sight. */
export function applyLayout({ charts, pane_size: paneSize }: LayoutValue): void {
  marketLayout.count = chartCounts.find((each) => Number(each) === charts.length) ?? '1';
  charts.forEach(({ symbol, interval, scale, indicators }, at) => {
    const [place, cell] = [marketPlaces[at], marketLayout.cells[at]];
    if (place === undefined || cell === undefined) return;
    Object.assign(cell, { symbol, interval });
    Object.assign(layoutOf(place), { scale, indicators: [...indicators], paneSize });
  });
}

onUserReset(() => {
  Object.assign(marketLayout, startMarket());
  save(KEY, null);
});
