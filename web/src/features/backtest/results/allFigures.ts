import type { BacktestResult } from '@sextant/workers/src/protocol.ts';
import { metricDefinitions } from '../../../api/metrics.gen.ts';
import { formatCount, formatFixed, formatMoney, formatPercent } from '../../../format/number.ts';
import type { Definition } from '../../../ui/Hint.tsx';

export type FigureGroup = 'return' | 'risk' | 'trades';
export const figureGroups: readonly FigureGroup[] = ['return', 'risk', 'trades'];

/** An entry of the registry that stands in the table of all figures. */
interface Entry extends Definition {
  field: string;
  unit: string;
  group: FigureGroup;
  needs?: { days?: number; trades?: number };
  besides?: string;
  isSigned?: boolean;
}

const entries: readonly Entry[] = Object.values(metricDefinitions as Record<string, Definition>).filter(
  (definition): definition is Entry => 'group' in definition,
);

export interface GroupedFigure {
  definition: Definition;
  value: string;
  /** There is no figure, and the value says why. */
  isMissing: boolean;
}

/** Smaller than this is not shown as nothing. */
const LEAST_SHARE = 0.0001;

function textOf({ unit, isSigned = false }: Entry, value: number): string {
  if (unit === 'USDT') return `${formatMoney(value, isSigned)} USDT`;
  if (unit === 'count') return formatCount(value);
  if (unit === 'candle')
    return `${formatFixed(value, Number.isInteger(value) ? 0 : 1)} ${value === 1 ? 'candle' : 'candles'}`;
  if (unit !== 'fraction') return formatFixed(value, 2);
  const isTiny = !isSigned && value > 0 && value < LEAST_SHARE;
  return isTiny ? `< ${formatPercent(LEAST_SHARE)}` : formatPercent(value, isSigned);
}

/** Why there is no figure: what it lacks, in numbers where it lacks a number. */
function reasonOf({ needs, besides }: Entry, { analysis, summary }: Figures): string {
  if (needs?.days !== undefined && analysis.dayCount < needs.days) return `${analysis.dayCount} of ${needs.days} days`;
  if (needs?.trades !== undefined && summary.tradeCount < needs.trades)
    return `${summary.tradeCount} of ${needs.trades} trades`;
  if (needs?.days !== undefined && summary.ruinIndex !== null) return 'equity used up';
  return besides ?? 'not enough data';
}

type Figures = Pick<BacktestResult, 'analysis' | 'summary'>;

/** The figures that stand behind the strip, by what they speak of, in the order of the registry. */
export function groupedFigures(result: Figures, group: FigureGroup): GroupedFigure[] {
  const values = { ...result.summary, ...result.analysis } as Record<string, unknown>;
  return entries
    .filter((entry) => entry.group === group)
    .map((entry) => {
      const value = values[entry.field];
      const isMissing = typeof value !== 'number';
      return { definition: entry, value: isMissing ? reasonOf(entry, result) : textOf(entry, value), isMissing };
    });
}

export const figureCount = entries.length;
