import type { Trade } from '@sextant/workers/src/protocol/backtest.ts';
import { ArrowDown, ImageDown } from 'lucide-react';
import { memo, useMemo, useRef, useState } from 'react';
import { useSnapshot } from 'valtio';
import { isSameData } from '../../../api/candles.ts';
import { Chart, type ChartHandle } from '../../../charts/Chart.tsx';
import { chartMarketOf } from '../../../charts/priceActions.ts';
import { NewsLegend, useChartNews } from '../../../charts/ChartNews.tsx';
import { formatCount, formatMany, formatMoney, formatPercent } from '../../../format/number.ts';
import { downloadBlob } from '../../../ui/download.ts';
import { Guarded } from '../../../ui/Guarded.tsx';
import { intoView } from '../../../ui/intoView.ts';
import { Notice } from '../../../ui/Notice.tsx';
import { ErrorState, Panel } from '../../../ui/Panel.tsx';
import { Segments } from '../../../ui/Segments.tsx';
import { useSeenValue } from '../../../ui/useSeenValue.ts';
import { type Run, runState, useSettling } from '../backtestState.ts';
import { HonestyPanel } from '../honesty/HonestyPanel.tsx';
import { RulesPanel, SaveRunAsRules, useRulesName } from '../live/MyRules.tsx';
import { MonteCarloPanel } from '../monteCarlo/MonteCarloPanel.tsx';
import { StaleText } from '../own/StaleText.tsx';
import { failureOf } from '../run/phase.ts';
import { loadAndRun } from '../runner.ts';
import { CompareButton } from '../saved/CompareButton.tsx';
import { Comparison } from '../saved/Comparison.tsx';
import { SavedRuns } from '../saved/SavedRuns.tsx';
import { SearchPanel } from '../search/SearchPanel.tsx';
import { type SearchRun, searchState } from '../search/searchState.ts';
import { settledWords } from './assumptions.ts';
import { breakdownOf, type Grouping, groupings } from './figures.ts';
import { chartOf, CostWaterfall, Excursions, ExitReasons, runDecimals } from './ResultPanels.tsx';
import { ExportButtons, fileNameOf, ShareButton } from './ExportButtons.tsx';
import { InWords } from './InWords.tsx';
import { MetricStrip } from './MetricStrip.tsx';
import { NoResult } from './NoResult.tsx';
import { RunFacts, TradeLegend, Warnings } from './RunFacts.tsx';
import { TradesPanel } from './TradesPanel.tsx';
import { VerifyPanel } from './VerifyPanel.tsx';

// A slider makes a run at each step: components whose run did not change are not rendered again.
const Figures = memo(MetricStrip);
const Cautions = memo(Warnings);
const Words = memo(InWords);
const Honesty = memo(HonestyPanel);
const Search = memo(SearchPanel);
const Saved = memo(SavedRuns);

/** The result of the run; without one, the way to it. */
export function ResultsPane() {
  const { phase, run, partial } = useSnapshot(runState);
  const failure = failureOf(phase);
  return (
    <div className="flex min-w-0 flex-col gap-3 p-3">
      {/* After scrolling down to the trades, the previous result would be taken for the new one. */}
      {failure !== null && (
        <div key={failure} ref={intoView}>
          <ErrorState text={failure} onRetry={() => void loadAndRun()} />
        </div>
      )}
      {partial !== null && <Notice tone="warn">{partial}</Notice>}
      {run === null ? (
        <>
          <NoResult />
          <Comparison />
        </>
      ) : (
        <RunView run={run as Run} isStale={phase.name !== 'result'} />
      )}
      <Saved run={run as Run | null} />
    </div>
  );
}

