import { CloudUpload, FolderOpen, Square } from 'lucide-react';
import { useState } from 'react';
import { messageOf } from '../../../api/failure.ts';
import { isOpenSearch, useCancelSearch, useOrderSearch, useSearches } from '../../../api/searches.ts';
import type { SearchHead } from '../../../api/types.ts';
import { formatCount, formatFixed } from '../../../format/number.ts';
import { openPage } from '../../../state/navigation.ts';
import { toast } from '../../../state/toasts.ts';
import { Notice } from '../../../ui/Notice.tsx';
import { ErrorState } from '../../../ui/Panel.tsx';
import { Time } from '../../../ui/Time.tsx';
import { openServerSearch, startServerSearch } from './serverSearch.ts';

/** Deep searches on the server: what is under way, also from before a reload, and results to open. */
export function ServerSearches() {
  const { data: searches = [], error, refetch } = useSearches();
  if (searches.length === 0 && error === null) return null;
  return (
    <section aria-label="Searches on the server" className="flex flex-col gap-2 border-t border-line pt-3">
      <h2 className="font-semibold">On the server</h2>
      {error !== null && (
        <ErrorState text={messageOf(error, 'The searches could not be read.')} onRetry={() => void refetch()} />
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
  const { label, symbol, interval, samples, created_at: createdAt, status, failure } = search;
  return (
    <li data-status={status} className="flex flex-col gap-1.5 rounded border border-line p-2 text-label tabular-nums">
      <div className="flex items-baseline justify-between gap-2">
        <span className="truncate font-medium" title={label ?? symbol}>
          {label ?? symbol} {interval}, {formatCount(samples)} samples
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

/** Measured over the whole time since the first part was taken up. */
const rateOf = ({ done, elapsed_ms: elapsedMs }: SearchHead): string =>
  elapsedMs === null || elapsedMs <= 0 || done === 0
    ? ''
    : `, ${formatCount(Math.round(done / (elapsedMs / 1000)))} sets a second`;

function Progress({ search }: { search: SearchHead }) {
  const cancel = useCancelSearch();
  const { search_id: id, status, done, samples } = search;
  const words =
    status === 'queued'
      ? 'Waiting for its turn'
      : done === samples
        ? `All ${formatCount(samples)} samples have run; the best is refined and checked`
        : `${formatCount(done)} of ${formatCount(samples)} samples${rateOf(search)}`;
  return (
    <>
      <progress className="h-1.5 w-full" aria-label="Samples run on the server" value={done} max={samples} />
      <div className="flex items-center justify-between gap-2">
        <span className="text-muted">{words}</span>
        <button
          type="button"
          className="btn btn-small"
          disabled={cancel.isPending}
          onClick={() =>
            cancel.mutate(id, { onError: (failure) => toast(messageOf(failure, 'It could not be cancelled'), 'error') })
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
      await openServerSearch(search.search_id);
      openPage('backtest', 'results');
      setState({ isOpening: false, error: null });
    } catch (failure) {
      setState({ isOpening: false, error: messageOf(failure, 'The search could not be opened. Try again.') });
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

/** Hands the search of the form over. Each start is a search of its own, so the button rests until the answer is there. */
export function ServerStart({ samples }: { samples: number }) {
  const order = useOrderSearch(startServerSearch);
  return (
    <div className="flex flex-col gap-2">
      {order.error !== null && <Notice tone="error">Not started: {messageOf(order.error, String(order.error))}</Notice>}
      <button type="button" className="btn btn-primary" disabled={order.isPending} onClick={() => order.mutate()}>
        <CloudUpload size={14} aria-hidden="true" />{' '}
        {order.isPending ? 'Handing over…' : `Start on the server, ${formatCount(samples)} sets`}
      </button>
    </div>
  );
}
