import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import { useSnapshot } from 'valtio';
import { formatCount } from '../../../format/number.ts';
import { draft } from '../backtestState.ts';
import { plannedWords, skipMinutes, withoutInSetup } from './minutesOfSearch.ts';
import { searchState } from './searchState.ts';

/** What a search does about candles that hold stop and target; while their minutes load, how far it is and the way on without them. */
export function SearchMinutes() {
  const form = useSnapshot(draft);
  const { minutes } = useSnapshot(searchState);
  if (minutes === null) {
    return (
      <p className="text-label text-muted" data-testid="search-minutes">
        {plannedWords(withoutInSetup(form), form.costs, intervalMs[form.interval])}
      </p>
    );
  }
  return (
    <div className="flex flex-col gap-1 text-label text-muted tabular-nums" data-testid="search-minutes">
      <progress className="h-1.5 w-full" aria-label="Minutes loaded" value={minutes.done} max={minutes.total} />
      <div className="flex items-center justify-between gap-2">
        <span>
          Minutes of {formatCount(minutes.done)} of {formatCount(minutes.total)} candles
        </span>
        <button type="button" className="btn btn-small" onClick={skipMinutes}>
          Go on without them
        </button>
      </div>
    </div>
  );
}
