import { useState } from 'react';
import { useSnapshot } from 'valtio';
import { navigation, openPage } from '../../state/navigation.ts';
import { TabPanel, Tabs, useTabsId } from '../../ui/Tabs.tsx';
import { useIsWide } from '../../ui/useIsWide.ts';
import { allPages, type InputPageId, inputPages, outputPages, pageOf } from './pages.ts';
import { ResultsPane } from './results/ResultsPane.tsx';
import { RunBar } from './RunBar.tsx';
import { OptimizationPanel } from './search/OptimizationPanel.tsx';
import { ParameterPanel } from './setup/ParameterPanel.tsx';
import { SetupPanel } from './setup/SetupPanel.tsx';
import { useBacktestSession } from './useBacktestSession.ts';

const TAB = 'backtest';

/** Wide: setup and parameters stay at the left while the result stands at the right. Narrow: one page at a time. */
export function BacktestTab() {
  useBacktestSession();
  const isWide = useIsWide('desktop');
  return (
    <>
      <h1 className="sr-only">Backtest</h1>
      {isWide ? <WideLayout /> : <NarrowLayout />}
    </>
  );
}

function WideLayout() {
  const saved = pageOf(useSnapshot(navigation).pages[TAB]);
  // `results` says nothing about the left column: it keeps the page it had.
  const [last, setLast] = useState<InputPageId>('setup');
  const input = saved === 'results' ? last : saved;
  if (input !== last) setLast(input);
  const inputId = useTabsId();
  const outputId = useTabsId();
  return (
    // A basis in pixels: a percentage of a height that grows with its content would be that content.
    <div className="grid min-h-120 flex-[1_1_0px] grid-cols-[368px_minmax(0,1fr)] grid-rows-[minmax(0,1fr)]">
      <div className="flex min-h-0 flex-col border-r border-line bg-panel">
        <Tabs
          label="Input"
          items={inputPages}
          active={input}
          idBase={inputId}
          onSelect={(page) => openPage(TAB, page)}
          className="h-10 shrink-0 border-b border-line [&_.tab]:px-1.5"
        />
        <TabPanel idBase={inputId} id={input} className="relative min-h-0 flex-1 overflow-y-auto">
          <InputPage page={input} />
        </TabPanel>
        <RunBar />
      </div>
      <div className="flex min-h-0 min-w-0 flex-col">
        <Tabs
          label="Output"
          items={outputPages}
          active="results"
          idBase={outputId}
          onSelect={() => openPage(TAB, 'results')}
          className="h-10 shrink-0 border-b border-line bg-panel px-1"
        />
        <TabPanel idBase={outputId} id="results" className="relative min-h-0 flex-1 overflow-y-auto">
          <ResultsPane />
        </TabPanel>
      </div>
    </div>
  );
}

function InputPage({ page }: { page: InputPageId }) {
  if (page === 'search') return <OptimizationPanel />;
  return page === 'setup' ? <SetupPanel /> : <ParameterPanel />;
}

function NarrowLayout() {
  const page = pageOf(useSnapshot(navigation).pages[TAB]);
  const id = useTabsId();
  return (
    <div className="flex flex-1 flex-col">
      <Tabs
        label="Backtest"
        items={allPages}
        active={page}
        idBase={id}
        onSelect={(next) => openPage(TAB, next)}
        className="h-11 shrink-0 overflow-x-auto border-b border-line bg-panel px-1"
      />
      <TabPanel idBase={id} id={page} className="flex flex-1 flex-col">
        {page === 'results' ? <ResultsPane /> : <InputPage page={page} />}
      </TabPanel>
      {page !== 'results' && (
        <div className="action-bar sticky bottom-[var(--bottom-bar-height)] md:bottom-0">
          <RunBar />
        </div>
      )}
    </div>
  );
}
