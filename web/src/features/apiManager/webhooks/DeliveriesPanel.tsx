import { useState } from 'react';
import type { Webhook, WebhookDelivery } from '../../../api/types.ts';
import { useRedeliver, useWebhookDeliveries } from '../../../api/webhooks.ts';
import { toast, toastFailure } from '../../../state/toasts.ts';
import { CodeBlock } from '../../../ui/CodeBlock.tsx';
import { Loaded } from '../../../ui/Loaded.tsx';
import { EmptyState, Panel } from '../../../ui/Panel.tsx';
import { Time } from '../../../ui/Time.tsx';

/** What was sent to a webhook, with the answer to each, and the body behind a press. */
export function DeliveriesPanel({ webhook }: { webhook: Webhook }) {
  const deliveries = useWebhookDeliveries(webhook.id);
  return (
    <Panel title={`Deliveries to ${webhook.url}`} aside="newest 50, kept for 30 days" bodyClassName="">
      <Loaded answer={deliveries} failure="The deliveries could not be read." rows={4}>
        {(all) =>
          all.length === 0 ? (
            <EmptyState text="Nothing was sent yet. Send a test to see it here." />
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
  const answered = status === null ? (failure ?? 'No answer') : `${status} in ${ms ?? 0} ms`;
  if (state === 'waiting') return attempts === 0 ? 'On its way' : `${answered} · waiting after ${tries}`;
  return `${state === 'sent' ? '' : 'Failed · '}${answered} · ${tries}`;
}

function DeliveryRow({ webhookId, delivery }: { webhookId: string; delivery: WebhookDelivery }) {
  const [isOpen, setOpen] = useState(false);
  const redeliver = useRedeliver(webhookId);
  const { id, event, sequence, state, created_at: createdAt, next_attempt_at: nextAt } = delivery;
  const send = (): void =>
    redeliver.mutate(id, {
      onSuccess: () => toast('The message is sent again', 'success'),
      onError: (failure) => toastFailure('The message was not sent again', failure),
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
