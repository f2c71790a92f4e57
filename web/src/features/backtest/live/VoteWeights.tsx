import { voteRegistry } from '@sextant/engine-as/abi/registry.ts';
import type { Parameters, VoteEntry, VoteParameter } from '@sextant/engine-as/abi/registryTypes.ts';
import { STRATEGY_WEIGHT_MAX, tunedWeights } from '@sextant/engine-as/abi/strategy.ts';
import { voteIds } from '@sextant/engine-as/abi/voteExports.ts';
import { parametersOfVote } from '@sextant/engine-as/abi/voteParameters.ts';
import type { VoteId } from '@sextant/workers/src/protocol/wire/defaults.ts';
import { useQuery } from '@tanstack/react-query';
import { ChevronRight, RotateCcw } from 'lucide-react';
import { memo } from 'react';
import { useSnapshot } from 'valtio';
import { api, dataOf } from '../../../api/client.ts';
import { messageOf } from '../../../api/failure.ts';
import { queryKeys } from '../../../api/queryKeys.ts';
import { voteParametersText } from '../../../format/strategyText.ts';
import { voteName } from '../../../format/voteName.ts';
import { DefinedTerm } from '../../../ui/Hint.tsx';
import { NumberField } from '../../../ui/NumberInput.tsx';
import { ErrorState } from '../../../ui/Panel.tsx';
import { SliderRow } from '../../../ui/SliderRow.tsx';
import { draft } from '../backtestState.ts';
import { voteDefinition } from '../setup/definitions.ts';
import { dropUnchangedVotes, type LiveSettings, ownVotes, type StartWeights } from './liveSettings.ts';

/** A saved strategy may hold a larger weight: its slider then reaches that far. */
const WEIGHT_SHOWN = 2;
const WEIGHT_STEP = 0.05;

/** Sets the weight of one vote; when all equal those at opening, nothing counts as changed. */
export function setVoteWeight(live: LiveSettings, id: string, weight: number, start: StartWeights): void {
  ownVotes(live, start).weights[id] = weight;
  dropUnchangedVotes(live);
}

/** Back to the weights of the strategy that was opened, or of the scanner. */
export function resetVoteWeights(live: LiveSettings): void {
  if (live.own === null) return;
  live.own.weights = { ...live.own.startWeights };
  dropUnchangedVotes(live);
}

/** The weight of each vote of the rules, of either sign, and its parameters. */
export function VoteWeights() {
  const { own, tuning: given } = useSnapshot(draft).live;
  const isOfAccount = own === null && given === null;
  const account = useQuery({
    queryKey: queryKeys.tuning,
    queryFn: ({ signal }) => dataOf(api.GET('/api/tuning', { signal })),
    staleTime: 60_000,
    enabled: isOfAccount,
  });
  const tuning = given ?? account.data?.weights;
  const start = own?.startWeights ?? (tuning === undefined ? null : tunedWeights(tuning));
  if (start === null)
    return account.error === null ? (
      // As high as the line that replaces it.
      <p className="border-t border-line pt-2 text-muted">Loading your signal tuning</p>
    ) : (
      <ErrorState
        failure={account.error}
        text={messageOf(account.error, 'Your signal tuning did not load.')}
        onRetry={() => void account.refetch()}
      />
    );
  const weights: StartWeights = own?.weights ?? start;
  const used = voteIds.filter((id) => (weights[id] ?? 0) !== 0).length;
  const isChanged = voteIds.some((id) => (weights[id] ?? 0) !== (start[id] ?? 0));
  return (
    <details className="border-t border-line pt-2">
      <summary className="cursor-pointer font-semibold">
        Vote weights, {used} of {voteIds.length} in use
      </summary>
      <div className="flex items-center justify-between gap-2 py-1">
        <p className="text-label text-muted">Negative weights reverse a vote; 0 removes it.</p>
        <button
          type="button"
          className="btn btn-ghost btn-small"
          disabled={!isChanged}
          onClick={() => resetVoteWeights(draft.live)}
        >
          <RotateCcw size={12} aria-hidden="true" /> Reset weights
        </button>
      </div>
      {voteIds.map((id) => (
        <WeightRow key={id} id={id} weight={weights[id] ?? 0} start={start} parameters={own?.parameters[id]} />
      ))}
    </details>
  );
}

interface RowProps {
  id: string;
  weight: number;
  start: StartWeights;
  /** Parameters of the vote, where they are not the defaults. */
  parameters: Parameters | undefined;
}

const WeightRow = memo(function WeightRow({ id, weight, start, parameters }: RowProps) {
  const reach = Math.min(STRATEGY_WEIGHT_MAX, Math.max(WEIGHT_SHOWN, Math.ceil(Math.abs(weight))));
  return (
    <>
      <SliderRow
        min={-reach}
        max={reach}
        step={WEIGHT_STEP}
        decimals={2}
        name={`${voteName(id)} weight`}
        label={<DefinedTerm definition={voteDefinition(id as VoteId, parameters && { [id]: parameters })} />}
        value={weight}
        isChanged={weight !== (start[id] ?? 0)}
        onChange={(next) => setVoteWeight(draft.live, id, next, start)}
      />
      <VoteParameters id={id} own={parameters} start={start} />
    </>
  );
}, isSameRow);

/** A proxy gives new start and parameter objects at each change: compares only the row's own values. */
function isSameRow(before: RowProps, after: RowProps): boolean {
  const isRetuned = JSON.stringify(before.parameters) !== JSON.stringify(after.parameters);
  return before.weight === after.weight && before.start[before.id] === after.start[after.id] && !isRetuned;
}

/** Sets one parameter of a vote; the default is stored as no value. */
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

/** Lookbacks and thresholds of a vote, folded to one line; nothing for a vote without parameters. */
function VoteParameters({ id, own, start }: Props) {
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

/** Bounds of the registry; a value that must stay below another ends one step before it. */
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
