import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import { useSnapshot } from 'valtio';
import { formatCount } from '../../../format/number.ts';
import { draft, plannedWindow, runState, warmupOf } from '../backtestState.ts';

/** Diagram of the window: warm-up of the indicators, training part of a search, scored part. */
export function WindowStrip() {
  const form = useSnapshot(draft);
  const { source } = form;
  const { run, csv } = useSnapshot(runState);
  // A market may be younger than the requested window: known once it is loaded.
  const planned = plannedWindow(form, csv?.parsed.candles.time.length);
  const wanted = planned?.loaded ?? 0;
  const isShown = run !== null && run.loaded.source === 'exchange' && source === 'exchange';
  const loaded = isShown ? run.result.summary.loadedCount : wanted;
  const scored = isShown ? run.scoredCount : (planned?.scored ?? 0);
  const barMs = source === 'exchange' ? intervalMs[form.interval] : Infinity;
  const warmup = Math.min(warmupOf(form.strategy, barMs), loaded - scored);
  const parts = [
    { name: 'Warm-up', count: warmup, className: 'bg-line' },
    { name: 'Training', count: loaded - scored - warmup, className: 'bg-muted opacity-60' },
    { name: 'Scored', count: scored, className: 'bg-accent' },
  ];
  return (
    <div className="flex flex-col gap-1.5" data-testid="window-strip">
      <div aria-hidden="true" className="flex h-2 gap-px overflow-hidden rounded-sm">
        {parts
          .filter(({ count }) => count > 0)
          .map(({ name, count, className }) => (
            <span key={name} className={`min-w-1 ${className}`} style={{ flexGrow: count }} />
          ))}
      </div>
      <dl className="flex justify-between text-label text-muted tabular-nums">
        {parts.map(({ name, count, className }) => (
          <div key={name} className="flex items-center gap-1">
            <dt className="flex items-center gap-1">
              <span aria-hidden="true" className={`size-2 rounded-sm ${className}`} />
              {name}
            </dt>
            <dd className="font-medium">{formatCount(count)}</dd>
          </div>
        ))}
      </dl>
      <p className="text-label text-muted">
        {windowNote({ scored, loaded, warmup, asked: source === 'csv' ? loaded : wanted })}
      </p>
    </div>
  );
}

interface Window {
  asked: number;
  loaded: number;
  scored: number;
  warmup: number;
}

/** How many candles are scored of how many, and why the others are not. */
export function windowNote({ asked, loaded, scored, warmup }: Window): string {
  const young = loaded < asked ? `${formatCount(loaded)} of ${formatCount(asked)} requested candles available. ` : '';
  if (scored === loaded) return `${young}Every candle is scored. None is left for training.`;
  const newest = `${young}Scores the newest ${formatCount(scored)} of ${formatCount(loaded)} candles.`;
  return `${newest} Warm-up: first ${formatCount(warmup)}. Training: the rest.`;
}
