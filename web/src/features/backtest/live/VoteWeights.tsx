import type { Parameters } from '@sextant/engine-as/abi/registryTypes.ts';
import { STRATEGY_WEIGHT_MAX, tunedWeights } from '@sextant/engine-as/abi/strategy.ts';
import { voteIds } from '@sextant/engine-as/abi/voteExports.ts';
import type { VoteId } from '@sextant/workers/src/wire/defaults.ts';
import { useQuery } from '@tanstack/react-query';
import { RotateCcw } from 'lucide-react';
import { memo } from 'react';
import { useSnapshot } from 'valtio';
import { messageOf } from '../../../api/failure.ts';
import { api, dataOf } from '../../../api/client.ts';
import { queryKeys } from '../../../api/queryKeys.ts';
import { voteName } from '../../../format/voteName.ts';
import { DefinedTerm } from '../../../ui/Hint.tsx';
import { ErrorState } from '../../../ui/Panel.tsx';
import { SliderRow } from '../../../ui/SliderRow.tsx';
import { draft } from '../backtestState.ts';
import { voteDefinition } from '../setup/definitions.ts';
import { dropUnchangedVotes, type LiveSettings, ownVotes, type StartWeights } from './liveSettings.ts';
import { VoteParameters } from './VoteParameters.tsx';

/** A saved strategy may hold a larger weight: its slider then reaches that far. */
const WEIGHT_SHOWN = 2;
const WEIGHT_STEP = 0.05;

/** Puts the weight of one vote into the rules; those that are all as they were opened are no change. */
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
      <p className="text-label text-muted">Reading your signal tuning</p>
    ) : (
      <ErrorState
        failure={account.error}
        text={messageOf(account.error, 'Your signal tuning could not be read.')}
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
        <p className="text-label text-muted">A negative weight turns the vote round, 0 leaves it out.</p>
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
  /** Of the vote, where they are not the defaults. */
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

/** The start and the parameters are other objects at each change of a proxy; only its own concern a row. */
function isSameRow(before: RowProps, after: RowProps): boolean {
  const isRetuned = JSON.stringify(before.parameters) !== JSON.stringify(after.parameters);
  return before.weight === after.weight && before.start[before.id] === after.start[after.id] && !isRetuned;
}
