import { RefreshCw } from 'lucide-react';
import { useEffect } from 'react';
import { useSnapshot } from 'valtio';
import { accountTypeOf, hourlyLimitOf, useApiSubscription } from '../../data/apiAccess.ts';
import { useCredits } from '../../api/credits.ts';
import { messageOf } from '../../api/failure.ts';
import type { Credits } from '../../api/types.ts';
import { entryKinds, reasonWords } from '../../format/names.ts';
import { formatCount, formatFixed, formatSigned } from '../../format/number.ts';
import { keyInHand } from '../../state/keyInHand.ts';
import { navigation, openTab } from '../../state/navigation.ts';
import { toast } from '../../state/toasts.ts';
import { CreateKeyForm } from '../shared/apiAccess/CreateKeyForm.tsx';
import { NewKeyPanel } from '../shared/apiAccess/NewKeyPanel.tsx';
import { PagedTab } from '../../ui/PagedTab.tsx';
import { EmptyState, ErrorState, Panel, SkeletonRows } from '../../ui/Panel.tsx';
import { Age, Time } from '../../ui/Time.tsx';
import { NotificationsSection } from './NotificationsSection.tsx';
import { PrivacySection } from './PrivacySection.tsx';
import { SecuritySection } from './security/SecuritySection.tsx';
import { tradingForm, TradingSection } from './trading/TradingSection.tsx';

/** A page is listed from the day it works. */
const accountPages = [
  { id: 'security', label: 'Security' },
  { id: 'trading', label: 'Trading' },
  { id: 'credits', label: 'Credits & Billing' },
  { id: 'api', label: 'API Access' },
  { id: 'privacy', label: 'Privacy & Data' },
  { id: 'notifications', label: 'Notifications' },
] as const;

type AccountPageId = (typeof accountPages)[number]['id'];

/** Other names of the same pages. */
const aliases: Record<string, AccountPageId> = { preferences: 'trading', billing: 'credits' };

/** The page for a saved or requested name; anything else opens the first. */
export function pageOf(name: string | undefined): AccountPageId {
  const match = accountPages.find(({ id }) => id === name);
  return match?.id ?? aliases[name ?? ''] ?? accountPages[0].id;
}

const TAB = 'account';

const sections: Record<AccountPageId, () => React.ReactNode> = {
  security: SecuritySection,
  trading: TradingSection,
  api: ApiAccessSection,
  credits: CreditsSection,
  privacy: PrivacySection,
  notifications: NotificationsSection,
};

export function AccountTab() {
  const page = pageOf(useSnapshot(navigation).pages[TAB]);
  const { isUnsaved } = tradingForm.useDraft();
  const items = accountPages.map((each) =>
    each.id === 'trading' && isUnsaved ? { ...each, label: `${each.label} (unsaved)` } : each,
  );
  const Section = sections[page];
  return (
    <PagedTab tab={TAB} title="Account settings" pages={items} page={page} layout="reading">
      <Section />
    </PagedTab>
  );
}

/** The plan of the API, and a new key; everything else of keys is in the API Manager. */
function ApiAccessSection() {
  const { key } = useSnapshot(keyInHand);
  const { data } = useApiSubscription();
  return (
    <div className="flex flex-col gap-4">
      {key !== null && <NewKeyPanel apiKey={key} />}
      <Panel
        title="API Access"
        aside={
          <button type="button" className="btn btn-small" onClick={() => openTab('api-manager', 'current')}>
            Open the API Manager
          </button>
        }
      >
        <dl className="flex flex-wrap gap-x-8 gap-y-3">
          <div>
            <dt className="text-label text-muted">Current plan</dt>
            <dd className="text-section font-semibold">{data?.current.plan ?? '…'}</dd>
          </div>
          <div>
            <dt className="text-label text-muted">Hourly limit</dt>
            <dd className="text-section font-semibold">{formatCount(hourlyLimitOf(data?.current))}</dd>
          </div>
        </dl>
      </Panel>
      <Panel title="Create an API key">
        <CreateKeyForm isWhole />
      </Panel>
    </div>
  );
}

/** The balance follows the server's events and is fetched every 30 s. */
function CreditsSection() {
  const credits = useCredits();
  const plan = useApiSubscription().data?.current;
  const { errorUpdatedAt } = credits;
  useEffect(() => {
    if (errorUpdatedAt > 0) toast('Failed to refresh credits', 'error');
  }, [errorUpdatedAt]);
  return (
    <div className="flex flex-col gap-4">
      {credits.isError && (
        <ErrorState failure={credits.error} text={messageOf(credits.error, 'Could not load the balance.')} />
      )}
      <Panel
        title="Credits"
        aside={credits.data === undefined ? undefined : <Age sinceMs={credits.dataUpdatedAt} prefix="ledger" />}
      >
        <div className="flex flex-wrap items-end gap-x-8 gap-y-4">
          <dl className="flex flex-wrap gap-x-8 gap-y-4">
            <Figure name="Balance" value={credits.data === undefined ? '…' : formatFixed(credits.data.balance, 0)} />
            {(credits.data?.held ?? 0) > 0 && <Figure name="Reserved" value={formatFixed(credits.data?.held, 0)} />}
            <div>
              <dt className="text-label text-muted">Account type</dt>
              <dd className="text-section leading-8 font-semibold">
                {plan === undefined ? '…' : accountTypeOf(plan.plan)}
              </dd>
            </div>
            <div>
              <dt className="text-label text-muted">Hourly API limit resets at</dt>
              <dd className="text-section leading-8 font-semibold">
                {plan === undefined ? '…' : <Time at={plan.reset_at} />}
              </dd>
            </div>
          </dl>
          <div className="ml-auto flex gap-2">
            <button type="button" className="btn" disabled={credits.isFetching} onClick={() => void credits.refetch()}>
              <RefreshCw size={14} aria-hidden="true" /> Refresh
            </button>
            <button type="button" className="btn btn-primary" onClick={() => openTab('funds', 'purchase')}>
              Add Credits
            </button>
          </div>
        </div>
        <p className="mt-3 text-label text-muted">Credits never expire. Only the hourly API limit resets.</p>
      </Panel>
      <Panel title="Latest ledger entries" bodyClassName="more-sideways overflow-x-auto">
        {credits.data === undefined ? <SkeletonRows rows={3} /> : <LedgerTable entries={credits.data.entries} />}
      </Panel>
    </div>
  );
}

function Figure({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt className="text-label text-muted">{name}</dt>
      <dd className="text-figure font-semibold">{value}</dd>
    </div>
  );
}

function LedgerTable({ entries }: { entries: Credits['entries'] }) {
  if (entries.length === 0) return <EmptyState text="No entries yet. Welcome credits: once per mailbox." />;
  return (
    <table className="table">
      <thead>
        <tr>
          <th className="lead">Time</th>
          <th className="lead">Reason</th>
          <th className="lead">State</th>
          <th>Credits</th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <tr key={entry.id}>
            <td className="lead">
              <Time at={entry.at} />
            </td>
            <td className="lead">{reasonWords(entry.reason)}</td>
            <td className="lead">{entryKinds[entry.kind]}</td>
            <td>{formatSigned(entry.credits, 0)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
