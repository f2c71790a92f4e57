import { useSnapshot } from 'valtio';
import { navigation } from '../../state/navigation.ts';
import { PagedTab } from '../../ui/PagedTab.tsx';
import { AnalyticsPage } from './AnalyticsPage.tsx';
import { HistoryPage } from './history/HistoryPage.tsx';
import { MethodsPage } from './MethodsPage.tsx';
import { pageOf, paymentsPages, type PaymentsPageId } from './pages.ts';
import { ReceiptsPage } from './receipts/ReceiptsPage.tsx';

const TAB = 'payments';

const views: Record<PaymentsPageId, () => React.ReactNode> = {
  history: HistoryPage,
  analytics: AnalyticsPage,
  methods: MethodsPage,
  receipts: ReceiptsPage,
};

export function PaymentsTab() {
  const page = pageOf(useSnapshot(navigation).pages[TAB]);
  const View = views[page];
  return (
    <PagedTab tab={TAB} title="Payments" pages={paymentsPages} page={page} layout="reading">
      <View />
    </PagedTab>
  );
}
