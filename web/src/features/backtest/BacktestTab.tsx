import { Play, Square, Trash2 } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import { useSnapshot } from 'valtio';
import { navigation, openPage } from '../../state/navigation.ts';
import { tabPages, useOpenPage } from '../../state/tabPages.ts';
import { ExchangeWait } from '../../ui/ExchangeWait.tsx';
import { late } from '../../ui/late.tsx';
import { TabPanel, Tabs, useTabsId } from '../../ui/Tabs.tsx';
import { useIsWide } from '../../ui/useMedia.ts';
import { draft, runState } from './backtestState.ts';
import { type Counted, LoadProgress } from './LoadProgress.tsx';
import { LivePanel } from './live/LivePanel.tsx';
import { ResultsPane } from './results/ResultsPane.tsx';
import { isBusy, type RunPhase } from './run/phase.ts';
import { cancelRun, loadAndRun } from './runner.ts';
import { useRunOfAddress } from './saved/openSavedRun.ts';
import { clearBacktest } from './savedState.ts';
import { OptimizationPanel } from './search/OptimizationPanel.tsx';
import { ParameterPanel } from './setup/ParameterPanel.tsx';
import { SetupPanel } from './setup/SetupPanel.tsx';
import { useBacktestSession } from './session.ts';

const TAB = 'backtest';
/** The left column shows the first three pages, the right one the result, the account over many symbols and the heat map. */
const [setupPage, searchPage, parameterPage, resultsPage, portfolioPage, heatMapPage] = tabPages[TAB];
const inputPages = [setupPage, searchPage, parameterPage];
const outputPages = [resultsPage, portfolioPage, heatMapPage];
type InputPageId = (typeof inputPages)[number]['id'];
type OutputPageId = (typeof outputPages)[number]['id'];
const latePortfolio = late(async () => (await import('./portfolio/PortfolioPage.tsx')).PortfolioPage);
const lateHeatMap = late(async () => (await import('./heatMap/HeatMapPage.tsx')).HeatMapPage);

const isOutput = (page: PageId): page is OutputPageId => outputPages.some(({ id }) => id === page);

/** The open page. A phone shows one at a time: the first is the result, until the user opens another. */
function useShownPage(isWide: boolean): PageId {
  const [firstPage] = useState<PageId>(isWide ? setupPage.id : resultsPage.id);
  const opened = useOpenPage(TAB);
  return useSnapshot(navigation).pages[TAB] === undefined ? firstPage : opened;
}

/**
 * Wide: setup and parameters at the left, the result at the right. Narrow: one page at a time. Both are one tree, so that a change of width
 * preserves what is open, typed and zoomed.
 */
export function BacktestTab() {
  useBacktestSession();
  useRunOfAddress();
  const isWide = useIsWide('desktop');
  const page = useShownPage(isWide);
  // A page of one column does not select one of the other: it stays as it was.
  const [lastInput, setLastInput] = useState<InputPageId>('setup');
  const [lastOutput, setLastOutput] = useState<OutputPageId>('results');
  const input = isOutput(page) ? lastInput : page;
  const output = isOutput(page) ? page : lastOutput;
  if (input !== lastInput) setLastInput(input);
  if (output !== lastOutput) setLastOutput(output);
  const idBase = useTabsId();
  return (
    <>
      <h1 className="sr-only">Backtest</h1>
      <div
        className={
          isWide
            ? // A basis in pixels: a percentage of a height that grows with its content would be that content.
              'own-columns grid min-h-120 flex-[1_1_0px] grid-cols-[var(--setup-width)_minmax(0,1fr)] grid-rows-[minmax(0,1fr)]'
            : inPage
        }
      >
        {!isWide && (
          <PageTabs
            label="Backtest"
            items={tabPages[TAB]}
            active={page}
            idBase={idBase}
            className="h-11 overflow-x-auto bg-panel px-1"
          />
        )}
        {(isWide || !isOutput(page)) && <InputColumn isWide={isWide} page={input} idBase={idBase} />}
        {(isWide || isOutput(page)) && (
          <div className={isWide ? 'flex min-h-0 min-w-0 flex-col' : inPage}>
            {isWide && (
              <PageTabs
                label="Output"
                items={outputPages}
                active={output}
                idBase={idBase}
                className="h-10 bg-panel px-1"
              />
            )}
            <TabPanel idBase={idBase} id={output} className={isWide ? `own-end ${ownScroll}` : inPage}>
              <OutputPage page={output} />
            </TabPanel>
          </div>
        )}
      </div>
    </>
  );
}

