import { AlertDialog } from '@base-ui/react/alert-dialog';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useSnapshot } from 'valtio';
import { fetchDeletion, requestDeletion } from '../../../api/account.ts';
import { messageOf } from '../../../api/failure.ts';
import { queryKeys } from '../../../api/queryKeys.ts';
import { useSession } from '../../../api/useSession.ts';
import { stepUpState, withStepUp } from '../../../state/stepUp.ts';
import { Field } from '../../../ui/Field.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { ErrorState, Panel, SkeletonRows } from '../../../ui/Panel.tsx';
import { Time } from '../../../ui/Time.tsx';

const daysText = (days: number): string => (days === 1 ? 'one day' : `${days} days`);

export function DeletionPanel() {
  const deletion = useQuery({ queryKey: queryKeys.account.deletion, queryFn: fetchDeletion });
  const state = deletion.data;
  return (
    <Panel title="Delete account" bodyClassName="flex flex-col items-start gap-3 p-3">
      {state === undefined &&
        (deletion.isError ? (
          <ErrorState text="Failed to initialize" onRetry={() => void deletion.refetch()} />
        ) : (
          <SkeletonRows rows={2} />
        ))}
      {state?.is_deletable === false && (
        <p className="text-muted">The demo account is shared, so it cannot be deleted.</p>
      )}
      {state?.is_deletable === true && state.erase_after !== null && (
        <p>
          Deletion is requested. Everything is erased on <Time at={state.erase_after} /> unless you keep the account, at
          the top of this page.
        </p>
      )}
      {state?.is_deletable === true && state.erase_after === null && (
        <>
          <p className="text-muted">
            Everything in the account is erased after {daysText(state.grace_days)}, credits included. Until then you can
            sign in and keep the account. You are signed out everywhere at once, and your public profile, pictures and
            place in the ranking are hidden. A mail confirms the request.
          </p>
          <DeletionDialog graceDays={state.grace_days} />
        </>
      )}
    </Panel>
  );
}

function DeletionDialog({ graceDays }: { graceDays: number }) {
  const queryClient = useQueryClient();
  const email = useSession().data?.email ?? '';
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  // Out of the way while the shell asks for password or code: two dialogs would fight for the focus.
  const { asks } = useSnapshot(stepUpState);
  const request = useMutation({
    mutationFn: () => withStepUp(() => requestDeletion({ email: typed })),
    // Every session has ended, this one too.
    onSuccess: () => queryClient.setQueryData(queryKeys.session, null),
  });
  const isRight = email !== '' && typed.trim().toLowerCase() === email;
  return (
    <AlertDialog.Root
      open={isOpen && asks === null}
      onOpenChange={(next) => {
        setOpen(next);
        setTyped('');
        request.reset();
      }}
    >
      <AlertDialog.Trigger className="btn btn-danger">Request account deletion</AlertDialog.Trigger>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="fixed inset-0 z-40 bg-bg/70" />
        <AlertDialog.Popup className="popup fixed top-1/2 left-1/2 z-50 flex w-[min(440px,calc(100vw-24px))] -translate-x-1/2 -translate-y-1/2 flex-col gap-3 p-4">
          <AlertDialog.Title className="text-section font-semibold">Delete your account?</AlertDialog.Title>
          <AlertDialog.Description className="text-muted">
            You are signed out everywhere now and others no longer see your profile. For {daysText(graceDays)} you can
            sign in and keep the account; after that preferences, backtests, credits and pictures are erased for good.
          </AlertDialog.Description>
          <form
            className="flex flex-col gap-3"
            onSubmit={(event) => {
              event.preventDefault();
              if (isRight) request.mutate();
            }}
          >
            <Field label="Type your email address to confirm" hint={email}>
              {(ids) => (
                <input
                  {...ids}
                  className="input"
                  autoComplete="off"
                  spellCheck={false}
                  value={typed}
                  onChange={(event) => setTyped(event.target.value)}
                />
              )}
            </Field>
            {request.isError && (
              <Notice tone="error">{messageOf(request.error, 'Nothing was deleted. Try again.')}</Notice>
            )}
            <div className="flex justify-end gap-2">
              <AlertDialog.Close className="btn">Keep my account</AlertDialog.Close>
              <button type="submit" className="btn btn-danger" disabled={!isRight || request.isPending}>
                Delete in {daysText(graceDays)}
              </button>
            </div>
          </form>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
