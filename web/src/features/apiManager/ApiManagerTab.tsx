import { BookOpen } from 'lucide-react';
import { useSnapshot } from 'valtio';
import { navigation, openTab } from '../../state/navigation.ts';
import { PagedTab } from '../../ui/PagedTab.tsx';
import { CurrentPage } from './CurrentPage.tsx';
import { apiManagerPages, type ApiManagerPageId, pageOf } from './pages.ts';
import { PlanLine } from '../../ui/apiAccess/PlanLine.tsx';
import { PlansPage } from './PlansPage.tsx';
import { UsagePage } from './usage/UsagePage.tsx';
import { WebhooksPage } from './webhooks/WebhooksPage.tsx';

const TAB = 'api-manager';

const views: Record<ApiManagerPageId, () => React.ReactNode> = {
  current: CurrentPage,
  plans: PlansPage,
  usage: UsagePage,
  webhooks: WebhooksPage,
};

/** Keys and plans of the API: made, limited, bought, and what they were used for. */
export function ApiManagerTab() {
  const page = pageOf(useSnapshot(navigation).pages[TAB]);
  const View = views[page];
  return (
    <PagedTab tab={TAB} title="API Manager" pages={apiManagerPages} page={page} layout="reading">
      <div className="flex flex-col gap-4">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <PlanLine />
          <div className="flex flex-wrap gap-2">
            <button type="button" className="btn" onClick={() => openTab('funds', 'purchase')}>
              Add Credits
            </button>
            <button type="button" className="btn" onClick={() => openTab('api-docs', 'overview')}>
              <BookOpen size={14} aria-hidden="true" /> API Documentation
            </button>
          </div>
        </div>
        <View />
      </div>
    </PagedTab>
  );
}
