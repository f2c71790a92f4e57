import { intervalMs, signalIntervals } from '@sextant/engine-as/abi/intervals.ts';
import type { ScanSignal } from '../../../api/types.ts';
import type { GridSort } from '../../../ui/grid/DataGrid.tsx';

export const directions = ['All', 'LONG', 'SHORT'] as const;
export const intervalChoices = ['All', ...signalIntervals] as const;

export interface ResultFilter {
  direction: (typeof directions)[number];
  interval: (typeof intervalChoices)[number];
  /** Percent, 0 is off. */
  minConfidencePct: number;
}

export type SortColumn =
  'symbol' | 'interval' | 'direction' | 'confidence' | 'price' | 'stopLoss' | 'takeProfit' | 'liquidation' | 'risk';

export type ResultSort = GridSort<SortColumn>;

export const byRank: ResultSort = { column: 'confidence', isDescending: true };

/** Percent as people set it: rounding must not turn 0.6 into less than 60. */
export const toPct = (confidence: number): number => Math.round(confidence * 1e8) / 1e6;

export function filtered(all: readonly ScanSignal[], filter: ResultFilter): ScanSignal[] {
  return all.filter(
    ({ direction, interval, confidence }) =>
      (filter.direction === 'All' || direction === filter.direction) &&
      (filter.interval === 'All' || interval === filter.interval) &&
      toPct(confidence) >= filter.minConfidencePct,
  );
}

const lengths: Partial<Record<string, number>> = intervalMs;
const risks = ['LOW', 'STANDARD', 'HIGH', 'EXTREME'];

const keys: Record<SortColumn, (signal: ScanSignal) => number | string | null> = {
  symbol: ({ symbol }) => symbol,
  interval: ({ interval }) => lengths[interval] ?? 0,
  direction: ({ direction }) => direction,
  confidence: ({ confidence }) => confidence,
  price: ({ price }) => price,
  stopLoss: ({ stopLoss }) => stopLoss,
  takeProfit: ({ takeProfit }) => takeProfit,
  liquidation: ({ position }) => position.liquidationApprox,
  risk: ({ riskLabel }) => risks.indexOf(riskLabel),
};

/** What has no value comes last either way; equals keep the order they came in, which is by rank. */
export function sorted(signals: readonly ScanSignal[], { column, isDescending }: ResultSort): ScanSignal[] {
  const sign = isDescending ? -1 : 1;
  return [...signals].sort((a, b) => {
    const [one, two] = [keys[column](a), keys[column](b)];
    if (one === null || two === null) return Number(one === null) - Number(two === null);
    return one === two ? 0 : sign * (one < two ? -1 : 1);
  });
}

export const nextSort = (sort: ResultSort, column: SortColumn): ResultSort => ({
  column,
  isDescending: sort.column === column ? !sort.isDescending : column === 'confidence',
});
