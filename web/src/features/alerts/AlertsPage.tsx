import { Bell, Pause, Pencil, Play, ReceiptText, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useAlerts, useChangeAlert, useDeleteAlert } from '../../api/alerts.ts';
import { messageOf } from '../../api/failure.ts';
import type { Alert } from '../../api/types.ts';
import { openAlertForm } from '../../state/alertForm.ts';
import { toastFailure } from '../../state/toasts.ts';
import { RemovalDialog } from '../../ui/Dialog.tsx';
import { Guarded } from '../../ui/Guarded.tsx';
import { EmptyState, ErrorState, Panel, SkeletonRows } from '../../ui/Panel.tsx';
import { Switch } from '../../ui/Switch.tsx';
import { Time } from '../../ui/Time.tsx';
import { channelNames, usePush } from './ChannelFields.tsx';
import { endPush } from './push.ts';
import { ReceiptsDialog } from './ReceiptsDialog.tsx';
import { isSoundOn, playAlertSound, setSoundOn } from './sound.ts';
import { useConditionText } from './useConditionText.ts';

const stateNames: Record<Alert['state'], string> = {
  active: 'Active',
  paused: 'Paused',
  fired: 'Fired',
  expired: 'Expired',
  stopped: 'Stopped',
};

/** The alerts of the account, their receipts, and how they reach this browser. */
export function AlertsPage() {
  const [shown, setShown] = useState<string | null>(null);
  return (
    <div className="grid min-w-0 items-start gap-3 lg:grid-cols-[minmax(0,1fr)_minmax(0,360px)] docked:max-xl:grid-cols-[minmax(0,1fr)]">
      <Guarded>
        <AlertList onReceipts={setShown} />
        <DeliveryPanel />
      </Guarded>
      <ReceiptsDialog alertId={shown} onClose={() => setShown(null)} />
    </div>
  );
}

