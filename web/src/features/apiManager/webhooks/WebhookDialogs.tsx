import { PLAN_NOTICE_TEXT } from '@sextant/workers/src/core/apiAccess.ts';
import { usualWebhookEvents, WEBHOOK_OVERLAP_HOURS, webhookEvents } from '@sextant/workers/src/core/webhooks.ts';
import { useState } from 'react';
import { ApiFailure, messageOf } from '../../../api/failure.ts';
import type { Webhook } from '../../../api/types.ts';
import {
  createFailureText,
  useChangeWebhook,
  useCreateWebhook,
  useDeleteWebhook,
  useRotateWebhook,
  useTestWebhook,
} from '../../../data/webhooks.ts';
import { toast, toastFailure } from '../../../state/toasts.ts';
import { ArticleLink } from '../../../ui/ArticleLink.tsx';
import { CopyButton } from '../../../ui/CodeBlock.tsx';
import { ConfirmDialog, Dialog, DialogButtons, RemovalDialog } from '../../../ui/Dialog.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { Switch } from '../../../ui/Switch.tsx';
import { TextField } from '../../../ui/Field.tsx';
import { Time } from '../../../ui/Time.tsx';

type WebhookEvent = Webhook['events'][number];

const eventNames: Record<WebhookEvent, string> = {
  'signal.created': 'Your scan found a signal you can open',
  'signal.found': 'Your scan found a signal, tradable or not',
  'position.opened': 'Position opened',
  'position.closed': 'Position closed',
  'alert.fired': 'One of your alerts fired',
  'payment.completed': 'Payment credited',
  'credits.low': 'Credits are running low',
  'plan.expiring': `An API plan ends in ${PLAN_NOTICE_TEXT}`,
};
const allEvents: readonly WebhookEvent[] = webhookEvents;

interface EventsProps {
  events: readonly WebhookEvent[];
  onChange: (events: WebhookEvent[]) => void;
}

