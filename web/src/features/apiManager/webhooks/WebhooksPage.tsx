import { WEBHOOK_SPAN_TEXT } from '@sextant/workers/src/core/webhooks.ts';
import { Plus, Webhook as WebhookIcon } from 'lucide-react';
import { useState } from 'react';
import type { Webhook, WebhookDelivery } from '../../../api/types.ts';
import { useRedeliver, useWebhookDeliveries, useWebhooks } from '../../../data/webhooks.ts';
import { formatMany } from '../../../format/number.ts';
import { toast, toastFailure } from '../../../state/toasts.ts';
import { ArticleLink } from '../../../ui/ArticleLink.tsx';
import { CodeBlock } from '../../../ui/CodeBlock.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { EmptyState, Loaded, Panel } from '../../../ui/Panel.tsx';
import { Time } from '../../../ui/Time.tsx';
import {
  CreateWebhookForm,
  DeleteWebhookDialog,
  EditWebhookDialog,
  RotateSecretDialog,
  SecretPanel,
  type ShownSecret,
  TestWebhookDialog,
} from './WebhookDialogs.tsx';

type Act = 'edit' | 'rotate' | 'test' | 'delete';
interface PendingAction {
  webhook: Webhook;
  act: Act;
}

/** Webhooks of the account: create, edit, test, and their deliveries. */
export function WebhooksPage() {
  const webhooks = useWebhooks();
  const [isMaking, setMaking] = useState(false);
  const [secret, setSecret] = useState<ShownSecret | null>(null);
  const [openId, setOpenId] = useState<string | null>(null);
  const [requested, setRequested] = useState<PendingAction | null>(null);
  const count = webhooks.data?.webhooks.length ?? 0;
  const open = webhooks.data?.webhooks.find(({ id }) => id === openId);
  if (webhooks.data?.is_demo === true) return <Notice tone="info">Create your own account to use webhooks.</Notice>;
  return (
    <>
      {secret !== null && <SecretPanel shown={secret} onDone={() => setSecret(null)} />}
      <Panel
        title="Webhooks"
        bodyClassName=""
        aside={
          count > 0 &&
          !isMaking && (
            <button type="button" className="btn btn-primary btn-small" onClick={() => setMaking(true)}>
              <Plus size={14} aria-hidden="true" /> Create webhook
            </button>
          )
        }
      >
        <Loaded response={webhooks} failure="Could not load the webhooks." rows={3}>
          {({ webhooks: all, practice_receiver: practice }) => (
            <>
              {(isMaking || all.length === 0) && (
                <div className={`p-3 ${all.length > 0 ? 'border-b border-line' : ''}`}>
                  {all.length === 0 && <Introduction />}
                  <CreateWebhookForm
                    practice={practice}
                    onMade={(made) => {
                      setMaking(false);
                      setSecret(made);
                    }}
                    {...(all.length > 0 ? { onCancel: () => setMaking(false) } : {})}
                  />
                </div>
              )}
              <ul aria-label="Webhooks">
                {all.map((webhook) => (
                  <WebhookRow
                    key={webhook.id}
                    webhook={webhook}
                    isOpen={webhook.id === openId}
                    onToggle={() => setOpenId(webhook.id === openId ? null : webhook.id)}
                    onAct={(act) => setRequested({ webhook, act })}
                  />
                ))}
              </ul>
            </>
          )}
        </Loaded>
      </Panel>
      {open !== undefined && <DeliveriesPanel key={open.id} webhook={open} />}
      {requested !== null && <ActDialog {...requested} onClose={() => setRequested(null)} onRotated={setSecret} />}
    </>
  );
}

interface ActDialogProps extends PendingAction {
  onClose: () => void;
  onRotated: (shown: ShownSecret) => void;
}

function ActDialog({ webhook, act, onClose, onRotated }: ActDialogProps) {
  if (act === 'edit') return <EditWebhookDialog webhook={webhook} onClose={onClose} />;
  if (act === 'test') return <TestWebhookDialog webhook={webhook} onClose={onClose} />;
  if (act === 'rotate') return <RotateSecretDialog webhook={webhook} onClose={onClose} onRotated={onRotated} />;
  return <DeleteWebhookDialog webhook={webhook} onClose={onClose} />;
}

function Introduction() {
  return (
    <>
      <p className="mb-1 flex items-center gap-2 text-section font-semibold">
        <WebhookIcon size={16} aria-hidden="true" className="text-accent" /> Create your first webhook
      </p>
      <p className="mb-3 max-w-170 text-muted">
        Get a signed POST for each event. Messages without a 2xx response are retried for {WEBHOOK_SPAN_TEXT}.{' '}
        <ArticleLink slug="webhook-events">Events and their bodies</ArticleLink>,{' '}
        <ArticleLink slug="webhook-signatures">how to verify the signature</ArticleLink>.
      </p>
    </>
  );
}

const acts: readonly { act: Act; label: string }[] = [
  { act: 'test', label: 'Test' },
  { act: 'edit', label: 'Edit' },
  { act: 'rotate', label: 'Rotate secret' },
  { act: 'delete', label: 'Delete' },
];

interface RowProps {
  webhook: Webhook;
  isOpen: boolean;
  onToggle: () => void;
  onAct: (act: Act) => void;
}

