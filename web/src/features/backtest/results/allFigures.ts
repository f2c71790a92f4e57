import { type MetricEntry, metricRegistry } from '@sextant/engine-as/abi/metrics.ts';
import type { BacktestResult } from '@sextant/workers/src/protocol/backtest.ts';
import { formatCount, formatFixed, formatMany, formatMoney, formatPercent } from '../../../format/number.ts';
import type { Definition } from '../../../ui/Hint.tsx';

export type FigureGroup = NonNullable<MetricEntry['group']>;
export const figureGroups: readonly FigureGroup[] = ['return', 'risk', 'trades'];
export const groupNames: Record<FigureGroup, string> = { return: 'Return', risk: 'Risk', trades: 'Trades' };

/** A figure of the registry, with its better direction where there is one. */
export type RatedDefinition = Definition & Pick<MetricEntry, 'better'>;

/** A registry entry shown in the table of all figures. */
export type FigureEntry = MetricEntry & { field: string; group: FigureGroup };

const entries: readonly MetricEntry[] = metricRegistry;

/** In the order of the registry. */
export const figureEntries = entries.filter((entry): entry is FigureEntry => entry.group !== undefined);

interface GroupedFigure {
  definition: Definition;
  value: string;
  /** There is no figure; the value text gives the reason. */
  isMissing: boolean;
}

/** Smaller than this is not shown as nothing. */
const LEAST_SHARE = 0.0001;

/** The number alone, for a place whose heading has the unit. */
export function figureNumber({ unit, isSigned = false }: FigureEntry, value: number): string {
  if (unit === 'USDT') return formatMoney(value, isSigned);
  if (unit === 'count') return formatCount(value);
  if (unit === 'candle') return formatFixed(value, Number.isInteger(value) ? 0 : 1);
  if (unit !== 'fraction') return formatFixed(value, 2);
  const isTiny = !isSigned && value > 0 && value < LEAST_SHARE;
  return isTiny ? `< ${formatPercent(LEAST_SHARE)}` : formatPercent(value, isSigned);
}

function figureText(entry: FigureEntry, value: number): string {
  const number = figureNumber(entry, value);
  if (entry.unit === 'USDT') return `${number} USDT`;
  if (entry.unit === 'candle') return `${number} ${value === 1 ? 'candle' : 'candles'}`;
  return number;
}

/** Sample behind the figures. */
export interface Basis {
  dayCount: number;
  tradeCount: number;
  /** Loaded candle in which the equity was used up; null when it was not. */
  ruinIndex: number | null;
}

/** `22 UTC days`, `n = 40` trades, or both. */
export function restsOn(group: FigureGroup, { dayCount, tradeCount }: Pick<Basis, 'dayCount' | 'tradeCount'>): string {
  const days = formatMany(dayCount, 'UTC day');
  const n = `n = ${formatCount(tradeCount)}`;
  if (group === 'return') return days;
  return group === 'trades' ? n : `${days}, ${n}`;
}

/** Why there is no figure: what is missing, as a number where possible. */
export function reasonWithout({ needs, besides }: FigureEntry, { dayCount, tradeCount, ruinIndex }: Basis): string {
  if (needs?.days !== undefined && dayCount < needs.days) return `too few UTC days: ${dayCount} of ${needs.days}`;
  if (needs?.trades !== undefined && tradeCount < needs.trades)
    return `too few trades: ${tradeCount} of ${needs.trades}`;
  if (needs?.days !== undefined && ruinIndex !== null) return 'equity used up';
  return besides ?? 'not enough data';
}

type Figures = Pick<BacktestResult, 'analysis' | 'summary'>;

/** The figures behind the strip, grouped by topic, in the order of the registry. */
export function groupedFigures({ summary, analysis }: Figures, group: FigureGroup): GroupedFigure[] {
  const values = { ...summary, ...analysis };
  return figureEntries
    .filter((entry) => entry.group === group)
    .map((entry) => {
      const value = (values as Record<string, unknown>)[entry.field];
      const isMissing = typeof value !== 'number';
      return {
        definition: entry,
        value: isMissing ? reasonWithout(entry, values) : figureText(entry, value),
        isMissing,
      };
    });
}

export const figureCount = figureEntries.length;
