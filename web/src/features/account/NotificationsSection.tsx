import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ExternalLink } from 'lucide-react';
import { useState } from 'react';
import { messageOf } from '../../api/failure.ts';
import {
  type Channel,
  openTelegramLink,
  renewWebhookSecret,
  retryDelivery,
  saveWebhook,
  useDeliveries,
  useNotifications,
  useTargetActions,
} from '../../api/notifications.ts';
import { queryKeys } from '../../api/queryKeys.ts';
import type { Delivery, Notifications } from '../../api/types.ts';
import { toast, toastFailure } from '../../state/toasts.ts';
import { Guarded } from '../../ui/Guarded.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { EmptyState, ErrorState, Panel, SkeletonRows } from '../../ui/Panel.tsx';
import { Switch } from '../../ui/Switch.tsx';
import { TextField } from '../../ui/Field.tsx';
import { Time } from '../../ui/Time.tsx';
import { storeResponse } from '../../api/storeResponse.ts';

type ChosenKind = NonNullable<Notifications['webhook']>['kinds'][number];

// Long because it is one page of the account with its four forms.

/** Selectable kinds, in display order. */
const kindNames: Record<ChosenKind, string> = {
  position_opened: 'Position opened',
  position_closed: 'Position closed',
  scan_finished: 'Scan finished while I was away',
  credits_low: 'Credits running low',
  arbitrage_spread: 'Watched spread above its level',
};

const deliveredKinds: Record<Delivery['kind'], string> = {
  ...kindNames,
  alert_fired: 'Alert',
  alert_ended: 'Alert ended',
  test: 'Test',
};
const kindName = (kind: Delivery['kind']): string => deliveredKinds[kind];
const channelNames = { telegram: 'Telegram', webhook: 'Webhook', email: 'Email', push: 'Browser push' } as const;

/** State of a delivery as text. */
function stateText({ state, attempt_count: attempts, failure }: Delivery): string {
  const tries = attempts === 1 ? '1 attempt' : `${attempts} attempts`;
  if (state === 'sent') return attempts > 1 ? `Arrived after ${tries}` : 'Arrived';
  if (state === 'failed') return `Not delivered: ${failure ?? 'no reason given.'}`;
  return attempts === 0 ? 'On its way' : `Waiting after ${tries}: ${failure ?? 'no response.'}`;
}

/** Targets of messages about scans, credits and positions, and the log of deliveries. */
export function NotificationsSection() {
  const [link, setLink] = useState<{ url: string; expires_at: string } | null>(null);
  const settings = useNotifications(link !== null);
  if (settings.data === undefined)
    return settings.error === null ? (
      <SkeletonRows rows={6} />
    ) : (
      <ErrorState
        failure={settings.error}
        text={messageOf(settings.error, 'Could not load the targets.')}
        onRetry={() => void settings.refetch()}
      />
    );
  const { data } = settings;
  // Linked: a link that is still open has done its work.
  if (link !== null && data.telegram !== null) setLink(null);
  if (data.is_demo) return <Notice tone="info">Create your own account to link Telegram or set a webhook.</Notice>;
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2">
      <Guarded>
        <TelegramPanel settings={data} link={link} onLink={setLink} />
        <WebhookPanel settings={data} />
        <DeliveryLog />
      </Guarded>
    </div>
  );
}