function AlertList({ onReceipts }: { onReceipts: (id: string) => void }) {
  const response = useAlerts();
  const alerts = response.data?.alerts;
  return (
    <Panel
      title="Alerts"
      aside={
        <span className="flex items-center gap-3">
          {response.data !== undefined && (
            <span className="max-md:hidden">
              {alerts?.length} of {response.data.count_max}
            </span>
          )}
          <button type="button" className="btn btn-small" onClick={() => openAlertForm()}>
            <Bell size={14} aria-hidden="true" /> New alert
          </button>
        </span>
      }
      bodyClassName=""
    >
      {response.error !== null && (
        <div className="p-3">
          <ErrorState
            failure={response.error}
            text={messageOf(response.error, 'Could not load alerts.')}
            onRetry={() => void response.refetch()}
          />
        </div>
      )}
      {response.isPending && <SkeletonRows rows={4} />}
      {alerts?.length === 0 && (
        <EmptyState text="Set an alert on a price, an indicator, a signal or news. The server watches it around the clock." />
      )}
      {alerts !== undefined && alerts.length > 0 && (
        <ul aria-label="Alerts">
          {alerts.map((alert) => (
            <AlertRow key={alert.id} alert={alert} onReceipts={onReceipts} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

function stateText({ state, state_reason: reason, repeats, fired_count: count }: Alert): string {
  const fired = count === 0 ? '' : `, fired ${count === 1 ? 'once' : `${count} times`}`;
  const why = reason === null ? '' : `: ${reason}`;
  if (state === 'fired') return 'Fired';
  return `${stateNames[state]}${why}${state === 'active' ? (repeats ? ', each time' : ', once') : ''}${fired}`;
}

function AlertRow({ alert, onReceipts }: { alert: Alert; onReceipts: (id: string) => void }) {
  const text = useConditionText()(alert.condition);
  const { id, note, state, channels, last_fired_at: lastAt, expires_at: expiresAt, fired_count: count } = alert;
  const change = useChangeAlert();
  const remove = useDeleteAlert();
  const [isConfirming, setConfirming] = useState(false);
  const isActive = state === 'active';
  const onError = (failure: unknown) => toastFailure('Could not change the alert', failure);
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-line px-3 py-2 first:border-0">
      <span className="min-w-0 flex-1 basis-60">
        <span className={`block break-words font-medium ${isActive ? '' : 'text-muted'}`}>{text}</span>
        {note !== null && <span className="block break-words text-label">{note}</span>}
        <span className="block text-label text-muted">
          {stateText(alert)}
          {lastAt !== null && (
            <>
              {' '}
              at <Time at={lastAt} />
            </>
          )}
          . {channels.map((channel) => channelNames[channel]).join(', ')}.
          {expiresAt !== null && isActive && (
            <>
              {' '}
              Until <Time at={expiresAt} />.
            </>
          )}
        </span>
      </span>
      <span className="flex items-center gap-1">
        {count > 0 && (
          <button type="button" className="btn btn-small" onClick={() => onReceipts(id)}>
            <ReceiptText size={14} aria-hidden="true" /> Receipts
          </button>
        )}
        <button
          type="button"
          className="btn btn-ghost btn-small btn-icon"
          aria-label={isActive ? `Pause ${text}` : `Activate ${text}`}
          disabled={change.isPending}
          onClick={() => change.mutate({ id, body: { state: isActive ? 'paused' : 'active' } }, { onError })}
        >
          {isActive ? <Pause size={14} aria-hidden="true" /> : <Play size={14} aria-hidden="true" />}
        </button>
        <button
          type="button"
          className="btn btn-ghost btn-small btn-icon"
          aria-label={`Edit ${text}`}
          onClick={() => openAlertForm({ id })}
        >
          <Pencil size={14} aria-hidden="true" />
        </button>
        <button
          type="button"
          className="btn btn-ghost btn-small btn-icon"
          aria-label={`Delete ${text}`}
          disabled={remove.isPending}
          onClick={() => setConfirming(true)}
        >
          <Trash2 size={14} aria-hidden="true" />
        </button>
      </span>
      {isConfirming && (
        <RemovalDialog
          title="Delete this alert?"
          text={count > 0 ? `${text}. Its receipts are deleted too.` : `${text}.`}
          label="Delete alert"
          isBusy={remove.isPending}
          remove={() => remove.mutateAsync(id)}
          done="Alert deleted"
          failed="Could not delete the alert"
          onClose={() => setConfirming(false)}
        />
      )}
    </li>
  );
}

/** Sound of this browser, and the browsers that receive pushes. */
function DeliveryPanel() {
  const [hasSound, setSound] = useState(isSoundOn);
  const push = usePush();
  const browsers = push.browsers.data?.subscriptions ?? [];
  const toggleSound = (isOn: boolean) => {
    setSoundOn(isOn);
    setSound(isOn);
    playAlertSound();
  };
  const remove = async (endpoint: string) => {
    await endPush(endpoint).catch((failure: unknown) => toastFailure('Could not remove the browser', failure));
    await push.browsers.refetch();
  };
  return (
    <Panel title="Delivery" bodyClassName="flex flex-col gap-3 p-3">
      <div className="flex items-center justify-between gap-3">
        <span>Sound with each alert in the page</span>
        <Switch label="Sound with each alert in the page" isOn={hasSound} onToggle={toggleSound} />
      </div>
      <div className="flex flex-col gap-2">
        <h3 className="text-label font-medium">Browsers that receive pushes</h3>
        {browsers.length === 0 && (
          <p className="text-label text-muted">None yet. Pushes also arrive while this page is closed.</p>
        )}
        {browsers.map(({ endpoint, label, created_at: at }) => (
          <div key={endpoint} className="flex items-center justify-between gap-3">
            <span className="min-w-0 truncate text-label">
              {label}, since <Time at={at} />
            </span>
            <button type="button" className="btn btn-small" onClick={() => void remove(endpoint)}>
              Remove
            </button>
          </div>
        ))}
        {push.text !== null && <p className="text-label text-muted">{push.text}</p>}
        {push.state === 'off' && (
          <button type="button" className="btn self-start" disabled={push.isBusy} onClick={() => void push.allow()}>
            Allow notifications in this browser
          </button>
        )}
      </div>
      <p className="text-label text-muted">
        Link Telegram or set a webhook in Account, Notifications. A pair of exchanges can also be watched in Arbitrage.
      </p>
    </Panel>
  );
}
