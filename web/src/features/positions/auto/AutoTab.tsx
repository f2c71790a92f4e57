import { useSnapshot } from 'valtio';
import { usePreferences } from '../../../api/preferences.ts';
import { navigation } from '../../../state/navigation.ts';
import { PagedTab } from '../../../ui/PagedTab.tsx';
import { OpenPositionsView } from '../OpenPositionsView.tsx';
import { AutoOverviewPage } from './AutoOverviewPage.tsx';
import { autoPages, pageOf } from './pages.ts';
import { PerformancePage } from './PerformancePage.tsx';
import { TrailingPage } from './TrailingPage.tsx';

const TAB = 'auto';

/** Positions that open and close by themselves. */
export function AutoTab() {
  const page = pageOf(useSnapshot(navigation).pages[TAB]);
  const leverage = usePreferences().data?.leverage;
  return (
    <PagedTab
      tab={TAB}
      title="Auto"
      pages={autoPages}
      page={page}
      aside={
        leverage !== undefined && (
          <span className="px-2 text-label text-muted">
            Leverage <span className="font-medium text-text">{leverage}x</span>
          </span>
        )
      }
      layout="full"
    >
      {page === 'overview' && <AutoOverviewPage />}
      {page === 'trailing' && <TrailingPage />}
      {page === 'active' && <OpenPositionsView title="Active positions" />}
      {page === 'performance' && <PerformancePage />}
    </PagedTab>
  );
}
