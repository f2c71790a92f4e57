import { useSnapshot } from 'valtio';
import { formatCount } from '../../../format/number.ts';
import { draft, runState, scoredOf } from '../backtestState.ts';

/** Candles until every vote of the standard weights is defined (docs/warmup.md). */
const WARMUP_COUNT = 76;

/** X4 as a picture: what warms the indicators up, what a search may train on, and what is scored. */
export function WindowStrip() {
  const { historyCount } = useSnapshot(draft);
  const { run } = useSnapshot(runState);
  const isShown = run !== null && run.loaded.source === 'exchange';
  const loaded = isShown ? run.result.summary.loadedCount : historyCount;
  const scored = isShown ? run.scoredCount : scoredOf(loaded);
  const warmup = Math.min(WARMUP_COUNT, loaded - scored);
  const parts = [
    { name: 'Warm-up', count: warmup, className: 'bg-line' },
    { name: 'Training', count: loaded - scored - warmup, className: 'bg-muted opacity-60' },
    { name: 'Scored', count: scored, className: 'bg-accent' },
  ];
  return (
    <div className="flex flex-col gap-1.5" data-testid="window-strip">
      <div aria-hidden="true" className="flex h-2 gap-px overflow-hidden rounded-sm">
        {parts.map(({ name, count, className }) => (
          <span key={name} className={`min-w-1 ${className}`} style={{ flexGrow: count }} />
        ))}
      </div>
      <dl className="flex justify-between text-label text-muted tabular-nums">
        {parts.map(({ name, count }) => (
          <div key={name} className="flex gap-1">
            <dt>{name}</dt>
            <dd className="font-medium">{formatCount(count)}</dd>
          </div>
        ))}
      </dl>
      <p className="text-label text-muted">
        Trades open in the scored candles only; a search trains on those before them.
      </p>
    </div>
  );
}
