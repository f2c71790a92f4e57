import { useState } from 'react';
import { messageOf } from '../../../api/failure.ts';
import type { Webhook } from '../../../api/types.ts';
import { useChangeWebhook, useDeleteWebhook, useRotateWebhook, useTestWebhook } from '../../../api/webhooks.ts';
import { toastFailure } from '../../../state/toastFailure.ts';
import { toast } from '../../../state/toasts.ts';
import { ConfirmDialog, DialogButtons } from '../../../ui/ConfirmDialog.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Switch } from '../../../ui/Switch.tsx';
import { EventBoxes, noEvents, type ShownSecret, UrlField, urlErrorOf, type WebhookEvent } from './WebhookForms.tsx';

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
          toast('The webhook was changed', 'success');
          onClose();
        },
        onError: (failure) => toastFailure('The webhook could not be changed', failure),
      },
    );
  };
  return (
    <Dialog title="Edit webhook" text="Changes count for the next message." isOpen onClose={onClose}>
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
      text="The message has the type “test” and carries an example of the event, so that no program takes it for a real one."
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
  const submit = (): void =>
    rotate.mutate(webhook.id, {
      onSuccess: ({ secret, previous_until: previousUntil }) => {
        onRotated({ url: webhook.url, secret, previousUntil });
        onClose();
        window.scrollTo(0, 0);
      },
      onError: (failure) => toastFailure('The secret could not be rotated', failure),
    });
  return (
    <ConfirmDialog
      title="Rotate the secret?"
      text="Messages are signed with both secrets for 24 hours, so that your receiver can change over without losing one."
      label="Rotate"
      isBusy={rotate.isPending}
      onConfirm={submit}
      onClose={onClose}
    />
  );
}

export function DeleteWebhookDialog({ webhook, onClose }: Props) {
  const remove = useDeleteWebhook();
  // By its promise: the event of the deletion may take the row and this dialog away before the answer is here.
  const submit = (): void =>
    void remove.mutateAsync(webhook.id).then(
      () => {
        toast('The webhook was deleted', 'success');
        onClose();
      },
      (failure: unknown) => toastFailure('The webhook could not be deleted', failure),
    );
  return (
    <ConfirmDialog
      title="Delete the webhook?"
      text={`${webhook.url} gets no further messages, and the list of its deliveries is deleted.`}
      label="Delete"
      isBusy={remove.isPending}
      isDangerous
      onConfirm={submit}
      onClose={onClose}
    />
  );
}
