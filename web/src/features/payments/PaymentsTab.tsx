import { type ReactNode, useMemo } from 'react';
import { useMethods, usePaymentAnalytics } from '../../api/payments.ts';
import type { PaymentAnalytics, PaymentMethodInfo } from '../../api/types.ts';
import { formatCount, formatFixed, formatPercent, NO_VALUE } from '../../format/number.ts';
import { formatDuration } from '../../format/time.ts';
import { openTab } from '../../state/navigation.ts';
import { type PageId, tabPages, useOpenPage } from '../../state/tabPages.ts';
import { late } from '../../ui/late.tsx';
import { PagedTab } from '../../ui/PagedTab.tsx';
import { EmptyState, Loaded, Panel } from '../../ui/Panel.tsx';
import { ScrollSideways } from '../../ui/ScrollSideways.tsx';
import { Time } from '../../ui/Time.tsx';
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

/** Payment methods with minimum, network, expiry and last use. The button comes second, reachable on a small screen. */
function MethodsPage() {
  const methods = useMethods();
  return (
    <Panel title="Payment methods" bodyClassName="">
      <Loaded response={methods} failure="Could not load payment methods." rows={3}>
        {(all) => (
          <ScrollSideways label="Payment methods">
            <table className="table">
              <thead>
                <tr>
                  <th className="lead" scope="col">
                    Method
                  </th>
                  <th scope="col">
                    <span className="sr-only">Pay</span>
                  </th>
                  {['Network', 'State'].map((name) => (
                    <th key={name} className="lead" scope="col">
                      {name}
                    </th>
                  ))}
                  {['Minimum, USD', 'Open for', 'Last used'].map((name) => (
                    <th key={name} scope="col">
                      {name}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {all.map((info) => (
                  <MethodRow key={info.method} info={info} />
                ))}
              </tbody>
            </table>
            <p className="px-4 py-3 text-label text-muted">The provider may set another time; see the countdown.</p>
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
      <td className="lead">{info.network ?? NO_VALUE}</td>
      <td className="lead">{stateOf(info)}</td>
      <td>{formatFixed(info.minimum_usd, 2)}</td>
      <td>{info.expires_in_s === null ? NO_VALUE : `${formatCount(info.expires_in_s / 60)} min`}</td>
      <td>{info.last_used_at === null ? 'never' : <Time at={info.last_used_at} />}</td>
    </tr>
  );
}

const barPairs = late(async () => (await import('../../charts/BarPairs.tsx')).BarPairs, <div className="h-50" />);

const methodNames = { usdt: 'USDT', bnb: 'BNB', card: 'Card' } as const;
const operations = { scan: 'Scans', arbitrage: 'Arbitrage', vision: 'Vision', plan: 'API plan' } as const;
type Operation = keyof typeof operations;
const operationIds = Object.keys(operations) as Operation[];
const dollars = (cents: number): string => formatFixed(cents / 100, 2);

/** Purchases and spending by month, and the success rate of each method. */
function AnalyticsPage() {
  const analytics = usePaymentAnalytics();
  return (
    <Loaded response={analytics} failure="Could not load the figures." rows={8}>
      {(data) => (
        <div className="flex flex-col gap-4">
          <Totals totals={data.totals} />
          <MonthPanel months={data.months} />
          <MethodPanel methods={data.methods} />
        </div>
      )}
    </Loaded>
  );
}

function Totals({ totals }: { totals: PaymentAnalytics['totals'] }) {
  const figures: [string, string][] = [
    ['Credits bought', formatCount(totals.bought)],
    ['Paid, USD', dollars(totals.spent_cents)],
    ['Credits used', formatCount(totals.used)],
  ];
  return (
    <Panel title="Since you joined">
      <dl className="flex flex-wrap gap-x-10 gap-y-3">
        {figures.map(([name, value]) => (
          <div key={name}>
            <dt className="text-label text-muted">{name}</dt>
            <dd className="text-figure font-semibold">{value}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}

function MonthPanel({ months }: { months: PaymentAnalytics['months'] }) {
  const { labels, bought, used } = useMemo(
    () => ({
      labels: months.map(({ month }) => month.slice(2)),
      bought: { name: 'Credits bought', colour: 'accent' as const, values: months.map((each) => each.bought) },
      used: { name: 'Credits used', colour: 'warn' as const, values: months.map((each) => each.used_total) },
    }),
    [months],
  );
  const moved = months.filter((each) => each.bought !== 0 || each.used_total !== 0);
  if (moved.length === 0)
    return (
      <Panel title="Month by month">
        <EmptyState text="No credits were bought or used in the last twelve months.">
          <button type="button" className="btn btn-primary" onClick={() => openTab('funds', 'purchase')}>
            Add Credits
          </button>
        </EmptyState>
      </Panel>
    );
  return (
    <Panel title="Month by month" aside="months in UTC" bodyClassName="">
      <div className="border-b border-line p-3">
        <barPairs.View
          label="Credits bought and used in the last twelve months"
          labels={labels}
          left={bought}
          right={used}
        />
      </div>
      <ScrollSideways label="Credits by month">
        <table className="table">
          <Head lead="Month" names={['Bought', 'Paid, USD', ...operationIds.map((id) => operations[id]), 'Used']} />
          <tbody>
            {moved.toReversed().map((each) => (
              <tr key={each.month}>
                <th className="lead" scope="row">
                  {each.month}
                </th>
                <td>{formatCount(each.bought)}</td>
                <td>{dollars(each.spent_cents)}</td>
                {operationIds.map((id) => (
                  <td key={id}>{formatCount(each.used[id])}</td>
                ))}
                <td>{formatCount(each.used_total)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollSideways>
    </Panel>
  );
}

function MethodPanel({ methods }: { methods: PaymentAnalytics['methods'] }) {
  return (
    <Panel title="By method" bodyClassName="">
      <ScrollSideways label="Payments by method">
        <table className="table">
          <Head lead="Method" names={['Started', 'Completed', 'Success rate', 'Median time to credit']} />
          <tbody>
            {methods.map((each) => (
              <tr key={each.method}>
                <th className="lead" scope="row">
                  {methodNames[each.method]}
                </th>
                <td>{formatCount(each.started)}</td>
                <td>{formatCount(each.completed)}</td>
                <td>{formatPercent(each.success_rate)}</td>
                <td>
                  {each.median_seconds_to_credit === null
                    ? NO_VALUE
                    : formatDuration(each.median_seconds_to_credit * 1000)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollSideways>
    </Panel>
  );
}

function Head({ lead, names }: { lead: string; names: readonly ReactNode[] }) {
  return (
    <thead>
      <tr>
        <th className="lead" scope="col">
          {lead}
        </th>
        {names.map((name, at) => (
          <th key={at} scope="col">
            {name}
          </th>
        ))}
      </tr>
    </thead>
  );
}