/** Wide: each column scrolls. Narrow: the page does. */
const ownScroll = 'relative min-h-0 flex-1 overflow-y-auto';
const inPage = 'flex flex-1 flex-col';

type PageId = (typeof tabPages)[typeof TAB][number]['id'];

function PageTabs({ className, ...tabs }: Omit<ComponentProps<typeof Tabs<PageId>>, 'onSelect'>) {
  return (
    <Tabs {...tabs} onSelect={(page) => openPage(TAB, page)} className={`shrink-0 border-b border-line ${className}`} />
  );
}

function InputColumn({ isWide, page, idBase }: { isWide: boolean; page: InputPageId; idBase: string }) {
  return (
    <div className={isWide ? 'flex min-h-0 flex-col border-r border-line bg-panel' : inPage}>
      {isWide && (
        <PageTabs label="Input" items={inputPages} active={page} idBase={idBase} className="h-10 [&_.tab]:px-1.5" />
      )}
      <TabPanel idBase={idBase} id={page} className={isWide ? ownScroll : inPage}>
        <InputPage page={page} />
      </TabPanel>
      <div className={isWide ? '' : 'action-bar sticky bottom-[var(--bottom-bar-height)] md:bottom-0'}>
        <RunBar />
      </div>
    </div>
  );
}

function OutputPage({ page }: { page: OutputPageId }) {
  if (page === 'results') return <ResultsPane />;
  return page === 'portfolio' ? <latePortfolio.View /> : <lateHeatMap.View />;
}

/** With the templates, which no other page needs. */
const ownRulesPanel = late(async () => (await import('./own/OwnRulesPanel.tsx')).OwnRulesPanel);

function InputPage({ page }: { page: InputPageId }) {
  const { strategy } = useSnapshot(draft);
  if (page === 'search') return <OptimizationPanel />;
  if (page === 'setup') return <SetupPanel />;
  if (strategy === 'own') return <ownRulesPanel.View />;
  return strategy === 'live' ? <LivePanel /> : <ParameterPanel />;
}

/** Run, cancel and clear; always in reach below the setup. */
function RunBar() {
  const { phase, csv, run } = useSnapshot(runState);
  const { source } = useSnapshot(draft);
  const isRunning = isBusy(phase);
  // A long history takes a while, whatever is on screen.
  const isWaiting = isRunning && (run === null || waitedFor(phase) !== null);
  const needsFile = source === 'csv' && csv === null;
  const start = async () => {
    await loadAndRun();
    if (runState.run !== null) openPage('backtest', 'results');
  };
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-2 border-t border-line bg-panel p-3">
      {isRunning && <RunProgress phase={phase} />}
      {/* A short run ends before a label could be read: the button does not change. */}
      <button
        type="button"
        className="btn btn-primary flex-1"
        disabled={needsFile || isWaiting}
        title={needsFile ? 'Drop a CSV file first' : undefined}
        onClick={() => void start()}
      >
        <Play size={14} aria-hidden="true" /> {isWaiting ? runningText(phase) : 'Run Backtest'}
      </button>
      {isWaiting && (
        <button type="button" className="btn" onClick={cancelRun}>
          <Square size={12} aria-hidden="true" /> Cancel
        </button>
      )}
      <button
        type="button"
        className="btn"
        disabled={run === null && csv === null && !isRunning}
        onClick={() => void clearBacktest()}
      >
        <Trash2 size={14} aria-hidden="true" /> Clear
      </button>
    </div>
  );
}

/** Progress of the loading before a run: candles, then minutes; and the wait for the exchange's rate limit. */
function RunProgress({ phase }: { phase: RunPhase }) {
  const count = waitedFor(phase);
  return (
    <>
      {count !== null && <LoadProgress of={phase.name === 'loading' ? 'candles' : 'minutes'} count={count} />}
      <ExchangeWait />
    </>
  );
}

/** Candles, or their minutes, that are counted while they load. */
function waitedFor(phase: RunPhase): Counted | null {
  if (phase.name === 'loading') return phase.candles;
  return phase.name === 'running' ? phase.minutes : null;
}

function runningText(phase: RunPhase): string {
  if (waitedFor(phase) !== null) return 'Loading…';
  if (phase.name !== 'running' || phase.progress === null) return 'Loading candles…';
  return `Running ${Math.round((phase.progress.done / phase.progress.total) * 100)} %`;
}