function WebhookPanel({ settings }: { settings: Notifications }) {
  const { webhook, practice_receiver: practice } = settings;
  const client = useQueryClient();
  const [typed, setTyped] = useState<string | null>(null);
  const [shown, setShown] = useState<ShownSecret | null>(null);
  const url = typed ?? webhook?.url ?? '';
  const save = useMutation({
    mutationFn: saveWebhook,
    onSuccess: (response) => {
      setTyped(null);
      if (response.secret !== null) setShown({ secret: response.secret, previousUntil: null });
      toast('Webhook saved', 'success');
      return client.invalidateQueries({ queryKey: queryKeys.notifications.settings });
    },
  });
  const renew = useMutation({
    mutationFn: renewWebhookSecret,
    onSuccess: (response) => setShown({ secret: response.secret, previousUntil: response.previous_until }),
    onError: (failure) => toastFailure('Could not replace the key', failure),
  });
  const isChanged = url.trim() !== (webhook?.url ?? '');
  return (
    <Panel title="Webhook" aside={webhook === null ? 'Not set' : 'Set'} bodyClassName="flex flex-col gap-3 p-3">
      <form
        noValidate
        className="flex flex-col gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          if (url.trim() !== '') save.mutate(url.trim());
        }}
      >
        <TextField
          label="URL"
          name="webhook-url"
          type="url"
          inputMode="url"
          autoComplete="off"
          hint="Public https address, port 443 or 8443, without redirects."
          error={save.error === null ? undefined : messageOf(save.error, 'Not saved')}
          value={url}
          onChange={(value) => {
            save.reset();
            setTyped(value);
          }}
        />
        <div className="flex flex-wrap gap-2">
          <button
            type="submit"
            className="btn btn-primary"
            disabled={save.isPending || !isChanged || url.trim() === ''}
          >
            Save URL
          </button>
          {practice !== null && url !== practice && (
            <button type="button" className="btn" onClick={() => setTyped(practice)}>
              Use the demo&apos;s receiver
            </button>
          )}
          {webhook !== null && (
            <button type="button" className="btn" disabled={renew.isPending} onClick={() => renew.mutate()}>
              Replace the key
            </button>
          )}
        </div>
      </form>
      {shown !== null && <Secret shown={shown} onDone={() => setShown(null)} />}
      {webhook !== null && <TargetControls channel="webhook" target={webhook} />}
    </Panel>
  );
}

interface ShownSecret {
  secret: string;
  /** Until when the key before signs, too. */
  previousUntil: string | null;
}

function Secret({ shown: { secret, previousUntil }, onDone }: { shown: ShownSecret; onDone: () => void }) {
  return (
    <Notice
      tone="warn"
      action={
        <button type="button" className="btn btn-small" onClick={onDone}>
          I have saved it
        </button>
      }
    >
      <p>
        Messages are signed with this key (Standard Webhooks: <span className="font-mono">webhook-id</span>,{' '}
        <span className="font-mono">webhook-timestamp</span>, <span className="font-mono">webhook-signature</span>).
        Copy it now; it is shown once.
      </p>
      {previousUntil !== null && (
        <p>
          The previous key stays valid until <Time at={previousUntil} />: until then{' '}
          <span className="font-mono">webhook-signature</span> carries both signatures, separated by a space.
        </p>
      )}
      <p data-testid="webhook-secret" className="mt-1 font-mono break-all select-all">
        {secret}
      </p>
    </Notice>
  );
}

interface Props {
  settings: Notifications;
  /** The link waiting for its click; the section polls for the chat meanwhile. */
  link: { url: string; expires_at: string } | null;
  onLink: (link: { url: string; expires_at: string }) => void;
}

function TelegramPanel({ settings, link, onLink }: Props) {
  const { telegram, telegram_available: isAvailable } = settings;
  const start = useMutation({
    mutationFn: openTelegramLink,
    onSuccess: onLink,
    onError: (failure) => toastFailure('Could not create a link', failure),
  });
  return (
    <Panel title="Telegram" aside={telegram?.name ?? 'Not linked'} bodyClassName="flex flex-col gap-3 p-3">
      {telegram !== null && <TargetControls channel="telegram" target={telegram} />}
      {telegram === null && !isAvailable && <p className="text-muted">Telegram is unavailable here. Use a webhook.</p>}
      {telegram === null && isAvailable && link === null && (
        <>
          <p className="text-muted">Get messages in a private chat. Press Start there to link it.</p>
          <button type="button" className="btn self-start" disabled={start.isPending} onClick={() => start.mutate()}>
            Link Telegram
          </button>
        </>
      )}
      {telegram === null && link !== null && (
        <>
          <p role="status" className="text-muted">
            Open the bot and press Start. The link works once, until <Time at={link.expires_at} />.
          </p>
          <div className="flex flex-wrap gap-2">
            <a href={link.url} target="_blank" rel="noreferrer" className="btn btn-primary">
              Open the bot <ExternalLink size={14} aria-hidden="true" />
            </a>
            <button type="button" className="btn btn-ghost" disabled={start.isPending} onClick={() => start.mutate()}>
              New link
            </button>
          </div>
        </>
      )}
    </Panel>
  );
}

