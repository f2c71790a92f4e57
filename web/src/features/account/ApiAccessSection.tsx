import { useSnapshot } from 'valtio';
import { useApiSubscription } from '../../api/apiAccess.ts';
import { formatCount } from '../../format/number.ts';
import { keyInHand } from '../../state/keyInHand.ts';
import { openTab } from '../../state/navigation.ts';
import { CreateKeyForm } from '../../ui/apiAccess/CreateKeyForm.tsx';
import { NewKeyPanel } from '../../ui/apiAccess/NewKeyPanel.tsx';
import { hourlyLimitOf } from '../../ui/apiAccess/planNames.ts';
import { Panel } from '../../ui/Panel.tsx';

/** The plan of the API, and a new key; everything else of keys is in the API Manager. */
export function ApiAccessSection() {
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
