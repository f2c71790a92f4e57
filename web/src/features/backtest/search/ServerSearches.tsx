import { serverSamplesMax, setCostOf } from '@sextant/workers/src/tasks/optimize/setCost.ts';
import { CloudUpload, FolderOpen, Square } from 'lucide-react';
import { useState } from 'react';
import { useSnapshot } from 'valtio';
import { messageOf } from '../../../api/failure.ts';
import { isOpenSearch, useCancelSearch, useOrderSearch, useSearches } from '../../../api/searches.ts';
import type { SearchHead } from '../../../api/types.ts';
import { formatCount, formatFixed, formatMany } from '../../../format/number.ts';
import { openPage } from '../../../state/navigation.ts';
import { toastRejection } from '../../../state/toasts.ts';
import { Notice } from '../../../ui/Notice.tsx';
import { ErrorState } from '../../../ui/Panel.tsx';
import { Time } from '../../../ui/Time.tsx';
import { draft, plannedWindow, runState } from '../backtestState.ts';
import { openServerSearch, startServerSearch } from './serverSearch.ts';

/** Deep searches on the server: running ones, also from before a reload, and results to open. */
export function ServerSearches() {
  const { data: searches = [], error, refetch } = useSearches();
  if (searches.length === 0 && error === null) return null;
  return (
    <section aria-label="Searches on the server" className="flex flex-col gap-2 border-t border-line pt-3">
      <h2 className="font-semibold">On the server</h2>
      {error !== null && (
        <ErrorState
          failure={error}
          text={messageOf(error, 'The searches did not load.')}
          onRetry={() => void refetch()}
        />
      )}
      <ul className="flex flex-col gap-2">
        {searches.map((search) => (
          <Row key={search.search_id} search={search} />
        ))}
      </ul>
    </section>
  );
}

function Row({ search }: { search: SearchHead }) {
  const { label, symbol, interval, kind, samples, created_at: createdAt, status, failure } = search;
  return (
    <li data-status={status} className="flex flex-col gap-1.5 rounded border border-line p-2 text-label tabular-nums">
      <div className="flex flex-wrap items-baseline justify-between gap-x-2">
        <span className="min-w-0 font-medium wrap-anywhere">
          {label ?? symbol} {interval}, {formatCount(samples)} samples{kind === 'rules' ? ' of rules' : ''}
        </span>
        <span className="shrink-0 text-muted">
          <Time at={createdAt} />
        </span>
      </div>
      {isOpenSearch(search) && <Progress search={search} />}
      {status === 'done' && <Done search={search} />}
      {status === 'cancelled' && <span className="text-muted">Cancelled at {formatCount(search.done)} samples.</span>}
      {status === 'failed' && <Notice tone="error">Search failed: {failure}</Notice>}
    </li>
  );
}

/** Averaged since the search started; with minutes loaded the sample count restarts, so no rate is shown. */
const rateOf = ({ done, elapsed_ms: elapsedMs, stage, minute_candles: minuteCandles }: SearchHead): string =>
  elapsedMs === null || elapsedMs <= 0 || done === 0 || (stage !== 'looking' && minuteCandles !== null)
    ? ''
    : `, ${formatCount(Math.round(done / (elapsedMs / 1000)))} sets a second`;

/** Progress of a running search. */
export function progressWords(search: SearchHead): string {
  const { status, done, samples, stage, minute_candles: minuteCandles } = search;
  if (status === 'queued') return 'Queued';
  const ofCandles = minuteCandles === null ? '' : `1-minute data of ${formatMany(minuteCandles, 'candle')}`;
  if (stage === 'loading') return `Loading ${ofCandles}`;
  const all = `All ${formatCount(samples)} samples done`;
  const count = `${formatCount(done)} of ${formatCount(samples)} samples`;
  if (stage === 'looking')
    return done === samples ? `${all}; loading 1-minute data next` : `${count}, before 1-minute data${rateOf(search)}`;
  if (done === samples) return `${all}; refining the best`;
  return (minuteCandles ?? 0) > 0 ? `${count} with ${ofCandles}` : `${count}${rateOf(search)}`;
}

function Progress({ search }: { search: SearchHead }) {
  const cancel = useCancelSearch();
  const { search_id: id, stage, done, samples } = search;
  const isLoading = stage === 'loading';
  return (
    <>
      <progress
        className="progress"
        aria-label={isLoading ? 'Loading 1-minute data' : 'Samples done'}
        value={isLoading ? undefined : done}
        max={samples}
      />
      <div className="flex items-center justify-between gap-2">
        <span className="text-muted">{progressWords(search)}</span>
        <button
          type="button"
          className="btn btn-small"
          disabled={cancel.isPending}
          onClick={() =>
            cancel.mutate(id, {
              onError: (failure) => toastRejection(messageOf(failure, 'The search was not cancelled'), failure),
            })
          }
        >
          <Square size={12} aria-hidden="true" /> Cancel on the server
        </button>
      </div>
    </>
  );
}

function Done({ search }: { search: SearchHead }) {
  const [state, setState] = useState<{ isOpening: boolean; error: string | null }>({ isOpening: false, error: null });
  const open = async () => {
    setState({ isOpening: true, error: null });
    try {
      if (await openServerSearch(search.search_id)) openPage('backtest', 'results');
      setState({ isOpening: false, error: null });
    } catch (failure) {
      setState({ isOpening: false, error: messageOf(failure, 'The search did not open. Try again.') });
    }
  };
  return (
    <>
      <div className="flex items-center justify-between gap-2">
        <span className="text-muted">
          Done{search.elapsed_ms !== null && ` in ${formatFixed(search.elapsed_ms / 1000, 1)} s`}
        </span>
        <button type="button" className="btn btn-small" disabled={state.isOpening} onClick={() => void open()}>
          <FolderOpen size={14} aria-hidden="true" /> {state.isOpening ? 'Opening…' : 'Open result'}
        </button>
      </div>
      {state.error !== null && <Notice tone="error">Not opened: {state.error}</Notice>}
    </>
  );
}

/** Maximum number of samples the server accepts for the form's search; undefined while the setup has no candles. */
function useServerMax(): { most: number; candleCount: number } | undefined {
  const form = useSnapshot(draft);
  const { csv } = useSnapshot(runState);
  const planned = plannedWindow(form, csv?.parsed.candles.time.length);
  if (planned === undefined) return undefined;
  const cost = setCostOf(form.strategy === 'classic' ? 'classic' : 'rules');
  return { most: serverSamplesMax(planned.loaded, cost), candleCount: planned.loaded };
}

/** Starts the form's search on the server. Each press starts another search, so the button is disabled until the response. */
export function ServerStart({ samples }: { samples: number }) {
  const order = useOrderSearch(startServerSearch);
  const server = useServerMax();
  const isTooLarge = server !== undefined && samples > server.most;
  return (
    <div className="flex flex-col gap-2">
      {order.error !== null && <Notice tone="error">Not started: {messageOf(order.error, String(order.error))}</Notice>}
      {isTooLarge && (
        <Notice tone="warn">
          Server limit: {formatCount(server.most)} sets on {formatCount(server.candleCount)} candles. Use fewer sets or
          candles, or search in this browser.
        </Notice>
      )}
      <button
        type="button"
        className="btn btn-primary"
        disabled={order.isPending || isTooLarge}
        onClick={() => order.mutate()}
      >
        <CloudUpload size={14} aria-hidden="true" />{' '}
        {order.isPending ? 'Starting…' : `Start on the server, ${formatCount(samples)} sets`}
      </button>
    </div>
  );
}
