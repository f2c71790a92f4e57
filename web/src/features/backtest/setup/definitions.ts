import { registry, voteRegistry } from '@sextant/engine-as/abi/registry.ts';
import { parametersOfVote, type VoteParameters } from '@sextant/engine-as/abi/voteParameters.ts';
import type { ClassicFormId } from '@sextant/engine-as/abi/runParameters.ts';
import { withoutUndefined } from '@sextant/workers/src/core/withoutUndefined.ts';
import type { VoteId } from '@sextant/workers/src/protocol/wire/defaults.ts';
import { formatCount } from '../../../format/number.ts';
import { isTopic } from '../../../ui/HelpLink.tsx';
import type { Definition, WrittenDefinition } from '../../../ui/Hint.tsx';
import { type FormRow, formRows } from '../params.ts';

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

const withUnit = (text: string, unit: string): string => (unit === '' ? text : `${text} ${unit}`);

function definitionOf({ id, row, rule }: FormRow): WrittenDefinition {
  const { min, max, unit, label, default: standard } = rule;
  const { form } = row.classic;
  const topic = `setting.${id}`;
  const meaning = form?.meaning({
    bounds: withUnit(`${min} to ${max}`, unit),
    least: withUnit(`at least ${min}`, unit),
    standard: withUnit(String(standard), unit),
  });
  return withoutUndefined({
    topic: isTopic(topic) ? topic : null,
    name: label,
    meaning: meaning ?? row.text,
    formula: form?.formula,
    example: form?.example,
  });
}

export const parameterDefinitions = {
  ...(Object.fromEntries(formRows.map((each) => [each.id, definitionOf(each)])) as Record<
    ClassicFormId,
    WrittenDefinition
  >),
  trailing: {
    topic: 'setting.trailing',
    name: 'Trailing stop',
    meaning: 'Follows the best price with the stop, never back. Off by default.',
  },
} satisfies Record<string, WrittenDefinition>;