function RunView({ run, isStale }: { run: Run; isStale: boolean }) {
  const { selectedTrade } = useSnapshot(runState);
  const search = useSnapshot(searchState).run as SearchRun | null;
  // Pressing Run loads the candles again: a search on the same candles stays beside the run.
  const shownSearch = useMemo(
    () => (search !== null && isSameData(search.loaded, run.loaded) ? search : null),
    [search, run.loaded],
  );
  const [pointed, setPointed] = useState<number | null>(null);
  const rulesName = useRulesName(run);
  const chart = useRef<ChartHandle>(null);
  const [figuresPlace, setFiguresPlace] = useState<HTMLDivElement | null>(null);
  const searchPlace = useRef<HTMLDivElement>(null);
  const marks = useRunNews(run);
  const model = useMemo(() => ({ ...chartOf(run), marks }), [run, marks]);
  const market = useMemo(() => chartMarketOf(run.loaded), [run.loaded]);
  // Figures and chart follow a slider within its frame; the content below follows later, out of sight when the slider rests.
  const [later, watchDetails] = useSeenValue(run);
  const savePicture = async () => {
    const picture = await chart.current?.picture();
    if (picture) downloadBlob(`${fileNameOf(run)}.png`, picture);
  };
  return (
    <div
      data-testid="run"
      data-status={isStale || later !== run ? 'stale' : 'fresh'}
      className="flex min-w-0 flex-col gap-3"
    >
      <StaleText />
      <Guarded>
        <Figures run={run} />
      </Guarded>
      <div className="grid min-w-0 items-start gap-3 xl:grid-cols-[minmax(0,1fr)_300px]">
        <Panel
          title={
            <>
              {run.loaded.label}, {run.loaded.interval}
              {run.strategy !== undefined && `, ${rulesName}`}
            </>
          }
          aside={
            <span className="flex items-center gap-2">
              <CompareButton run={run} />
              <SaveRunAsRules run={run} />
              <ShareButton run={run} />
              <button
                type="button"
                className="btn btn-ghost btn-small btn-icon"
                title="Save chart as PNG"
                aria-label="Save chart as PNG"
                onClick={() => void savePicture()}
              >
                <ImageDown size={14} aria-hidden="true" />
              </button>
            </span>
          }
          className="shrink-0"
          bodyClassName=""
        >
          {/* The content above it takes 356 px: the chart ends at the bottom of a desktop screen. */}
          <div className="relative h-[max(480px,58dvh)] xl:h-[max(420px,calc(100dvh-368px))]">
            <Chart
              place="lab"
              model={model}
              market={market}
              selectedTrade={selectedTrade}
              pointedIndex={pointed}
              className="absolute inset-0"
              ref={chart}
            />
          </div>
          <div className="border-t border-line px-3 py-1 text-label text-muted">
            <RunFacts run={run} />
            {run.result.trades.length > 0 && <TradeLegend />}
          </div>
          <NewsLegend marks={marks} />
        </Panel>
        <div className="flex min-w-0 flex-col gap-3">
          <Guarded>
            <Honesty run={run} search={shownSearch} figuresPlace={figuresPlace} />
            {shownSearch !== null && (
              <button
                type="button"
                className="btn self-start"
                onClick={() => searchPlace.current?.scrollIntoView({ block: 'start' })}
              >
                <ArrowDown size={14} aria-hidden="true" /> Search of {formatCount(shownSearch.result.trialCount)} sets
              </button>
            )}
            <Cautions run={run} />
          </Guarded>
        </div>
      </div>
      <div
        ref={setFiguresPlace}
        className="min-w-0 scroll-my-3 empty:hidden max-md:scroll-mt-[calc(var(--bar-height)+12px)]"
      />
      <Comparison />
      <Words run={run} />
      {shownSearch !== null && (
        <div ref={searchPlace} className="flex min-w-0 flex-col">
          <Search key={shownSearch.input.seed} run={shownSearch} />
        </div>
      )}
      <div ref={watchDetails} className="flex min-w-0 flex-col gap-3">
        {later !== null && <RunDetails run={later} selected={selectedTrade} onPoint={setPointed} />}
      </div>
    </div>
  );
}

/** A file is of no symbol that stories could be about. */
const useRunNews = ({ loaded }: Run) =>
  useChartNews(loaded.source === 'exchange' ? loaded.label : null, loaded.candles, loaded.intervalMs);

