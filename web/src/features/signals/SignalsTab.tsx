import { tabPages, useOpenPage } from '../../state/tabPages.ts';
import { PagedTab } from '../../ui/PagedTab.tsx';
import { useAiChecks } from './check/useAiChecks.ts';
import { ResultsPage } from './results/ResultsPage.tsx';
import { ScannerPage } from './scan/ScannerPage.tsx';
import { useAutoScan, useScanRun } from './scan/useScanRun.ts';
import { FiltersPage, TradingPage } from './settings/SettingsPages.tsx';

const TAB = 'signals';

export function SignalsTab() {
  const page = useOpenPage(TAB);
  const run = useScanRun();
  const { check } = useAiChecks(run.last.data?.scan ?? null, run.preferences, run.last.data !== undefined);
  useAutoScan({ ...run, isEnabled: run.preferences?.auto_scan_enabled === true });
  return (
    <PagedTab tab={TAB} title="Signals" pages={tabPages[TAB]} page={page} layout="full">
      {page === 'scanner' && <ScannerPage run={run} />}
      {page === 'trading' && <TradingPage />}
      {page === 'filters' && <FiltersPage />}
      {page === 'results' && <ResultsPage run={run} onCheck={check} />}
    </PagedTab>
  );
}
