import { formatCount } from '../../../format/number.ts';
import { type CellStatistic, type HeatCell, type TrialMap, valueOfCell } from './mapModel.ts';
import type { Measure, ParameterMeasure } from './searchDefinitions.ts';
import { trialName } from './TrialTable.tsx';
import type { Trials } from './trials.ts';

export interface Choices {
  x: ParameterMeasure;
  y: ParameterMeasure;
  figure: Measure;
}

/** Single sets, or what the cells show. */
export type MapMode = 'points' | CellStatistic;

export interface ShownMap {
  trials: Trials;
  choices: Choices;
  map: TrialMap;
}

export const statisticNames = { median: 'Median', best: 'Best', worst: 'Worst' };

export function wordsOf(
  { trials, choices: { x, y, figure }, map }: ShownMap,
  trial: number,
  of: { cell: HeatCell; statistic: CellStatistic } | undefined,
) {
  const where = `${x.name} ${x.format(map.x[trial] ?? 0)}, ${y.name} ${y.format(map.y[trial] ?? 0)}`;
  const own = `${trialName(trials, trial)}: ${figure.name} ${figure.format(map.values[trial] ?? 0)}, ${where}`;
  if (of === undefined) return own;
  const { cell, statistic } = of;
  const value = figure.format(valueOfCell(map, cell, statistic));
  return `${statisticNames[statistic]} ${value} of ${formatCount(cell.count)} sets. Click to apply ${own}`;
}

export function legendOf({ choices: { figure }, map: { low, high } }: ShownMap, mode: MapMode): string {
  const dash = low < 0 ? '; dash: below 0' : '';
  const press = mode === 'points' ? 'Click a set to apply it.' : `Click a cell to apply its ${mode} set.`;
  return `Colours from ${figure.format(low)} to ${figure.format(high)}${dash}; ring: best set; square: the set on the sliders. ${press}`;
}
