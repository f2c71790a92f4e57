import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { replayLimits } from '@sextant/workers/src/protocol/replaySignals.ts';
import { api, dataOf } from '../../../api/client.ts';
import { messageOf } from '../../../api/failure.ts';
import { queryKeys } from '../../../api/queryKeys.ts';
import type { Performance, SavedStrategy, SignalRecord, StrategyReplay } from '../../../api/types.ts';
import { useStrategies } from '../../../data/strategies.ts';
import { formatCount, formatFixed, formatMany, formatPercent } from '../../../format/number.ts';
import { toastRejection } from '../../../state/toasts.ts';
import { Field } from '../../../ui/Field.tsx';
import { ErrorState, Loaded, Panel } from '../../../ui/Panel.tsx';
import { ScrollSideways } from '../../../ui/ScrollSideways.tsx';
import { Time } from '../../../ui/Time.tsx';

const POLL_MS = 3000;
const TITLE = 'Replay a saved strategy';
const ASIDE = 'apart from the public record';

/** A saved strategy on the stored history: starts its replay, and shows its outcomes beside its live ones. */
export function StrategyReplayPanel({ live }: { live: Performance['strategies'] }) {
  const [chosen, setChosen] = useState<string | null>(null);
  const strategies = useStrategies();
  if (strategies.error !== null && strategies.data === undefined)
    return (
      <Panel title={TITLE} aside={ASIDE} bodyClassName="p-3">
        <ErrorState
          failure={strategies.error}
          text={messageOf(strategies.error, 'Your strategies did not load.')}
          onRetry={() => void strategies.refetch()}
        />
      </Panel>
    );
  const saved = strategies.data?.strategies ?? [];
  const shown = saved.find(({ id }) => id === chosen) ?? saved[0];
  if (shown === undefined) return null;
  return (
    <Panel title={TITLE} aside={ASIDE} bodyClassName="flex flex-col gap-3 p-3">
      <div className="max-w-100">
        <Field label="Strategy to replay">
          {(ids) => (
            <select {...ids} className="input" value={shown.id} onChange={(event) => setChosen(event.target.value)}>
              {saved.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </Field>
      </div>
      <OneReplay key={shown.id} strategy={shown} live={live.find(({ id }) => id === shown.id) ?? null} />
    </Panel>
  );
}

type Live = Performance['strategies'][number];

function OneReplay({ strategy, live }: { strategy: SavedStrategy; live: Live | null }) {
  const { id, version } = strategy;
  const client = useQueryClient();
  const queryKey = queryKeys.strategyReplay(id);
  const params = { path: { id } };
  const response = useQuery({
    queryKey,
    queryFn: ({ signal }) => dataOf(api.GET('/api/strategies/{id}/replay', { params, signal })),
    refetchInterval: ({ state }) => (state.data !== undefined && isActive(state.data) ? POLL_MS : false),
  });
  const start = useMutation({
    mutationFn: () => dataOf(api.POST('/api/strategies/{id}/replay', { params })),
    onSuccess: (replay) => client.setQueryData(queryKey, replay),
    onError: (failure) => toastRejection(messageOf(failure, 'The replay did not start.'), failure),
  });
  const cancel = useMutation({
    mutationFn: () => dataOf(api.DELETE('/api/strategies/{id}/replay', { params })),
    onSuccess: (replay) => client.setQueryData(queryKey, replay),
    onError: (failure) => toastRejection(messageOf(failure, 'The replay was not cancelled.'), failure),
  });
  return (
    <Loaded response={response} failure="The replay did not load." rows={3}>
      {(replay) => (
        <>
          <p role="status">{stateText(replay)}</p>
          {replay.version !== null && replay.version !== version && (
            <p className="text-muted">
              This replay is of version {replay.version.slice(0, 8)}. Replay the current one.
            </p>
          )}
          {replay.record !== null && <Outcomes replay={replay} replayed={replay.record} live={live} />}
          {isActive(replay) ? (
            <button
              type="button"
              className="btn self-start"
              disabled={cancel.isPending}
              aria-label="Cancel replay"
              onClick={() => cancel.mutate()}
            >
              Cancel
            </button>
          ) : (
            <button type="button" className="btn self-start" disabled={start.isPending} onClick={() => start.mutate()}>
              {replay.state === 'none' ? 'Start replay' : 'Replay again'}
            </button>
          )}
          <p className="text-label text-muted">
            Reads up to {formatCount(replayLimits.symbols)} symbols and {formatCount(replayLimits.candles)} candles
            each. News has no vote; exits are checked on closed candles.
          </p>
        </>
      )}
    </Loaded>
  );
}

const isActive = ({ state }: StrategyReplay): boolean => state === 'queued' || state === 'running';

function stateText({ state, symbols, symbols_done: done, symbols_failed: failed, error }: StrategyReplay): string {
  if (state === 'none') return 'Not replayed yet.';
  if (state === 'queued') return 'Queued.';
  if (state === 'cancelled') return 'Cancelled.';
  if (state === 'failed') return `Failed: ${error ?? ''}`;
  if (state === 'running')
    return symbols === null || symbols === 0
      ? 'Running.'
      : `Running: ${formatPercent(done / symbols)}, ${formatCount(done)} of ${formatMany(symbols, 'symbol')}.`;
  return failed === 0
    ? `Done: ${formatMany(done, 'symbol')}.`
    : `Done: ${formatMany(done - failed, 'symbol')}. Left out: ${formatCount(failed)}.`;
}

interface OutcomesProps {
  replay: StrategyReplay;
  replayed: SignalRecord;
  live: Live | null;
}

/** Beside the live outcomes of the same version: those of another one are of other rules. */
function Outcomes({ replay, replayed, live }: OutcomesProps) {
  const liveRecord = live !== null && live.version === replay.version ? live.record : null;
  const { mean_net_pct: mean, net_low_pct: low, net_high_pct: high } = replay;
  const label = `${liveRecord === null ? 'Replayed' : 'Live and replayed'} outcomes of the strategy`;
  const hasEdge = low !== null && low > 0;
  const rows: readonly [name: string, of: (record: SignalRecord) => string][] = [
    ['Signals finished', ({ resolved }) => formatCount(resolved)],
    ['Independent', ({ independent_count: count }) => formatCount(Math.round(count))],
    ['Gained after fees', ({ hit_rate: rate }) => formatPercent(rate)],
    ['Mean result after fees', ({ mean_net_fraction: net }) => formatPercent(net, true)],
    ['Calibration error', ({ calibration }) => formatFixed(calibration.ece, 4)],
  ];
  return (
    <>
      <p className="font-medium">
        {mean === null || low === null || high === null
          ? 'Too few signals for a mean.'
          : `${hasEdge ? 'Edge' : 'No edge shown'}: ${formatPercent(mean / 100, true)} per independent signal, 95 % ${formatPercent(low / 100, true)} to ${formatPercent(high / 100, true)}.`}
      </p>
      <ScrollSideways label={label}>
        <table className="table" aria-label={label}>
          <thead>
            <tr>
              <th className="lead" scope="col">
                Figure
              </th>
              {liveRecord !== null && <th scope="col">Live</th>}
              <th scope="col">Replayed</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(([name, textOf]) => (
              <tr key={name}>
                <th className="lead" scope="row">
                  {name}
                </th>
                {liveRecord !== null && <td>{textOf(liveRecord)}</td>}
                <td>{textOf(replayed)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollSideways>
      {replay.requested_at !== null && (
        <p className="text-label text-muted">
          Candles up to <Time at={replay.requested_at} />.
        </p>
      )}
    </>
  );
}
