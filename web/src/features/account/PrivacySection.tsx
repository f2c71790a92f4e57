import { AlertDialog } from '@base-ui/react/alert-dialog';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { useSnapshot } from 'valtio';
import { fetchDeletion, fetchExport, fetchPrivacy, requestDeletion, savePrivacy } from '../../api/account.ts';
import { messageOf } from '../../api/failure.ts';
import { queryKeys } from '../../api/queryKeys.ts';
import type { Privacy } from '../../api/types.ts';
import { useSession } from '../../api/useSession.ts';
import { stepUpState, withStepUp } from '../../state/stepUp.ts';
import { toast } from '../../state/toasts.ts';
import { Field } from '../../ui/Field.tsx';
import { Guarded } from '../../ui/Guarded.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { ErrorState, Panel, SkeletonRows } from '../../ui/Panel.tsx';
import { Switch } from '../../ui/Switch.tsx';
import { Time } from '../../ui/Time.tsx';
import { downloadText } from '../../ui/download.ts';
import { storeResponse } from '../../api/storeResponse.ts';

/** Effect of each choice. The texts promise no more than the product does. */
const choices: { key: keyof Privacy; label: string; text: string }[] = [
  {
    key: 'analytics',
    label: 'Analytics',
    text: 'Share loading times without your name. Figures: /api/measured. Off: nothing is sent.',
  },
  {
    key: 'research_sharing',
    label: 'Research sharing',
    text: 'Count your server backtests in statistics by market and interval (5 users or more) at /api/research/backtests. Off: excluded.',
  },
  {
    key: 'marketing',
    label: 'Marketing',
    text: 'Get occasional news by email from the operator. Off: none.',
  },
  {
    key: 'public_stats',
    label: 'Public stats',
    text: 'Anyone with your username sees your name, bio, pictures and join date. They also see your number of closed simulated positions, win rate and net result. Off: only you. Browsers may cache pictures for an hour.',
  },
  {
    key: 'leaderboard',
    label: 'Leaderboard',
    text: 'Join the ranking of simulated results with a username and ten closed positions. Off: hidden.',
  },
  {
    key: 'allow_follow',
    label: 'Allow follow',
    text: 'Let others follow you in the ranking. Off: current followers are removed.',
  },
];

export function PrivacySection() {
  return (
    <div className="flex flex-col gap-4">
      <Panel title="What you allow" bodyClassName="">
        <Choices />
      </Panel>
      <Guarded>
        <ExportPanel />
        <DeletionPanel />
      </Guarded>
    </div>
  );
}

function Choices() {
  const queryClient = useQueryClient();
  const privacy = useQuery({ queryKey: queryKeys.account.privacy, queryFn: fetchPrivacy });
  const show = (change: Partial<Privacy>) =>
    queryClient.setQueryData<Privacy>(queryKeys.account.privacy, (shown) =>
      shown === undefined ? shown : { ...shown, ...change },
    );
  const save = useMutation({
    mutationFn: savePrivacy,
    // Optimistic update; reverted when it could not be saved.
    onMutate: (change) => show(change),
    onSuccess: (saved) => storeResponse(queryClient, queryKeys.account.privacy, saved),
    onError: (_failure, change) => {
      show(Object.fromEntries(Object.entries(change).map(([key, value]) => [key, !value])));
      toast('Save failed', 'error');
    },
  });
  const shown = privacy.data;
  if (shown === undefined && privacy.isError)
    return <ErrorState text="Failed to initialize" onRetry={() => void privacy.refetch()} />;
  return (
    <ul aria-busy={shown === undefined}>
      {choices.map(({ key, label, text }) => (
        <li key={key} className="flex items-center gap-4 border-b border-line px-3 py-2.5 last:border-b-0">
          <div className="min-w-0 flex-1">
            <p className="font-medium">{label}</p>
            <p className="text-label text-muted">{text}</p>
          </div>
          {shown === undefined ? (
            <span className="skeleton h-4.5 w-8" />
          ) : (
            <Switch label={label} isOn={shown[key]} onToggle={(isOn) => save.mutate({ [key]: isOn })} />
          )}
        </li>
      ))}
    </ul>
  );
}

function ExportPanel() {
  const exporting = useMutation({
    mutationFn: fetchExport,
    onSuccess: ({ text }) => {
      downloadText(`sextant-export-${new Date().toISOString().slice(0, 10)}.json`, text, 'application/json');
      toast('Data exported successfully!', 'success');
    },
    onError: () => toast('Failed to export data', 'error'),
  });
  const files = exporting.data?.files ?? [];
  return (
    <Panel title="Export" bodyClassName="flex flex-col items-start gap-3 p-3">
      <p className="text-muted">
        Download all your data as JSON. Password hashes, tokens and keys are listed by name only.
      </p>
      <button type="button" className="btn" disabled={exporting.isPending} onClick={() => exporting.mutate()}>
        <Download size={14} aria-hidden="true" /> {exporting.isPending ? 'Collecting…' : 'Export my data'}
      </button>
      {exporting.isSuccess && (
        <div>
          <p className="text-label text-muted">
            {files.length === 0 ? 'No stored files.' : 'Your files, one download each:'}
          </p>
          <ul>
            {files.map(({ path, url }) => (
              <li key={path}>
                <a href={url} download className="text-accent underline underline-offset-2">
                  {path.split('/').at(-1)}
                </a>
              </li>
            ))}
          </ul>
        </div>
      )}
    </Panel>
  );
}

const daysText = (days: number): string => (days === 1 ? 'one day' : `${days} days`);

function DeletionPanel() {
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
        <p className="text-muted">This demo account is deleted a day after its last use.</p>
      )}
      {state?.is_deletable === true && state.erase_after !== null && (
        <p>
          Deletion requested. We erase everything on <Time at={state.erase_after} />. To stop it, keep the account at
          the top of this page.
        </p>
      )}
      {state?.is_deletable === true && state.erase_after === null && (
        <>
          <p className="text-muted">
            Everything in the account is erased after {daysText(state.grace_days)}, credits included. Sign in before
            then to keep the account. Requesting deletion signs you out everywhere and hides your public profile,
            pictures and rank. We confirm by email.
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
  // Hidden while the shell requests password or code: two dialogs would fight for the focus.
  const { asks } = useSnapshot(stepUpState);
  const request = useMutation({
    mutationFn: () => withStepUp(() => requestDeletion({ email: typed })),
    // The server has ended every session, this one too.
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
            Deletion signs you out everywhere and hides your profile. For {daysText(graceDays)} you can sign in and keep
            the account. After that we erase preferences, backtests, credits and pictures for good. Receipts of
            purchases stay in the seller&apos;s books without anything that names you.
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
              <Notice tone="error">{messageOf(request.error, 'Could not delete. Try again.')}</Notice>
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
