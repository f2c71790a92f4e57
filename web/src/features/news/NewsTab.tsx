import { tabPages, useOpenPage } from '../../state/tabPages.ts';
import { PagedTab } from '../../ui/PagedTab.tsx';
import { AnalysisPage } from './analysis/AnalysisPage.tsx';
import { FeedPage } from './feed/FeedPage.tsx';
import { NewsSettingsPage } from './settings/NewsSettingsPage.tsx';
import { TrendsPage } from './trends/TrendsPage.tsx';

const TAB = 'news';

export function NewsTab() {
  const page = useOpenPage(TAB);
  return (
    <PagedTab
      tab={TAB}
      title="News"
      pages={tabPages[TAB]}
      page={page}
      layout={page === 'settings' ? 'reading' : 'full'}
    >
      {page === 'feed' && <FeedPage />}
      {page === 'analysis' && <AnalysisPage />}
      {page === 'trends' && <TrendsPage />}
      {page === 'settings' && <NewsSettingsPage />}
    </PagedTab>
  );
}
