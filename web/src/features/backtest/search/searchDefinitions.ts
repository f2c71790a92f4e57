import { type RunParameter, runParameters } from '@sextant/engine-as/abi/runParameters.ts';
import type { OptimizeInput } from '@sextant/workers/src/protocol/optimize.ts';
import {
  rulesParameters,
  type SearchedParameter,
  searchedParameters,
} from '@sextant/workers/src/tasks/optimize/parameters.ts';
import { isRanged, type RuleParameter } from '@sextant/workers/src/rules/checked.ts';
import { isOwnRules, ruleSetOf } from '@sextant/workers/src/rules/strategyOfRules.ts';
import { type VoteId, walkForwardDefaults } from '@sextant/workers/src/protocol/wire/defaults.ts';
import type { Definition } from '../../../ui/Hint.tsx';
import { formatCount, formatFixed, formatMoney, formatPercent } from '../../../format/number.ts';
import { parameterDefinitions, voteDefinition } from '../setup/definitions.ts';
import type { SearchRun } from './searchState.ts';
import type { Trials } from './trials.ts';

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

const { entryThreshold, stopFraction, targetFraction, trailingMultiple } = runParameters;
const definitionOf = ({ title, text }: RunParameter): Definition => ({ topic: null, name: title, meaning: text });
const rulesDefinitions: Record<string, Definition> = {
  entryThreshold: definitionOf(entryThreshold),
  stop: {
    topic: null,
    name: stopFraction.title,
    meaning: 'Stop distance from the fill.',
  },
  target: {
    topic: null,
    name: targetFraction.title,
    meaning: 'Target distance from the fill.',
  },
  trailing: parameterDefinitions.trailing,
  trailingDistance: {
    topic: null,
    name: trailingMultiple.title,
    meaning: 'Trailing stop distance from the best price.',
  },
};

/** Those of own rules: a set holds the values of the ranged parameters, in the order of the text. */
const ownParametersOf = (ranged: readonly RuleParameter[]): ParameterMeasure[] =>
  ranged.map(({ name, from, to, step }, slot) => ({
    id: name,
    name,
    format: (value) => String(Number(value.toPrecision(12))),
    parameter: { id: name, kind: 'number', slot, perUnit: 1, setLength: ranged.length },
    definition: { topic: null, name, meaning: `Parameter of your rules, ${from} to ${to} in steps of ${step}.` },
  }));

/** The parameters a search varies. */
export function parametersOf({ rules }: Pick<OptimizeInput, 'rules'>): readonly ParameterMeasure[] {
  if (rules === undefined) return parameters;
  if (isOwnRules(rules.strategy)) return ownParametersOf(ruleSetOf(rules.strategy).parameters.filter(isRanged));
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
    meaning: 'Random parameter sets, yours included. More sets look better, partly by luck: honesty counts each.',
  },
  runOn: {
    topic: 'setting.runOn',
    name: 'Run on',
    meaning: 'Browser: keep this tab open. Server: close it and open the result later. Same seed, same result.',
  },
  target: {
    topic: 'setting.target',
    name: 'Target',
    meaning: 'The search maximises this figure. Rates and ratios need a minimum number of trades.',
  },
  seed: {
    topic: 'setting.seed',
    name: 'Seed',
    meaning: 'Same seed, same sets, in this browser and on the server.',
  },
  trainOn: {
    topic: 'setting.trainOn',
    name: 'Search window',
    meaning: 'Earlier candles: your result is a test on unseen data. Scored candles: it is fitted to them.',
  },
  refine: {
    topic: 'setting.refine',
    name: 'Refine',
    meaning: 'Tries as many sets again around the best. All count as trials.',
  },
  walkForward: {
    topic: 'setting.walkForward',
    name: 'Walk-forward',
    meaning: `Searches again before each of ${folds} later windows, then trades it. Anchored: from the first candle. Rolling: a fixed length. Purges ${purgeBars} candles and embargoes ${embargoBars} in between.`,
  },
} as const satisfies Record<string, Definition>;