const select = (trade: number | null): void => {
  runState.selectedTrade = trade;
};

interface DetailsProps {
  run: Run;
  selected: number | null;
  onPoint: (index: number | null) => void;
}

/** What settled the exits whose order a candle does not show; a loading text while their minutes load. */
function Settled({ run }: { run: Run }) {
  const settling = useSettling();
  const text = settledWords(run);
  if (text === null) return null;
  return (
    <p role="status" data-testid="settled" className="text-label text-muted">
      {settling > 0 ? `Loading 1-minute data of ${formatMany(settling, 'candle')} to settle exits…` : text}
    </p>
  );
}

const RunDetails = memo(function RunDetails({ run, selected, onPoint }: DetailsProps) {
  const { summary, trades } = run.result;
  return (
    <>
      <Settled run={run} />
      <Guarded>
        <TradesPanel
          trades={trades}
          priceDecimals={runDecimals(run)}
          intervalMs={run.loaded.intervalMs}
          selected={selected}
          onSelect={select}
          onPoint={onPoint}
          aside={<ExportButtons run={run} />}
        />
      </Guarded>
      <div className="grid items-start gap-3 md:grid-cols-2 xl:grid-cols-3">
        <Guarded>
          <RulesPanel run={run} />
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

const names: Record<Grouping, string> = { side: 'Side', day: 'Day', week: 'Week', month: 'Month', weekday: 'Weekday' };
/** Heading of the first column, where the name of the choice does not fit. */
const headings: Partial<Record<Grouping, string>> = {
  day: 'Day of exit, UTC',
  week: 'Week from, UTC',
  month: 'Month of exit, UTC',
};

/** Source of the result: one side only, one lucky day, or everywhere. */
function Breakdown({ trades }: { trades: readonly Trade[] }) {
  const [grouping, setGrouping] = useState<Grouping>('side');
  const rows = breakdownOf(trades, grouping);
  const most = Math.max(1e-9, ...rows.map(({ netPnl }) => Math.abs(netPnl)));
  return (
    <Panel title="Breakdown" bodyClassName="relative">
      {/* Five choices do not fit beside the title of a third of the page. */}
      <div className="p-2">
        <Segments
          label="By"
          options={groupings}
          value={grouping}
          nameOf={(each) => names[each]}
          onSelect={setGrouping}
          isSmall
        />
      </div>
      {rows.length === 0 ? (
        <p className="p-3 text-muted">No closed trades.</p>
      ) : (
        <div className="max-h-64 overflow-y-auto" tabIndex={0} role="group" aria-label={`Trades by ${grouping}`}>
          <table className="table w-full">
            <thead>
              <tr>
                <th className="lead" scope="col">
                  {headings[grouping] ?? names[grouping]}
                </th>
                <th scope="col">Trades</th>
                <th scope="col">Won</th>
                <th scope="col">Net, USDT</th>
                <th scope="col" className="w-24">
                  <span className="sr-only">Share</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ key, count, winCount, netPnl }) => (
                <tr key={key}>
                  <td className="lead">{key}</td>
                  <td className="font-mono">{formatCount(count)}</td>
                  <td className="font-mono">{formatPercent(winCount / count)}</td>
                  <td className={`font-mono ${netPnl < 0 ? 'text-down' : 'text-up'}`}>{formatMoney(netPnl, true)}</td>
                  <td>
                    <Bar share={netPnl / most} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Panel>
  );
}

/** From the middle: losses to the left, gains to the right. */
function Bar({ share }: { share: number }) {
  const width = Math.abs(share) * 50;
  return (
    <span aria-hidden="true" className="relative block h-2">
      <span className="absolute inset-y-0 left-1/2 w-px bg-line" />
      <span
        className={`absolute inset-y-0 rounded-sm ${share < 0 ? 'bg-down' : 'bg-up'}`}
        style={{ left: `${share < 0 ? 50 - width : 50}%`, width: `${width}%` }}
      />
    </span>
  );
}
