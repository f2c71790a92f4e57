import { metricById as define } from '@sextant/engine-as/abi/metrics.ts';
import type { SavedRun } from '../../../api/types.ts';
import { formatCount, formatFixed, formatMoney, formatPercent, NO_VALUE } from '../../../format/number.ts';
import {
  type Basis,
  figureEntries,
  figureGroups,
  figureNumber,
  type FigureEntry,
  type FigureGroup,
  type RatedDefinition,
  reasonWithout,
  restsOn,
} from '../results/allFigures.ts';
import { type CompareRow, type Line, percent, rowOf } from './compareRow.ts';

interface Look extends Pick<Line, 'format' | 'absent'> {
  unit?: string;
}

const figure = (definition: RatedDefinition, key: string, { unit, ...look }: Look): Line => ({
  name: unit === undefined ? definition.name : `${definition.name}, ${unit}`,
  definition,
  absent: 'not enough data',
  read: ({ best }) => best[key],
  ...look,
});

const two: Look = { format: (value) => formatFixed(value, 2) };
const gain: Look = { unit: 'USDT', format: (value) => formatMoney(value, true) };
const share: Look = { format: percent.format };

/** Those that are always there. */
const figures: readonly Line[] = [
  figure(define.netPnl, 'pnl', gain),
  figure(define.winRate, 'winRate', { ...share, absent: 'no trade' }),
  figure(define.trades, 'trades', { format: formatCount }),
  figure(define.maxDrawdown, 'maxDrawdown', share),
  figure(define.profitFactor, 'profitFactor', { ...two, absent: 'no losing trade' }),
  figure(define.expectancy, 'expectancy', { ...gain, absent: 'no trade' }),
  figure(define.sharpe, 'sharpe', two),
  figure(define.sortino, 'sortino', two),
  figure(define.fees, 'fees', { unit: 'USDT', format: (value) => formatMoney(value) }),
  figure(define.exposure, 'exposureFraction', share),
  figure(define.buyAndHold, 'buyAndHoldFraction', { format: (value) => formatPercent(value, true) }),
];

export const headFigures = (left: SavedRun, right: SavedRun): CompareRow[] =>
  figures.map((line) => rowOf(left, right, line));

/** What the figures of a kept run rest on; null for one that was kept before it was counted. */
function basisOf({ best }: SavedRun): Basis | null {
  const { dayCount, tradeCount, ruinIndex } = best;
  if (typeof dayCount !== 'number' || typeof tradeCount !== 'number') return null;
  return { dayCount, tradeCount, ruinIndex: typeof ruinIndex === 'number' ? ruinIndex : null };
}

const unitNames: Partial<Record<string, string>> = { USDT: 'USDT', candle: 'candles' };

const nameOf = ({ name, unit }: FigureEntry): string =>
  unitNames[unit] === undefined ? name : `${name}, ${unitNames[unit]}`;

const lineOf = (entry: FigureEntry): Line => ({
  name: nameOf(entry),
  definition: entry,
  unkept: NO_VALUE,
  read: ({ best }) => best[entry.field],
  format: (value) => figureNumber(entry, value),
  ...(entry.unit === 'fraction' ? { exact: percent.exact } : {}),
  absent: (run) => {
    const basis = basisOf(run);
    return basis === null ? NO_VALUE : reasonWithout(entry, basis);
  },
});

export interface CompareGroup {
  group: FigureGroup;
  /** What the figures of each rest on. */
  left: string;
  right: string;
  rows: CompareRow[];
}

/** The other figures in the groups of the results, in the order of the registry. */
export function compareGroups(left: SavedRun, right: SavedRun): CompareGroup[] {
  const onWhat = (run: SavedRun, group: FigureGroup): string => {
    const basis = basisOf(run);
    return basis === null ? NO_VALUE : restsOn(group, basis);
  };
  return figureGroups.map((group) => ({
    group,
    left: onWhat(left, group),
    right: onWhat(right, group),
    rows: figureEntries.filter((entry) => entry.group === group).map((entry) => rowOf(left, right, lineOf(entry))),
  }));
}

/** Names of the runs that were kept before these figures were computed. */
export const withoutFigures = (runs: readonly SavedRun[]): string[] =>
  runs.filter((run) => figureEntries.some(({ field }) => run.best[field] === undefined)).map(({ name }) => name);
