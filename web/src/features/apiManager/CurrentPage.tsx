import { useSnapshot } from 'valtio';
import { PLAN_DAYS } from '@sextant/workers/src/apiAccess.ts';
import { useApiSubscription } from '../../api/apiAccess.ts';
import { formatCount } from '../../format/number.ts';
import { keyInHand } from '../../state/keyInHand.ts';
import { openPage } from '../../state/navigation.ts';
import { Panel } from '../../ui/Panel.tsx';
import { Time } from '../../ui/Time.tsx';
import { KeysPanel } from './keys/KeysPanel.tsx';
import { NewKeyPanel } from '../../ui/apiAccess/NewKeyPanel.tsx';
import { hourlyLimitOf } from '../../ui/apiAccess/planNames.ts';

/** Keys first: they are why one comes here. */
export function CurrentPage() {
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
