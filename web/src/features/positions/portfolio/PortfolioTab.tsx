import type { ReactNode } from 'react';
import { useSnapshot } from 'valtio';
import { navigation } from '../../../state/navigation.ts';
import { PagedTab } from '../../../ui/PagedTab.tsx';
import { OpenPositionsView } from '../OpenPositionsView.tsx';
import { AnalyticsPage } from './AnalyticsPage.tsx';
import { HistoryPage } from './HistoryPage.tsx';
import { OverviewPage } from './OverviewPage.tsx';
import { pageOf, portfolioPages } from './pages.ts';

const TAB = 'dashboard';

/** The portfolio is what the dashboard shows. @param market the watch list and its chart, @param service what the service says of itself: both of another feature */
export function PortfolioTab({ market, service }: { market: ReactNode; service: ReactNode }) {
  const page = pageOf(useSnapshot(navigation).pages[TAB]);
  return (
    <PagedTab tab={TAB} title="Portfolio" pages={portfolioPages} page={page} layout="full">
      {page === 'overview' && <OverviewPage market={market} service={service} />}
      {page === 'positions' && <OpenPositionsView title="Open positions" hasChips />}
      {page === 'history' && <HistoryPage />}
      {page === 'analytics' && <AnalyticsPage />}
    </PagedTab>
  );
}
