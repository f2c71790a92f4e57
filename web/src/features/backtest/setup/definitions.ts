import { registry, voteRegistry } from '@sextant/engine-as/abi/registry.ts';
import { parametersOfVote, type VoteParameters } from '@sextant/engine-as/abi/voteParameters.ts';
import type { VoteId } from '@sextant/workers/src/protocol/wire/defaults.ts';
import { formatCount } from '../../../format/number.ts';
import type { Definition, WrittenDefinition } from '../../../ui/Hint.tsx';
import { type NumberRule, percentRules, thresholdRule } from '../params.ts';

/** Meaning of a weight, from the engine's registry. @param parameters of the weighted rules; the defaults when absent */
export function voteDefinition(id: VoteId, parameters?: VoteParameters): Definition {
  const vote = voteRegistry.find((each) => each.id === id);
  if (vote === undefined) return { topic: `vote.${id}`, name: id, meaning: 'A vote of the engine.' };
  const params = parametersOfVote(vote, parameters);
  const { long, short, neutral } = vote.rule(params);
  const indicator = registry.find((each) => vote.indicators.includes(each.id));
  return {
    topic: `vote.${id}`,
    name: vote.title,
    meaning: `Votes long on ${long}, short on ${short}; none: ${neutral}. A ${vote.family} vote, from candle ${formatCount(vote.warmup(params) + 1)} on.`,
    ...(indicator === undefined ? {} : { formula: indicator.formula, example: indicator.example }),
  };
}

const boundsOf = ({ min, max, unit }: NumberRule): string => `${min} to ${max} ${unit}`;
const leastOf = ({ min, unit }: NumberRule): string => `at least ${min} ${unit}`;
const defaultOf = ({ default: standard, unit }: NumberRule): string => `default ${standard} ${unit}`;
const { stopLoss, takeProfit, callback, trailStep, activation } = percentRules;

export const parameterDefinitions = {
  entryThreshold: {
    topic: 'setting.entryThreshold',
    name: 'Entry threshold',
    meaning: `Opens a trade when the score reaches this size. The score averages the votes: -1 all short, 1 all long. Default ${thresholdRule.default}; ${thresholdRule.min} to ${thresholdRule.max}.`,
    formula: '|score| >= threshold',
  },
  stopLoss: {
    topic: 'setting.stopLoss',
    name: 'Stop loss',
    meaning: `Stop distance from the entry, ${boundsOf(stopLoss)}, ${defaultOf(stopLoss)}. Active from the fill.`,
    example: 'A long at 100 with 2 % is stopped at 98.',
  },
  takeProfit: {
    topic: 'setting.takeProfit',
    name: 'Take profit',
    meaning: `Target distance from the entry, ${boundsOf(takeProfit)}, ${defaultOf(takeProfit)}.`,
    example: 'A long at 100 with 4 % takes its profit at 104.',
  },
  trailing: {
    topic: 'setting.trailing',
    name: 'Trailing stop',
    meaning: 'Follows the best price with the stop, never back. Off by default.',
  },
  callback: {
    topic: 'setting.callback',
    name: 'Trail callback',
    meaning: `Trailing stop distance from the best price, ${leastOf(callback)}, ${defaultOf(callback)}.`,
  },
  trailStep: {
    topic: 'setting.trailStep',
    name: 'Trail step',
    meaning: `Smallest move of the stop, as a share of the entry price, ${leastOf(trailStep)}, ${defaultOf(trailStep)}.`,
  },
  activation: {
    topic: 'setting.activation',
    name: 'Trail activation',
    meaning: `Trailing starts at this profit, ${boundsOf(activation)}, ${defaultOf(activation)}: at once.`,
    example: 'A long at 100 with 2 % trails from 102 on.',
  },
} as const satisfies Record<string, WrittenDefinition>;