function EventBoxes({ events, onChange }: EventsProps) {
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="mb-1 text-label font-medium">Events</legend>
      {allEvents.map((event) => (
        <label key={event} className="flex items-start gap-2">
          <input
            type="checkbox"
            className="mt-0.5 size-4 accent-[var(--accent)]"
            checked={events.includes(event)}
            onChange={({ currentTarget: { checked } }) =>
              onChange(allEvents.filter((each) => (each === event ? checked : events.includes(each))))
            }
          />
          <span>
            <code className="font-mono">{event}</code> <span className="text-muted">{eventNames[event]}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

type UrlProps = Pick<Parameters<typeof TextField>[0], 'error' | 'value' | 'onChange'>;

function UrlField(props: UrlProps) {
  return (
    <TextField
      label="URL"
      name="webhook-url"
      type="url"
      inputMode="url"
      autoComplete="off"
      hint="Public https address, port 443 or 8443, without redirects."
      {...props}
    />
  );
}

const noEvents = 'Choose at least one event.';

/** Error beside the field of the URL; undefined when another input was rejected. */
const urlErrorOf = (failure: unknown): string | undefined =>
  failure instanceof ApiFailure && failure.field?.includes('url') === true ? messageOf(failure, '') : undefined;

interface FormProps {
  practice: string | null;
  onMade: (made: ShownSecret) => void;
  onCancel?: () => void;
}

export function CreateWebhookForm({ practice, onMade, onCancel }: FormProps) {
  const [url, setUrl] = useState('');
  const [events, setEvents] = useState<WebhookEvent[]>([...usualWebhookEvents]);
  const create = useCreateWebhook();
  const submit = async (): Promise<void> => {
    if (events.length === 0) {
      toast(noEvents, 'error');
      return;
    }
    // Awaited, because callbacks end with this form: it unmounts once the list has its first webhook, and the secret is sent once.
    try {
      const { webhook, secret } = await create.mutateAsync({ url: url.trim(), events });
      onMade({ url: webhook.url, secret, previousUntil: null });
    } catch (failure) {
      toast(createFailureText(failure), 'error');
    }
  };
  return (
    <form
      noValidate
      aria-label="New webhook"
      className="flex max-w-170 flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <UrlField
        error={urlErrorOf(create.error)}
        value={url}
        onChange={(text) => {
          create.reset();
          setUrl(text);
        }}
      />
      <EventBoxes events={events} onChange={setEvents} />
      <div className="flex flex-wrap gap-2">
        <button type="submit" className="btn btn-primary" disabled={create.isPending || url.trim() === ''}>
          {create.isPending ? 'Processing...' : 'Create webhook'}
        </button>
        {practice !== null && url !== practice && (
          <button type="button" className="btn" onClick={() => setUrl(practice)}>
            Use the demo&apos;s receiver
          </button>
        )}
        {onCancel !== undefined && (
          <button type="button" className="btn btn-ghost" onClick={onCancel}>
            Cancel
          </button>
        )}
      </div>
    </form>
  );
}

export interface ShownSecret {
  url: string;
  secret: string;
  /** Until when the secret before it signs, too. */
  previousUntil: string | null;
}

/** The signing secret, this once. */
export function SecretPanel({
  shown: { url, secret, previousUntil },
  onDone,
}: {
  shown: ShownSecret;
  onDone: () => void;
}) {
  return (
    <Panel title={`Signing secret of ${url}`} className="border-accent">
      <div className="flex flex-col gap-3">
        <Notice tone="warn">
          Copy the secret now and store it like a password. It is shown once.
          {previousUntil !== null && (
            <>
              {' '}
              The previous secret also signs until <Time at={previousUntil} />: update your receiver before then.
            </>
          )}
        </Notice>
        <div className="flex items-center gap-2 rounded border border-line bg-bg px-3 py-2 max-md:flex-col max-md:items-stretch">
          <code aria-label="Signing secret" className="min-w-0 flex-1 font-mono break-all select-all">
            {secret}
          </code>
          <CopyButton text={secret} label="Copy secret" className="btn btn-primary shrink-0" />
        </div>
        <p className="text-label text-muted">
          Verify every message with a library of Standard Webhooks (<code className="font-mono">webhook-id</code>,{' '}
          <code className="font-mono">webhook-timestamp</code>, <code className="font-mono">webhook-signature</code>),
          or <ArticleLink slug="webhook-signatures">with a program of your own</ArticleLink>.
        </p>
        <button type="button" className="btn self-start" onClick={onDone}>
          I have saved the secret
        </button>
      </div>
    </Panel>
  );
}

interface Props {
  webhook: Webhook;
  onClose: () => void;
}

/** URL, events and whether messages are sent. */
export function EditWebhookDialog({ webhook, onClose }: Props) {
  const [url, setUrl] = useState(webhook.url);
  const [events, setEvents] = useState<WebhookEvent[]>(webhook.events);
  const [isOn, setOn] = useState(webhook.active);
  const change = useChangeWebhook();
  const submit = (): void => {
    if (events.length === 0) {
      toast(noEvents, 'error');
      return;
    }
    const isMoved = url.trim() !== webhook.url;
    change.mutate(
      { id: webhook.id, change: { ...(isMoved ? { url: url.trim() } : {}), events, active: isOn } },
      {
        onSuccess: () => {
          toast('Webhook changed', 'success');
          onClose();
        },
        onError: (failure) => toastFailure('Could not change the webhook', failure),
      },
    );
  };
  return (
    <Dialog title="Edit webhook" text="Changes apply from the next message." isOpen onClose={onClose}>
      <form
        noValidate
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <UrlField
          error={urlErrorOf(change.error) ?? (change.error === null ? undefined : messageOf(change.error, 'Not saved'))}
          value={url}
          onChange={(text) => {
            change.reset();
            setUrl(text);
          }}
        />
        <EventBoxes events={events} onChange={setEvents} />
        <div className="flex items-center gap-3">
          <p className="flex-1 font-medium">Send messages</p>
          <Switch label="Send messages" isOn={isOn} onToggle={setOn} />
        </div>
        <DialogButtons label="Save" isBusy={change.isPending} onClose={onClose} />
      </form>
    </Dialog>
  );
}

export function TestWebhookDialog({ webhook, onClose }: Props) {
  const [event, setEvent] = useState<WebhookEvent>(webhook.events[0] ?? 'position.opened');
  const test = useTestWebhook();
  return (
    <Dialog
      title="Send a test"
      text="The message has the type “test” and contains an example event."
      isOpen
      onClose={onClose}
    >
      <form
        className="flex flex-col gap-3"
        onSubmit={(submitted) => {
          submitted.preventDefault();
          test.mutate({ webhook_id: webhook.id, event }, { onSettled: onClose });
        }}
      >
        <label className="flex flex-col gap-1 text-label font-medium">
          Example of
          <select
            className="input"
            value={event}
            onChange={({ currentTarget: { value } }) => setEvent(value as WebhookEvent)}
          >
            {webhook.events.map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </select>
        </label>
        <DialogButtons label="Send test" isBusy={test.isPending} onClose={onClose} />
      </form>
    </Dialog>
  );
}

export function RotateSecretDialog({
  webhook,
  onClose,
  onRotated,
}: Props & { onRotated: (shown: ShownSecret) => void }) {
  const rotate = useRotateWebhook();
  const submit = async (): Promise<void> => {
    // Awaited, because callbacks end with this dialog: closing it would lose a secret that is sent once.
    try {
      const { secret, previous_until: previousUntil } = await rotate.mutateAsync(webhook.id);
      onRotated({ url: webhook.url, secret, previousUntil });
      onClose();
      window.scrollTo(0, 0);
    } catch (failure) {
      toastFailure('Could not rotate the secret', failure);
    }
  };
  return (
    <ConfirmDialog
      title="Rotate the secret?"
      text={`Messages are signed with both secrets for ${WEBHOOK_OVERLAP_HOURS} hours. Switch your receiver in that time.`}
      label="Rotate"
      isBusy={rotate.isPending}
      onConfirm={() => void submit()}
      onClose={onClose}
    />
  );
}

export function DeleteWebhookDialog({ webhook, onClose }: Props) {
  const remove = useDeleteWebhook();
  return (
    <RemovalDialog
      title="Delete the webhook?"
      text={`${webhook.url} stops receiving messages. Its delivery log is deleted.`}
      label="Delete"
      isBusy={remove.isPending}
      remove={() => remove.mutateAsync(webhook.id)}
      done="Webhook deleted"
      failed="Could not delete the webhook"
      onClose={onClose}
    />
  );
}
