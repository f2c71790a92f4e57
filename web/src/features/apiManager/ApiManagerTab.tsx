import { PLAN_DAYS } from '@sextant/workers/src/apiAccess.ts';
import { BookOpen } from 'lucide-react';
import { useSnapshot } from 'valtio';
import { useApiSubscription } from '../../api/apiAccess.ts';
import { serverClock } from '../../api/serverClock.ts';
import { formatCount } from '../../format/number.ts';
import { formatDuration } from '../../format/time.ts';
import { keyInHand } from '../../state/keyInHand.ts';
import { openPage, openTab } from '../../state/navigation.ts';
import { type PageId, tabPages, useOpenPage } from '../../state/tabPages.ts';
import { NewKeyPanel } from '../../ui/apiAccess/NewKeyPanel.tsx';
import { hourlyLimitOf } from '../../ui/apiAccess/planNames.ts';
import { PagedTab } from '../../ui/PagedTab.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { Time, useNow } from '../../ui/Time.tsx';
import { KeysPanel } from './keys/KeysPanel.tsx';
import { PlansPage } from './PlansPage.tsx';
import { UsagePage } from './usage/UsagePage.tsx';
import { WebhooksPage } from './webhooks/WebhooksPage.tsx';

const TAB = 'api-manager';

const views: Record<PageId<typeof TAB>, () => React.ReactNode> = {
  current: CurrentPage,
  plans: PlansPage,
  usage: UsagePage,
  webhooks: WebhooksPage,
};

/** Keys, plans, usage and webhooks of the API. */
export function ApiManagerTab() {
  const page = useOpenPage(TAB);
  const View = views[page];
  return (
    <PagedTab tab={TAB} title="API Manager" pages={tabPages[TAB]} page={page} layout="reading">
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

/** The plan with the calls used in the current hour. */
function PlanLine() {
  const { data } = useApiSubscription();
  useNow(1000);
  if (data === undefined) return <div className="h-10" />;
  const { plan, window_count: used, reset_at: resetAt } = data.current;
  const limit = hourlyLimitOf(data.current);
  const share = limit === 0 ? 0 : Math.min(1, used / limit);
  const leftMs = Math.max(0, Date.parse(resetAt) - serverClock.now());
  return (
    <div className="w-70 max-w-full">
      <p className="flex items-baseline justify-between gap-3">
        <span>
          <strong>{formatCount(used)}</strong> of {formatCount(limit)} calls this hour
        </span>
        <span className="text-label text-muted">{plan} plan</span>
      </p>
      <progress
        className="progress my-1 block"
        value={share}
        max={1}
        aria-label={`${formatCount(used)} of ${formatCount(limit)} calls of this hour are used`}
      />
      <p className="text-label text-muted tabular-nums">
        {share >= 1 ? 'Calls are refused with 429 for ' : 'A new hour begins in '}
        {formatDuration(leftMs)}
      </p>
    </div>
  );
}

/** Keys first: they are why one comes here. */
function CurrentPage() {
  const { key } = useSnapshot(keyInHand);
  return (
    <>
      {key !== null && <NewKeyPanel apiKey={key} />}
      <KeysPanel />
      <CurrentPlanPanel />
    </>
  );
}

function CurrentPlanPanel() {
  const { data } = useApiSubscription();
  if (data === undefined) return null;
  const { plan, started_at: startedAt, expires_at: expiresAt } = data.current;
  return (
    <Panel
      title="Current subscription"
      aside={
        <button type="button" className="btn btn-small" onClick={() => openPage('api-manager', 'plans')}>
          {expiresAt === null ? 'See plans' : 'Change plan'}
        </button>
      }
    >
      <dl className="flex flex-wrap gap-x-8 gap-y-3">
        <Item name="Plan">{plan}</Item>
        <Item name="Calls an hour">{formatCount(hourlyLimitOf(data.current))}</Item>
        {startedAt !== null && (
          <Item name="Bought">
            <Time at={startedAt} />
          </Item>
        )}
        <Item name="Runs until">{expiresAt === null ? 'No end' : <Time at={expiresAt} />}</Item>
      </dl>
      {expiresAt !== null && (
        <p className="mt-3 text-label text-muted">
          A plan runs for {PLAN_DAYS} days and does not renew by itself: your keys then go on with the FREE plan.
        </p>
      )}
    </Panel>
  );
}

function Item({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div>
      <dt className="text-label text-muted">{name}</dt>
      <dd className="text-section font-semibold">{children}</dd>
    </div>
  );
}
