import { Star } from 'lucide-react';
import { useChangeWatchlist, useWatchlist } from '../data/watchlist.ts';

/** Adds a symbol to the watch list or removes it. */
export function WatchStar({ symbol }: { symbol: string }) {
  const isWatched = useWatchlist().data?.includes(symbol) === true;
  const change = useChangeWatchlist();
  return (
    <button
      type="button"
      className={`grid size-6 place-items-center rounded-sm ${isWatched ? 'text-accent' : 'text-muted'}`}
      aria-label={isWatched ? `Stop watching ${symbol}` : `Watch ${symbol}`}
      onClick={(event) => {
        event.stopPropagation();
        change.mutate({ symbol, isWatched: !isWatched });
      }}
    >
      <Star size={14} fill={isWatched ? 'currentColor' : 'none'} aria-hidden="true" />
    </button>
  );
}
