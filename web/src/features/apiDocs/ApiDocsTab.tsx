import { useSnapshot } from 'valtio';
import { navigation, openTab } from '../../state/navigation.ts';
import { PagedTab } from '../../ui/PagedTab.tsx';
import { AuthenticationPage } from './AuthenticationPage.tsx';
import { CallList } from './CallList.tsx';
import { OverviewPage } from './OverviewPage.tsx';
import { apiDocsPages, type ApiDocsPageId, pageOf } from './pages.ts';
import { Sidebar } from './Sidebar.tsx';
import { UsagePage } from './UsagePage.tsx';
import { WebhooksPage } from './WebhooksPage.tsx';

const TAB = 'api-docs';

const views: Record<ApiDocsPageId, () => React.ReactNode> = {
  overview: OverviewPage,
  authentication: AuthenticationPage,
  signals: () => <CallList page="signals" />,
  market: () => <CallList page="market" />,
  analysis: () => <CallList page="analysis" />,
  webhooks: WebhooksPage,
  usage: UsagePage,
};

/** How to call the API: what is here is made from the document that the API serves of itself. */
export function ApiDocsTab() {
  const page = pageOf(useSnapshot(navigation).pages[TAB]);
  const View = views[page];
  return (
    <PagedTab tab={TAB} title="API Docs" pages={apiDocsPages} page={page} layout="full" aside={<ManagerButtons />}>
      <div className="mx-auto grid w-full max-w-320 grid-cols-[minmax(0,1fr)_280px] items-start gap-4 max-lg:grid-cols-1">
        <div className="flex min-w-0 flex-col gap-4">
          <div className="md:hidden">
            <ManagerButtons />
          </div>
          <View />
        </div>
        <Sidebar />
      </div>
    </PagedTab>
  );
}

function ManagerButtons() {
  return (
    <div className="flex gap-2">
      <button type="button" className="btn btn-small" onClick={() => openTab('api-manager', 'plans')}>
        API Manager
      </button>
      <button type="button" className="btn btn-small" onClick={() => openTab('api-manager', 'current')}>
        Manage Keys
      </button>
    </div>
  );
}
