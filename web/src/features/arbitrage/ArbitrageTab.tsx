import { tabPages, useOpenPage } from '../../state/tabPages.ts';
import { PagedTab } from '../../ui/PagedTab.tsx';
import { AnalyticsPage } from './AnalyticsPage.tsx';
import { ResultsPage } from './ResultsPage.tsx';
import { ScannerPage } from './ScannerPage.tsx';
import { useArbitrageScan } from './useArbitrageScan.ts';

const TAB = 'arb';

export function ArbitrageTab() {
  const page = useOpenPage(TAB);
  const run = useArbitrageScan();
  return (
    <PagedTab tab={TAB} title="Arbitrage" pages={tabPages[TAB]} page={page} layout="full">
      {page === 'scanner' && <ScannerPage run={run} />}
      {page === 'results' && <ResultsPage run={run} />}
      {page === 'analytics' && <AnalyticsPage />}
    </PagedTab>
  );
}
