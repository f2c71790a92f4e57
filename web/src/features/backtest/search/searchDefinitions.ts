import { type StrategyField, strategyFields } from '@sextant/engine-as/abi/strategy.ts';
import type { OptimizeInput, OptimizeTarget } from '@sextant/workers/src/protocol/optimize.ts';
import {
  rulesParameters,
  type SearchedParameter,
  searchedParameters,
} from '@sextant/workers/src/tasks/optimize/parameters.ts';
import { type VoteId, walkForwardDefaults } from '@sextant/workers/src/protocol/wire/defaults.ts';
import type { Definition } from '../../../ui/Hint.tsx';
import { formatCount, formatFixed, formatMoney, formatPercent } from '../../../format/number.ts';
import { parameterDefinitions, voteDefinition } from '../setup/definitions.ts';
import type { SearchRun } from './searchState.ts';
import type { Trials } from './trials.ts';

export const targetNames: Record<OptimizeTarget, string> = {
  pnl: 'PnL',
  winRate: 'Win rate',
  sharpe: 'Sharpe ratio',
  sortino: 'Sortino ratio',
  calmar: 'Calmar ratio',
  profitFactor: 'Profit factor',
  expectancy: 'Expectancy',
};

/** A figure of a trial as column, axis or colour. */
export interface Measure {
  id: string;
  name: string;
  format: (value: number) => string;
}

type FigureName = keyof Trials['columns'];

/** Figures of every trial on the window of the search, in the order of the table. */
export const figures: readonly (Measure & { id: FigureName })[] = [
  { id: 'netPnl', name: 'Net PnL', format: (value) => formatMoney(value, true) },
  { id: 'tradeCount', name: 'Trades', format: formatCount },
  { id: 'winRate', name: 'Win rate', format: (value) => formatPercent(value) },
  { id: 'profitFactor', name: 'Profit factor', format: (value) => formatFixed(value, 2) },
  { id: 'expectancy', name: 'Per trade', format: (value) => formatMoney(value, true) },
  { id: 'closedDrawdownFraction', name: 'Closed drawdown', format: (value) => formatPercent(value) },
];

/** Marked to market at every candle: it takes a second run of each set, after the search is on screen. */
export const drawdownMeasure: Measure & { id: FigureName } = {
  id: 'maxDrawdownFraction',
  name: 'Max drawdown',
  format: (value) => formatPercent(value),
};

/** Computed only when they are the target. */
export const dailyFigures: readonly (Measure & { id: FigureName })[] = [
  { id: 'sharpe', name: 'Sharpe', format: (value) => formatFixed(value, 2) },
  { id: 'sortino', name: 'Sortino', format: (value) => formatFixed(value, 2) },
  { id: 'calmar', name: 'Calmar', format: (value) => formatFixed(value, 2) },
];

/** The figures the sets of a search have; daily ratios only when the search computed them. */
export function figuresOf({
  trials,
  input,
}: Pick<SearchRun, 'trials' | 'input'>): readonly (Measure & { id: FigureName })[] {
  const isDaily = dailyFigures.some(({ id }) => id === input.target);
  return [...figures, ...(isDaily ? dailyFigures : [])].filter(
    ({ id }) => id === 'netPnl' || trials.columns[id].some(Number.isFinite),
  );
}

function formatOf({ kind, perUnit }: SearchedParameter): Measure['format'] {
  if (kind === 'fraction') return (value) => formatPercent(value);
  if (kind === 'multiple') return (value) => `${formatFixed(value, 1)} ATR`;
  if (kind === 'switch') return (value) => (value > 0 ? 'on' : 'off');
  return (value) => formatFixed(value, kind === 'weight' && perUnit === 10 ? 1 : 2);
}

export interface ParameterMeasure extends Measure {
  parameter: SearchedParameter;
  definition: Definition;
}

export const parameters: readonly ParameterMeasure[] = searchedParameters.map((parameter) => {
  const { id, kind } = parameter;
  const definition =
    kind === 'weight' ? voteDefinition(id as VoteId) : parameterDefinitions[id as keyof typeof parameterDefinitions];
  return { id, name: definition.name, format: formatOf(parameter), parameter, definition };
});

const { entryThreshold, stopFraction, targetFraction, trailingMultiple } = strategyFields;
const definitionOf = ({ title, text }: StrategyField): Definition => ({ topic: null, name: title, meaning: text });
const rulesDefinitions: Record<string, Definition> = {
  entryThreshold: definitionOf(entryThreshold),
  stop: {
    topic: null,
    name: stopFraction.title,
    meaning: 'Distance of the stop from the fill, as the rules measure it.',
  },
  target: {
    topic: null,
    name: targetFraction.title,
    meaning: 'Distance of the target from the fill, as the rules measure it.',
  },
  trailing: parameterDefinitions.trailing,
  trailingDistance: {
    topic: null,
    name: trailingMultiple.title,
    meaning: 'Distance of the trailing stop from the best price, as the rules measure it.',
  },
};

/** The parameters a search varies. */
export function parametersOf({ rules }: Pick<OptimizeInput, 'rules'>): readonly ParameterMeasure[] {
  if (rules === undefined) return parameters;
  return rulesParameters(rules.strategy).map((parameter) => {
    const { id, kind } = parameter;
    const definition = kind === 'weight' ? voteDefinition(id as VoteId) : rulesDefinitions[id];
    if (definition === undefined) throw new Error(`${id} has no definition`);
    return { id, name: definition.name, format: formatOf(parameter), parameter, definition };
  });
}

const { folds, purgeBars, embargoBars } = walkForwardDefaults;
export const searchDefinitions = {
  samples: {
    topic: 'setting.samples',
    name: 'Samples',
    meaning:
      'Random parameter sets, yours included. More sets give a better-looking best set, partly by luck: the honesty panel counts every set.',
  },
  runOn: {
    topic: 'setting.runOn',
    name: 'Run on',
    meaning:
      'This browser uses the cores of this device. The server takes the search as parts in its queue: close the tab, open the result later. The same seed gives the same sets and the same best in both.',
  },
  target: {
    topic: 'setting.target',
    name: 'Target',
    meaning:
      'The figure that the search maximises on its window. Rates and ratios need a minimum number of trades; a set below it is not ranked.',
  },
  seed: {
    topic: 'setting.seed',
    name: 'Seed',
    meaning: 'The same seed draws the same sets, in this browser and on the server.',
  },
  trainOn: {
    topic: 'setting.trainOn',
    name: 'Search window',
    meaning:
      'Earlier candles: the search never sees the window that is shown, so the result is a test. Scored candles: the search fits the window that is shown.',
  },
  refine: {
    topic: 'setting.refine',
    name: 'Refine',
    meaning: 'Searches around the best sets with as many trials again. They count as trials.',
  },
  walkForward: {
    topic: 'setting.walkForward',
    name: 'Walk-forward',
    meaning: `Repeats the search on the past of each of ${folds} later windows and trades the window with what it found: anchored from the first candle, or rolling with a past of fixed length. ${purgeBars} candles are purged and ${embargoBars} embargoed between both.`,
  },
} as const satisfies Record<string, Definition>;
