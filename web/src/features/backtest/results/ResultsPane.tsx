import { ImageDown } from 'lucide-react';
import { memo, useDeferredValue, useMemo, useRef, useState } from 'react';
import { useSnapshot } from 'valtio';

import { Chart, type ChartHandle } from '../../../charts/Chart.tsx';
import { MARKS_MAX } from '../../../charts/tradeLayer.ts';
import { formatCount, formatFixed, seriesDecimals } from '../../../format/number.ts';
import { formatUtc } from '../../../format/time.ts';
import { openPage } from '../../../state/navigation.ts';
import { downloadBlob } from '../../../ui/download.ts';
import { Guarded } from '../../../ui/Guarded.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { EmptyState, ErrorState, Panel } from '../../../ui/Panel.tsx';
import { type Run, runState } from '../backtestState.ts';
import { loadAndRun } from '../runner.ts';
import { HonestyPanel } from '../honesty/HonestyPanel.tsx';
import { SearchPanel } from '../search/SearchPanel.tsx';
import { type SearchRun, searchState } from '../search/searchState.ts';
import { MonteCarloPanel } from '../monteCarlo/MonteCarloPanel.tsx';
import { SavedRuns } from '../saved/SavedRuns.tsx';
import { ShareButton } from '../share/ShareButton.tsx';
import { chartOf } from './chartOf.ts';
import { CostWaterfall } from './CostWaterfall.tsx';
import { Breakdown } from './Breakdown.tsx';
import { Excursions } from './Excursions.tsx';
import { ExportButtons, fileNameOf } from './ExportButtons.tsx';
import { InWords } from './InWords.tsx';
import { ExitReasons } from './ExitReasons.tsx';
import { MetricStrip } from './MetricStrip.tsx';
import { TradesPanel } from './TradesPanel.tsx';
import { VerifyPanel } from './VerifyPanel.tsx';
import { Warnings } from './Warnings.tsx';

// A slider makes a run for each of its steps: what did not get another run is not rendered again.
const Head = memo(function Head({ run }: { run: Run }) {
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <Guarded>
        <MetricStrip run={run} />
        <Warnings run={run} />
        <InWords run={run} />
      </Guarded>
    </div>
  );
});
const Honesty = memo(HonestyPanel);
const Search = memo(SearchPanel);
const Saved = memo(SavedRuns);

/** Whoever has scrolled down to the trades would take the former result for the one that was asked for. */
const intoView = (element: HTMLElement | null): void => element?.scrollIntoView({ block: 'nearest' });

/** What the run gave; without one, the way to it. */
export function ResultsPane() {
  const { status, error, run, partial } = useSnapshot(runState);
  const later = useDeferredValue(run as Run | null);
  return (
    <div className="flex min-w-0 flex-col gap-3 p-3">
      {status === 'error' && error !== null && (
        <div key={error} ref={intoView}>
          <ErrorState text={error} onRetry={() => void loadAndRun()} />
        </div>
      )}
      {partial !== null && <Notice tone="warn">{partial}</Notice>}
      {run === null ? (
        <NoResult isRunning={status === 'running'} />
      ) : (
        <RunView run={run as Run} isStale={status !== 'result'} />
      )}
      <Saved run={later} />
    </div>
  );
}

function NoResult({ isRunning }: { isRunning: boolean }) {
  if (isRunning)
    return (
      <div aria-busy="true" className="flex flex-col gap-3">
        <span className="sr-only">Running</span>
        <div className="skeleton h-24" />
        <div className="skeleton h-110" />
      </div>
    );
  return (
    <div className="panel">
      <EmptyState text="No result yet. Choose candles, then run the backtest.">
        <button type="button" className="btn btn-primary" onClick={() => openPage('backtest', 'setup')}>
          Go to Setup
        </button>
      </EmptyState>
    </div>
  );
}

