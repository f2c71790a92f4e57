import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '../../../api/failure.ts';
import { renewWebhookSecret, saveWebhook } from '../../../api/notifications.ts';
import { queryKeys } from '../../../api/queryKeys.ts';
import type { Notifications } from '../../../api/types.ts';
import { toast } from '../../../state/toasts.ts';
import { Notice } from '../../../ui/Notice.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import { Time } from '../../../ui/Time.tsx';
import { toastFailure } from '../security/accountForm.ts';
import { TargetControls } from './TargetControls.tsx';

export function WebhookPanel({ settings }: { settings: Notifications }) {
  const { webhook, practice_receiver: practice } = settings;
  const client = useQueryClient();
  const [typed, setTyped] = useState<string | null>(null);
  const [shown, setShown] = useState<ShownSecret | null>(null);
  const url = typed ?? webhook?.url ?? '';
  const save = useMutation({
    mutationFn: saveWebhook,
    onSuccess: (answer) => {
      setTyped(null);
      if (answer.secret !== null) setShown({ secret: answer.secret, previousUntil: null });
      toast('Webhook saved', 'success');
      return client.invalidateQueries({ queryKey: queryKeys.notifications.settings });
    },
  });
  const renew = useMutation({
    mutationFn: renewWebhookSecret,
    onSuccess: (answer) => setShown({ secret: answer.secret, previousUntil: answer.previous_until }),
    onError: (failure) => toastFailure('The key was not replaced', failure),
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
          hint="https at a public address, port 443 or 8443. Redirects are not followed."
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
        <span className="font-mono">webhook-timestamp</span>, <span className="font-mono">webhook-signature</span>). It
        is not shown again.
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
