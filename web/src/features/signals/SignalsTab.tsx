import { useSnapshot } from 'valtio';
import { navigation, openPage } from '../../state/navigation.ts';
import { TabPanel, Tabs, useTabsId } from '../../ui/Tabs.tsx';
import { pageOf, scannerPages } from './pages.ts';
import { ResultsPage } from './results/ResultsPage.tsx';
import { ScannerPage } from './scan/ScannerPage.tsx';
import { useAutoScan } from './scan/useAutoScan.ts';
import { useScanRun } from './scan/useScanRun.ts';
import { FiltersPage } from './settings/FiltersPage.tsx';
import { TradingPage } from './settings/TradingPage.tsx';

const TAB = 'signals';

export function SignalsTab() {
  const page = pageOf(useSnapshot(navigation).pages[TAB]);
  const id = useTabsId();
  const run = useScanRun();
  useAutoScan({ ...run, isEnabled: run.preferences?.auto_scan_enabled === true });
  return (
    <>
      <h1 className="sr-only">Signals</h1>
      <Tabs
        label="Signals"
        items={scannerPages}
        active={page}
        idBase={id}
        onSelect={(next) => openPage(TAB, next)}
        className="h-10 shrink-0 overflow-x-auto border-b border-line bg-panel px-2"
      />
      <TabPanel idBase={id} id={page} className="flex min-w-0 flex-1 flex-col p-3">
        {page === 'scanner' && <ScannerPage run={run} />}
        {page === 'trading' && <TradingPage />}
        {page === 'filters' && <FiltersPage />}
        {page === 'results' && <ResultsPage run={run} />}
      </TabPanel>
    </>
  );
}