/** The newest 50 deliveries with their state. */
function DeliveryLog() {
  const log = useDeliveries();
  return (
    <Panel title="Delivery log" aside="newest 50, stored for 30 days" className="lg:col-span-2" bodyClassName="">
      {log.isPending && <SkeletonRows rows={4} />}
      {log.error !== null && (
        <ErrorState
          failure={log.error}
          text={messageOf(log.error, 'Could not load the log.')}
          onRetry={() => void log.refetch()}
        />
      )}
      {log.data?.length === 0 && <EmptyState text="No messages yet." />}
      <ul>
        {log.data?.map((delivery) => (
          <Row key={delivery.id} delivery={delivery} />
        ))}
      </ul>
    </Panel>
  );
}

function Row({ delivery }: { delivery: Delivery }) {
  const client = useQueryClient();
  const retry = useMutation({
    mutationFn: () => retryDelivery(delivery.id),
    onSuccess: (response) => storeResponse(client, queryKeys.notifications.deliveries, response),
    onError: (failure) => toastFailure('Not sent again', failure),
  });
  const { state, channel, kind, created_at: createdAt, next_attempt_at: nextAt } = delivery;
  return (
    <li className="flex min-h-10 flex-wrap items-center gap-x-4 gap-y-0.5 border-b border-line px-3 py-1.5 last:border-b-0">
      <span className="w-40 text-muted tabular-nums">
        <Time at={createdAt} />
      </span>
      <span className="w-52 truncate font-medium">{kindName(kind)}</span>
      <span className="w-20 text-muted">{channelNames[channel]}</span>
      <span className={`min-w-48 flex-1 ${state === 'failed' ? 'text-warn' : ''}`}>
        {stateText(delivery)}
        {nextAt !== null && delivery.attempt_count > 0 && (
          <>
            {' '}
            Next <Time at={nextAt} />
          </>
        )}
      </span>
      {state === 'failed' && (
        <button type="button" className="btn btn-small" disabled={retry.isPending} onClick={() => retry.mutate()}>
          Send again
        </button>
      )}
    </li>
  );
}

interface TargetControlsProps {
  channel: Channel;
  target: { is_on: boolean; kinds: ChosenKind[]; off_reason: string | null; failing_since: string | null };
}

/** Switch, choice of messages, test and removal: the same for every channel. */
function TargetControls({ channel, target }: TargetControlsProps) {
  const { change, remove, test } = useTargetActions(channel);
  const name = channelNames[channel];
  const fail = (what: string) => (failure: unknown) => toastFailure(what, failure);
  const save = (body: Parameters<typeof change.mutate>[0]) => change.mutate(body, { onError: fail('Not saved') });
  return (
    <div className="flex flex-col gap-3">
      {target.off_reason !== null && <Notice tone="warn">Switched off automatically: {target.off_reason}</Notice>}
      {target.is_on && target.failing_since !== null && (
        <Notice tone="warn">
          No message has arrived since <Time at={target.failing_since} />. The log shows the next retry.
        </Notice>
      )}
      <div className="flex items-center gap-3">
        <p className="flex-1 font-medium">Messages by {name}</p>
        <Switch label={`Messages by ${name}`} isOn={target.is_on} onToggle={(isOn) => save({ is_on: isOn })} />
      </div>
      <fieldset className="flex flex-col gap-1.5">
        <legend className="mb-1 text-label font-medium">Notify me about</legend>
        {(Object.keys(kindNames) as ChosenKind[]).map((kind) => (
          <label key={kind} className="flex items-center gap-2">
            <input
              type="checkbox"
              className="size-4 accent-[var(--accent)]"
              checked={target.kinds.includes(kind)}
              onChange={({ currentTarget: { checked } }) =>
                save({ kinds: checked ? [...target.kinds, kind] : target.kinds.filter((each) => each !== kind) })
              }
            />
            {kindNames[kind]}
          </label>
        ))}
      </fieldset>
      <div className="flex flex-wrap gap-2">
        <button
          type="button"
          className="btn"
          disabled={test.isPending}
          onClick={() =>
            test.mutate(undefined, {
              onSuccess: () => toast('Test message queued. See the log for delivery.', 'success'),
              onError: fail('Could not send the test'),
            })
          }
        >
          Send a test
        </button>
        <button
          type="button"
          className="btn btn-ghost"
          disabled={remove.isPending}
          onClick={() => remove.mutate(undefined, { onError: fail('Not removed') })}
        >
          Remove {name}
        </button>
      </div>
    </div>
  );
}
