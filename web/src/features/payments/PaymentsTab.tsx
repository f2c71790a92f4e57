import { useMethods } from '../../api/payments.ts';
import type { PaymentMethodInfo } from '../../api/types.ts';
import { formatCount, formatFixed, NO_VALUE } from '../../format/number.ts';
import { openTab } from '../../state/navigation.ts';
import { type PageId, tabPages, useOpenPage } from '../../state/tabPages.ts';
import { Loaded } from '../../ui/Loaded.tsx';
import { PagedTab } from '../../ui/PagedTab.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { ScrollSideways } from '../../ui/ScrollSideways.tsx';
import { Time } from '../../ui/Time.tsx';
import { AnalyticsPage } from './AnalyticsPage.tsx';
import { HistoryPage } from './history/HistoryPage.tsx';
import { ReceiptsPage } from './receipts/ReceiptsPage.tsx';

const TAB = 'payments';

const views: Record<PageId<typeof TAB>, () => React.ReactNode> = {
  history: HistoryPage,
  analytics: AnalyticsPage,
  methods: MethodsPage,
  receipts: ReceiptsPage,
};

export function PaymentsTab() {
  const page = useOpenPage(TAB);
  const View = views[page];
  return (
    <PagedTab tab={TAB} title="Payments" pages={tabPages[TAB]} page={page} layout="reading">
      <View />
    </PagedTab>
  );
}

const stateOf = ({ is_available: isAvailable, is_sandbox: isSandbox }: PaymentMethodInfo): string => {
  if (!isAvailable) return 'Not set up here';
  return isSandbox ? 'Practice, no real money' : 'Available';
};

/** Every way to pay, with what it takes and when it was used last. */
function MethodsPage() {
  const methods = useMethods();
  return (
    <Panel title="Payment methods" bodyClassName="">
      <Loaded answer={methods} failure="The payment methods could not be read." rows={3}>
        {(all) => (
          <ScrollSideways label="Payment methods">
            <table className="table">
              <thead>
                <tr>
                  {['Method', 'Network', 'State'].map((name) => (
                    <th key={name} className="lead" scope="col">
                      {name}
                    </th>
                  ))}
                  {['Minimum, USD', 'Open for', 'Last used'].map((name) => (
                    <th key={name} scope="col">
                      {name}
                    </th>
                  ))}
                  <th scope="col">
                    <span className="sr-only">Pay</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {all.map((info) => (
                  <MethodRow key={info.method} info={info} />
                ))}
              </tbody>
            </table>
            <p className="px-4 py-3 text-label text-muted">
              A provider may set another time: the countdown of the payment shows it.
            </p>
          </ScrollSideways>
        )}
      </Loaded>
    </Panel>
  );
}

function MethodRow({ info }: { info: PaymentMethodInfo }) {
  const isCard = info.method === 'card';
  return (
    <tr>
      <th className="lead" scope="row">
        {info.name}
      </th>
      <td className="lead">{info.network ?? NO_VALUE}</td>
      <td className="lead">{stateOf(info)}</td>
      <td>{formatFixed(info.minimum_usd, 2)}</td>
      <td>{info.expires_in_s === null ? NO_VALUE : `${formatCount(info.expires_in_s / 60)} min`}</td>
      <td>{info.last_used_at === null ? 'never' : <Time at={info.last_used_at} />}</td>
      <td>
        {(info.is_available || isCard) && (
          <button
            type="button"
            className="btn btn-small"
            aria-label={`Pay with ${info.name}`}
            onClick={() => openTab('funds', isCard ? 'moonpay' : 'purchase')}
          >
            Pay
          </button>
        )}
      </td>
    </tr>
  );
}