function RunView({ run, isStale }: { run: Run; isStale: boolean }) {
  const { selectedTrade } = useSnapshot(runState);
  const search = useSnapshot(searchState).run as SearchRun | null;
  const shownSearch = search?.loaded === run.loaded ? search : null;
  const [pointed, setPointed] = useState<number | null>(null);
  const chart = useRef<ChartHandle>(null);
  const model = useMemo(() => chartOf(run), [run]);
  // Figures and chart follow a slider within its frame; what lies below them is rendered in the time that is left.
  const later = useDeferredValue<Run | null>(run, null);
  const savePicture = async () => {
    const picture = await chart.current?.picture();
    if (picture) downloadBlob(`${fileNameOf(run)}.png`, picture);
  };
  return (
    <div data-testid="run" data-status={isStale ? 'stale' : 'fresh'} className="flex min-w-0 flex-col gap-3">
      <div className="grid min-w-0 items-start gap-3 xl:grid-cols-[minmax(0,1fr)_340px]">
        <Head run={run} />
        <Guarded>
          <Honesty run={run} search={shownSearch} />
        </Guarded>
      </div>
      {shownSearch !== null && <Search key={shownSearch.input.seed} run={shownSearch} />}
      <Panel
        title={
          <>
            {run.loaded.label}, {run.loaded.interval}
          </>
        }
        aside={
          <span className="flex items-center gap-2">
            <RunFacts run={run} />
            <ShareButton run={run} />
            <button
              type="button"
              className="btn btn-ghost btn-small btn-icon"
              title="Save the picture as PNG"
              aria-label="Save the picture as PNG"
              onClick={() => void savePicture()}
            >
              <ImageDown size={14} aria-hidden="true" />
            </button>
          </span>
        }
        className="shrink-0"
        bodyClassName=""
      >
        <div className="relative min-h-[max(480px,58dvh)]">
          <Chart
            model={model}
            selectedTrade={selectedTrade}
            pointedIndex={pointed}
            className="absolute inset-0"
            ref={chart}
          />
        </div>
        <ChartLegend tradeCount={run.result.trades.length} />
      </Panel>
      {later !== null && <RunDetails run={later} selected={selectedTrade} onPoint={setPointed} />}
    </div>
  );
}

function ChartLegend({ tradeCount }: { tradeCount: number }) {
  if (tradeCount === 0) return null;
  return (
    <p className="border-t border-line px-3 py-1 text-label text-muted">
      Triangle: entry, pointing the trade’s way. Dot: exit, in the colour of its result. Grey line: the stop.
      {tradeCount > MARKS_MAX &&
        ` With more than ${formatCount(MARKS_MAX)} trades in view they are not drawn: zoom in.`}
    </p>
  );
}

const select = (trade: number | null): void => {
  runState.selectedTrade = trade;
};

interface DetailsProps {
  run: Run;
  selected: number | null;
  onPoint: (index: number | null) => void;
}

const RunDetails = memo(function RunDetails({ run, selected, onPoint }: DetailsProps) {
  const { summary, trades } = run.result;
  return (
    <>
      <Guarded>
        <TradesPanel
          trades={trades}
          priceDecimals={seriesDecimals(run.loaded.candles.close)}
          selected={selected}
          onSelect={select}
          onPoint={onPoint}
          aside={<ExportButtons run={run} />}
        />
      </Guarded>
      <div className="grid items-start gap-3 md:grid-cols-2 xl:grid-cols-3">
        <Guarded>
          <ExitReasons trades={trades} />
          <Breakdown trades={trades} />
          <CostWaterfall summary={summary} costs={run.costs} />
          <Excursions trades={trades} selected={selected} onSelect={select} />
          <div className="xl:col-span-2">
            <MonteCarloPanel run={run} />
          </div>
          <div className="md:col-span-2 xl:col-span-3">
            <VerifyPanel run={run} />
          </div>
        </Guarded>
      </div>
    </>
  );
});

function RunFacts({ run }: { run: Run }) {
  const { time } = run.loaded.candles;
  const from = time[time.length - run.scoredCount];
  const isFast = run.tookMs < 1000;
  return (
    <span className="tabular-nums max-md:hidden">
      {formatUtc(from)} to {formatUtc(time.at(-1))} · {formatCount(run.result.summary.loadedCount)} loaded,{' '}
      {formatCount(run.scoredCount)} scored · {formatFixed(isFast ? run.tookMs : run.tookMs / 1000, 1)}{' '}
      {isFast ? 'ms' : 's'}
    </span>
  );
}
