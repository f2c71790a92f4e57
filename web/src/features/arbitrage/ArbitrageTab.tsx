import { useSnapshot } from 'valtio';
import { navigation } from '../../state/navigation.ts';
import { PagedTab } from '../../ui/PagedTab.tsx';
import { AnalyticsPage } from './AnalyticsPage.tsx';
import { arbitragePages, pageOf } from './pages.ts';
import { ResultsPage } from './ResultsPage.tsx';
import { ScannerPage } from './ScannerPage.tsx';
import { useArbitrageScan } from './useArbitrageScan.ts';

const TAB = 'arb';

export function ArbitrageTab() {
  const page = pageOf(useSnapshot(navigation).pages[TAB]);
  const run = useArbitrageScan();
  return (
    <PagedTab tab={TAB} title="Arbitrage" pages={arbitragePages} page={page} layout="full">
      {page === 'scanner' && <ScannerPage run={run} />}
      {page === 'results' && <ResultsPage run={run} />}
      {page === 'analytics' && <AnalyticsPage />}
    </PagedTab>
  );
}