function WebhookRow({ webhook, isOpen, onToggle, onAct }: RowProps) {
  const { url, events, secret_hint: hint, off_reason: offReason, failing_since: failingSince, active } = webhook;
  return (
    <li className="flex flex-col gap-2 border-b border-line px-3 py-2.5 last:border-b-0">
      <div className="flex items-start gap-x-4 gap-y-2 max-md:flex-col max-md:items-stretch">
        <div className="min-w-0 flex-1">
          <p className="flex flex-wrap items-baseline gap-x-3">
            <span className="font-mono font-semibold break-all">{url}</span>
            <span className={`text-label font-semibold ${active ? 'text-up' : 'text-muted'}`}>
              {active ? 'On' : 'Off'}
            </span>
          </p>
          <p className="text-label text-muted">
            {events.join(', ')} · secret <code className="font-mono">{hint}</code>
          </p>
          <p className="text-label text-muted">
            <LastDelivery webhook={webhook} />
          </p>
        </div>
        <div className="flex flex-wrap gap-2">
          <button
            type="button"
            className="btn btn-small"
            aria-expanded={isOpen}
            aria-label={`Deliveries to ${url}`}
            onClick={onToggle}
          >
            Deliveries
          </button>
          {acts.map(({ act, label }) => (
            <button
              key={act}
              type="button"
              className={`btn btn-small ${act === 'delete' ? 'btn-danger' : ''}`}
              aria-label={`${label}: ${url}`}
              onClick={() => onAct(act)}
            >
              {label}
            </button>
          ))}
        </div>
      </div>
      {offReason !== null && <Notice tone="warn">Switched off automatically: {offReason}</Notice>}
      {active && failingSince !== null && (
        <Notice tone="warn">
          No message has arrived since <Time at={failingSince} />. The delivery log shows the next retry.
        </Notice>
      )}
    </li>
  );
}

function LastDelivery({ webhook }: { webhook: Webhook }) {
  const { last_delivery_at: at, last_status: status, last_sequence: sequence } = webhook;
  if (at === null) return 'Nothing sent yet';
  return (
    <>
      Last sent <Time at={at} />: {status === null ? 'no response' : `response ${status}`} ·{' '}
      {formatMany(sequence, 'event')} so far
    </>
  );
}

/** Deliveries to a webhook with their responses; a row opens to its body. */
function DeliveriesPanel({ webhook }: { webhook: Webhook }) {
  const deliveries = useWebhookDeliveries(webhook.id);
  return (
    <Panel title={`Deliveries to ${webhook.url}`} aside="newest 50, stored for 30 days" bodyClassName="">
      <Loaded response={deliveries} failure="Could not load the deliveries." rows={4}>
        {(all) =>
          all.length === 0 ? (
            <EmptyState text="No deliveries yet. Send a test." />
          ) : (
            <ul aria-label="Deliveries">
              {all.map((delivery) => (
                <DeliveryRow key={delivery.id} webhookId={webhook.id} delivery={delivery} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Panel>
  );
}

function resultOf({ state, status, attempt_count: attempts, failure, duration_ms: ms }: WebhookDelivery): string {
  const tries = attempts === 1 ? '1 attempt' : `${attempts} attempts`;
  const responded = status === null ? (failure ?? 'No response') : `${status} in ${ms ?? 0} ms`;
  if (state === 'waiting') return attempts === 0 ? 'On its way' : `${responded} · waiting after ${tries}`;
  return `${state === 'sent' ? '' : 'Failed · '}${responded} · ${tries}`;
}

function DeliveryRow({ webhookId, delivery }: { webhookId: string; delivery: WebhookDelivery }) {
  const [isOpen, setOpen] = useState(false);
  const redeliver = useRedeliver(webhookId);
  const { id, event, sequence, state, created_at: createdAt, next_attempt_at: nextAt } = delivery;
  const send = (): void =>
    redeliver.mutate(id, {
      onSuccess: () => toast('Message queued again', 'success'),
      onError: (failure) => toastFailure('Could not resend the message', failure),
    });
  return (
    <li className="flex flex-col gap-2 border-b border-line px-3 py-2 last:border-b-0">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <span className="w-40 text-muted tabular-nums">
          <Time at={createdAt} />
        </span>
        <span className="w-44 font-mono">
          {event}
          {sequence !== null && <span className="text-muted"> #{sequence}</span>}
        </span>
        <span className={`min-w-44 flex-1 ${state === 'failed' ? 'text-down' : state === 'sent' ? 'text-up' : ''}`}>
          {resultOf(delivery)}
          {nextAt !== null && delivery.attempt_count > 0 && (
            <span className="text-muted">
              {' '}
              Next <Time at={nextAt} />
            </span>
          )}
        </span>
        <span className="flex gap-2">
          <button
            type="button"
            className="btn btn-small"
            aria-expanded={isOpen}
            aria-label={`Request of ${event} ${sequence ?? id}`}
            onClick={() => setOpen(!isOpen)}
          >
            Request
          </button>
          <button
            type="button"
            className="btn btn-small"
            aria-label={`Redeliver ${event} ${sequence ?? id}`}
            disabled={state === 'waiting' || redeliver.isPending}
            onClick={send}
          >
            Redeliver
          </button>
        </span>
      </div>
      {isOpen && <CodeBlock label={`Request of ${event}`} text={requestText(delivery)} />}
    </li>
  );
}

/** The request as it was sent, its body indented. Time and signature change with each attempt. */
function requestText({ id, body }: WebhookDelivery): string {
  return `webhook-id: msg_${id}\ncontent-type: application/json\n\n${JSON.stringify(JSON.parse(body), null, 2)}`;
}
