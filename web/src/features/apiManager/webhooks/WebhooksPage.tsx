import { Plus, Webhook as WebhookIcon } from 'lucide-react';
import { useState } from 'react';
import { useWebhooks } from '../../../api/webhooks.ts';
import type { Webhook } from '../../../api/types.ts';
import { formatMany } from '../../../format/number.ts';
import { ArticleLink } from '../../../ui/ArticleLink.tsx';
import { Loaded } from '../../../ui/Loaded.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { Time } from '../../../ui/Time.tsx';
import { DeliveriesPanel } from './DeliveriesPanel.tsx';
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
interface Asked {
  webhook: Webhook;
  act: Act;
}

/** Webhooks of the account: made, changed, tested, and what was sent to each. */
export function WebhooksPage() {
  const webhooks = useWebhooks();
  const [isMaking, setMaking] = useState(false);
  const [secret, setSecret] = useState<ShownSecret | null>(null);
  const [openId, setOpenId] = useState<string | null>(null);
  const [asked, setAsked] = useState<Asked | null>(null);
  const count = webhooks.data?.webhooks.length ?? 0;
  const open = webhooks.data?.webhooks.find(({ id }) => id === openId);
  if (webhooks.data?.is_demo === true)
    return (
      <Notice tone="info">
        The demo account is shared, so it sends no messages. Create your own account to use webhooks.
      </Notice>
    );
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
        <Loaded answer={webhooks} failure="The webhooks could not be read." rows={3}>
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
                    onAct={(act) => setAsked({ webhook, act })}
                  />
                ))}
              </ul>
            </>
          )}
        </Loaded>
      </Panel>
      {open !== undefined && <DeliveriesPanel key={open.id} webhook={open} />}
      {asked !== null && <ActDialog {...asked} onClose={() => setAsked(null)} onRotated={setSecret} />}
    </>
  );
}

interface ActDialogProps extends Asked {
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
        Your server gets a signed POST when something happens, so that it need not ask. A message that is not answered
        with 2xx is sent again for three days. <ArticleLink slug="webhook-events">Events and their bodies</ArticleLink>,{' '}
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
          No message has arrived since <Time at={failingSince} />. Delivery is retried; the deliveries show when.
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
      Last sent <Time at={at} />: {status === null ? 'no answer' : `answered ${status}`} ·{' '}
      {formatMany(sequence, 'event')} so far
    </>
  );
}
