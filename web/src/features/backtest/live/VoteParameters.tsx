import { voteRegistry } from '@sextant/engine-as/abi/registry.ts';
import type { Parameters, VoteEntry, VoteParameter } from '@sextant/engine-as/abi/registryTypes.ts';
import { parametersOfVote } from '@sextant/engine-as/abi/voteParameters.ts';
import { ChevronRight, RotateCcw } from 'lucide-react';
import { voteParametersText } from '../../../format/strategyText.ts';
import { NumberField } from '../../../ui/NumberField.tsx';
import { draft } from '../backtestState.ts';
import { dropUnchangedVotes, type LiveSettings, ownVotes, type StartWeights } from './liveSettings.ts';

/** Puts one parameter of a vote into the rules; the default is kept as no value. */
export function setVoteParameter(
  live: LiveSettings,
  { vote, name, value }: { vote: VoteEntry; name: string; value: number },
  start: StartWeights,
): void {
  const before = ownVotes(live, start).parameters[vote.id];
  putParameters(live, vote.id, withoutDefaults(vote, { ...before, [name]: value }));
}

const withoutDefaults = ({ parameters }: VoteEntry, values: Parameters): Parameters =>
  Object.fromEntries(
    Object.entries(values).filter(([name, value]) =>
      parameters.some((each) => each.name === name && each.default !== value),
    ),
  );

/** The defaults of the registry for one vote. */
export function resetVoteParameters(live: LiveSettings, id: string): void {
  putParameters(live, id, {});
}

function putParameters(live: LiveSettings, id: string, values: Parameters): void {
  if (live.own === null) return;
  const others = Object.entries(live.own.parameters).filter(([each]) => each !== id);
  const isDefault = Object.keys(values).length === 0;
  live.own.parameters = Object.fromEntries(isDefault ? others : [...others, [id, { ...values }]]);
  dropUnchangedVotes(live);
}

interface Props {
  id: string;
  own: Parameters | undefined;
  start: StartWeights;
}

/** What a vote looks back at and compares with, folded to one line; nothing for a vote without parameters. */
export function VoteParameters({ id, own, start }: Props) {
  const vote = voteRegistry.find((each) => each.id === id);
  if (vote === undefined || vote.parameters.length === 0) return null;
  const values = parametersOfVote(vote, own && { [id]: own });
  const isOwn = own !== undefined;
  return (
    <details className="group/parameters pb-1">
      <summary className="flex min-h-6 cursor-pointer list-none items-center gap-1 text-label text-muted pointer-coarse:min-h-11 [&::-webkit-details-marker]:hidden">
        <ChevronRight
          size={12}
          aria-hidden="true"
          className="shrink-0 transition-transform group-open/parameters:rotate-90"
        />
        <span className="sr-only">{vote.title} parameters: </span>
        <span className={`tabular-nums ${isOwn ? 'font-semibold text-text' : ''}`}>
          {voteParametersText(id, values)}
        </span>
        {isOwn && <span className="sr-only"> (changed)</span>}
      </summary>
      <div className="my-1 ml-1.5 grid grid-cols-2 gap-x-3 gap-y-2 border-l border-line pl-3">
        {vote.parameters.map((parameter) => (
          <ParameterField key={parameter.name} vote={vote} parameter={parameter} values={values} start={start} />
        ))}
        <button
          type="button"
          className="btn btn-ghost btn-small col-span-2 justify-self-end"
          disabled={!isOwn}
          aria-label={`Defaults of ${vote.title}`}
          onClick={() => resetVoteParameters(draft.live, id)}
        >
          <RotateCcw size={12} aria-hidden="true" /> Defaults
        </button>
      </div>
    </details>
  );
}

interface FieldProps {
  vote: VoteEntry;
  parameter: VoteParameter;
  values: Parameters;
  start: StartWeights;
}

function ParameterField({ vote, parameter, values, start }: FieldProps) {
  const { name, title, default: normal } = parameter;
  const bounds = boundsOf(vote, parameter, values);
  return (
    <NumberField
      isSmall
      label={
        <>
          <span className="sr-only">{vote.title} </span>
          {title}
        </>
      }
      hint={`${bounds.min} to ${bounds.max}, default ${normal}`}
      value={values[name] ?? normal}
      min={bounds.min}
      max={bounds.max}
      step={bounds.step}
      decimals={bounds.decimals}
      onChange={(value) => setVoteParameter(draft.live, { vote, name, value }, start)}
    />
  );
}

/** Bounds of the registry; one that has to stay below another ends a step before it. */
function boundsOf(vote: VoteEntry, parameter: VoteParameter, values: Parameters) {
  const { name } = parameter;
  const { decimals, step } = gridOf(parameter);
  const { first, second } = vote.order ?? {};
  const beside = (other: string | undefined, steps: number): number =>
    Number(((values[other ?? ''] ?? 0) + steps * step).toFixed(decimals));
  const max = name === first ? Math.min(parameter.max, beside(second, -1)) : parameter.max;
  const min = name === second ? Math.max(parameter.min, beside(first, 1)) : parameter.min;
  return { min, max, step, decimals };
}

/** Look-backs are whole, levels are set by the point, fractions by a hundredth, widths by a tenth. */
function gridOf({ isInteger, isLevel, max }: VoteParameter): { decimals: number; step: number } {
  if (isInteger) return { decimals: 0, step: 1 };
  if (max <= 1) return { decimals: 3, step: 0.01 };
  return { decimals: 2, step: isLevel ? 1 : 0.1 };
}
