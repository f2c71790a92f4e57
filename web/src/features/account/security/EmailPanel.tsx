import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { queryKeys } from '../../../api/queryKeys.ts';
import { requestEmailChange } from '../../../api/security.ts';
import { useAppInfo } from '../../../api/useSession.ts';
import { isCancelled, withStepUp } from '../../../state/stepUp.ts';
import { toast } from '../../../state/toasts.ts';
import { Notice } from '../../../ui/Notice.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import { emailError, failureText } from './accountForm.ts';

export function EmailPanel({ email, pendingEmail }: { email: string; pendingEmail: string | null }) {
  const queryClient = useQueryClient();
  const app = useAppInfo();
  const [next, setNext] = useState('');
  const [error, setError] = useState<string>();
  const update = useMutation({
    mutationFn: () => withStepUp(() => requestEmailChange(next.trim())),
    onSuccess: () => {
      setNext('');
      toast('Email update requested. Check your new email for confirmation.', 'success');
      return queryClient.invalidateQueries({ queryKey: queryKeys.security.state });
    },
    onError: (failure) => setError(isCancelled(failure) ? undefined : failureText('Failed to update email', failure)),
  });
  return (
    <Panel title="Email" aside={email}>
      {app.data?.mail === false ? (
        <Notice tone="info">This installation sends no mail, so an email cannot be confirmed or changed.</Notice>
      ) : (
        <form
          noValidate
          className="flex flex-col gap-3"
          onSubmit={(event) => {
            event.preventDefault();
            const found = emailError(next);
            setError(found);
            if (found === undefined) update.mutate();
          }}
        >
          {pendingEmail !== null && (
            <Notice tone="info">
              Waiting for {pendingEmail} to be confirmed.
              {app.data?.outbox === true && (
                <>
                  {' '}
                  <a href="/outbox" target="_blank" rel="noreferrer" className="text-accent underline">
                    Read the mails of this demo
                  </a>
                </>
              )}
            </Notice>
          )}
          <TextField
            label="New email"
            type="email"
            name="email"
            autoComplete="email"
            hint="Changes once the new address is confirmed; the old one is told"
            error={error}
            value={next}
            onChange={(value) => {
              setNext(value);
              setError(undefined);
            }}
          />
          <button type="submit" className="btn self-start" disabled={update.isPending}>
            {update.isPending ? 'Processing...' : 'Update email'}
          </button>
        </form>
      )}
    </Panel>
  );
}
