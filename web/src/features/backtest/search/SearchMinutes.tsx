import { useEffect } from 'react';
import { useSnapshot } from 'valtio';
import { formatCount } from '../../../format/number.ts';
import { draft, type Run, runState } from '../backtestState.ts';
import { openMinutes } from '../minutes.ts';
import {
  cancelWindowMinutes,
  isAffordable,
  isWholeHere,
  loadWindowMinutes,
  minuteCount,
  WINDOW_MINUTES_MAX,
  windowMinutes,
} from '../windowMinutes.ts';

/** Whether the sets of a search are run with minutes, and the way to them. */
export function SearchMinutes() {
  const { source, fineData } = useSnapshot(draft);
  const { loaded } = useSnapshot(runState);
  // What was loaded or read since changes the answer below.
  const { progress, error, version } = useSnapshot(windowMinutes);
  useEffect(() => {
    if (loaded !== null) void openMinutes(loaded).then(() => (windowMinutes.version += 1));
  }, [loaded]);
  if (source === 'csv' || !fineData || loaded === null || loaded.source === 'csv') return null;
  if (progress !== null)
    return (
      <div className="flex flex-col gap-1 text-label text-muted tabular-nums">
        <progress className="h-1.5 w-full" aria-label="Minutes loaded" value={progress.done} max={progress.total} />
        <div className="flex items-center justify-between gap-2">
          <span>
            Minutes of {formatCount(progress.done)} of {formatCount(progress.total)} candles
          </span>
          <button type="button" className="btn btn-small" onClick={cancelWindowMinutes}>
            Cancel
          </button>
        </div>
      </div>
    );
  return <Status key={version} loaded={loaded} error={error} />;
}

function Status({ loaded, error }: { loaded: Run['loaded']; error: string | null }) {
  if (isWholeHere(loaded))
    return (
      <p className="text-label text-muted" data-testid="search-minutes">
        Exits of every set are settled by minute candles.
      </p>
    );
  const open = 'Sets are compared without minute candles; the run of each set settles its exits.';
  if (!isAffordable(loaded))
    return (
      <p className="text-label text-muted" data-testid="search-minutes">
        {open}
        {minuteCount(loaded) > WINDOW_MINUTES_MAX &&
          ` This window has ${formatCount(minuteCount(loaded))} minutes, a search takes ${formatCount(WINDOW_MINUTES_MAX)} at most.`}
      </p>
    );
  return (
    <div className="flex flex-col items-start gap-1 text-label text-muted" data-testid="search-minutes">
      <p>{open}</p>
      {error !== null && <p className="text-down">The minutes could not be loaded: {error}</p>}
      <button type="button" className="btn btn-small" onClick={() => void loadWindowMinutes(loaded)}>
        Load {formatCount(minuteCount(loaded))} minutes for the search
      </button>
    </div>
  );
}
