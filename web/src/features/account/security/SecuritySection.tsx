// Long because it is one page of the account with its forms.
import { withoutUndefined } from '@sextant/workers/src/core/withoutUndefined.ts';
import { PASSWORD_LENGTH_MIN } from '@sextant/workers/src/core/limits.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiFailure, failureText, messageOf } from '../../../api/failure.ts';
import { queryKeys } from '../../../api/queryKeys.ts';
import {
  endOtherSessions,
  endSession,
  fetchSecurity,
  fetchSessions,
  fetchUsername,
  requestEmailChange,
  updatePassword,
  updateUsername,
} from '../../../api/account.ts';
import { useAppInfo, useSession } from '../../../api/useSession.ts';
import { isCancelled, withStepUp } from '../../../state/stepUp.ts';
import { toast, toastFailure } from '../../../state/toasts.ts';
import { Guarded } from '../../../ui/Guarded.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { ErrorState, Panel, SkeletonRows } from '../../../ui/Panel.tsx';
import { CheckBox } from '../../../ui/CheckBox.tsx';
import { PasswordField } from '../../../ui/PasswordField.tsx';
import { TextField } from '../../../ui/Field.tsx';
import { Time } from '../../../ui/Time.tsx';
import { TwoFactorPanel } from './TwoFactorPanel.tsx';
import { storeResponse } from '../../../api/storeResponse.ts';

/** Security page of the account: email, password, two-factor sign-in and sessions. */
export function SecuritySection() {
  const session = useSession();
  const security = useQuery({
    queryKey: queryKeys.security.state,
    queryFn: ({ signal }) => fetchSecurity(signal),
  });
  if (security.isPending) return <SkeletonRows rows={6} height={48} />;
  if (security.error !== null) {
    return (
      <ErrorState
        failure={security.error}
        text={messageOf(security.error, 'Could not load the settings')}
        onRetry={() => void security.refetch()}
      />
    );
  }
  if (!security.data.has_password) {
    return <Notice tone="info">Sign up for your own account to manage username, password and sessions.</Notice>;
  }
  return (
    <div className="grid items-start gap-3 lg:grid-cols-2">
      <Guarded>
        <UsernamePanel />
        <EmailPanel email={session.data?.email ?? ''} pendingEmail={security.data.pending_email} />
        <PasswordPanel email={session.data?.email ?? ''} />
        <TwoFactorPanel isOn={security.data.two_factor} codesLeft={security.data.recovery_codes_left} />
        <SessionsPanel />
      </Guarded>
    </div>
  );
}

function UsernamePanel() {
  const queryClient = useQueryClient();
  const saved = useQuery({ queryKey: queryKeys.security.username, queryFn: ({ signal }) => fetchUsername(signal) });
  const [draft, setDraft] = useState<string>();
  const [error, setError] = useState<string>();
  const value = draft ?? saved.data ?? '';
  const update = useMutation({
    mutationFn: () => updateUsername(value),
    onSuccess: async (username) => {
      await storeResponse(queryClient, queryKeys.security.username, username);
      setDraft(undefined);
      toast(`Username updated to @${username ?? ''}`, 'success');
    },
    onError: (failure) => setError(failureText('Failed to update username', failure)),
  });
  // A name typed before the current one has loaded may be submitted: Enter on a disabled button would give no feedback.
  const isWaiting = update.isPending || (saved.isPending && draft === undefined);
  return (
    <Panel title="Username">
      <form
        noValidate
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          const result = usernameError(value);
          setError(result);
          if (result === undefined) update.mutate();
        }}
      >
        <TextField
          label="Username"
          name="username"
          autoComplete="username"
          hint="3 to 20 letters, digits or underscores; stored in lower case"
          error={error}
          value={value}
          onChange={(next) => {
            setDraft(next);
            setError(undefined);
          }}
        />
        <button type="submit" className="btn self-start" disabled={isWaiting}>
          {update.isPending ? 'Processing...' : 'Update username'}
        </button>
      </form>
    </Panel>
  );
}

function EmailPanel({ email, pendingEmail }: { email: string; pendingEmail: string | null }) {
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
        <Notice tone="info">Email is off on this installation, so your address stays as it is.</Notice>
      ) : (
        <form
          noValidate
          className="flex flex-col gap-3"
          onSubmit={(event) => {
            event.preventDefault();
            const result = emailError(next);
            setError(result);
            if (result === undefined) update.mutate();
          }}
        >
          {pendingEmail !== null && (
            <Notice tone="info">
              Waiting for {pendingEmail} to be confirmed.
              {app.data?.outbox === true && (
                <>
                  {' '}
                  <a href="/outbox" target="_blank" rel="noreferrer" className="text-accent underline">
                    Read the demo emails
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
            hint="Changes once you confirm the new address. We also notify the old address."
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

const empty = { current: '', next: '', isRevoking: false };
type PasswordErrors = Partial<Record<'current' | 'next', string>>;

function PasswordPanel({ email }: { email: string }) {
  const queryClient = useQueryClient();
  const [fields, setFields] = useState(empty);
  const [errors, setErrors] = useState<PasswordErrors>({});
  const update = useMutation({
    meta: { changesSession: true },
    mutationFn: () =>
      withStepUp(() =>
        updatePassword({
          current_password: fields.current,
          password: fields.next,
          revoke_api_keys: fields.isRevoking,
        }),
      ),
    onSuccess: () => {
      setFields(empty);
      toast('Password updated successfully', 'success');
      if (fields.isRevoking) void queryClient.invalidateQueries({ queryKey: queryKeys.apiAccess.keys });
      // A read on its way may have been sent with the old session.
      void queryClient.invalidateQueries({ queryKey: queryKeys.session });
      return queryClient.invalidateQueries({ queryKey: queryKeys.security.sessions });
    },
    onError: (failure) => {
      if (isCancelled(failure)) return;
      const isCurrent = failure instanceof ApiFailure && failure.field === 'current_password';
      setErrors({ [isCurrent ? 'current' : 'next']: failureText('Failed to update password', failure) });
    },
  });
  const edit = (change: Partial<typeof empty>) => {
    setFields((before) => ({ ...before, ...change }));
    setErrors({});
  };
  return (
    <Panel title="Password">
      <form
        noValidate
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          const next = passwordError(fields.next);
          const current = fields.current === '' ? 'Password cannot be empty' : undefined;
          setErrors(withoutUndefined({ next, current }));
          if (next === undefined && current === undefined) update.mutate();
        }}
      >
        <PasswordField
          kind="current"
          label="Current password"
          error={errors.current}
          value={fields.current}
          onChange={(current) => edit({ current })}
        />
        <PasswordField
          kind="new"
          label="New password"
          hint={`At least ${PASSWORD_LENGTH_MIN} characters. All other sessions end.`}
          error={errors.next}
          about={[email]}
          value={fields.next}
          onChange={(next) => edit({ next })}
        />
        <CheckBox
          label="Revoke all API keys too"
          isOn={fields.isRevoking}
          onToggle={(isRevoking) => edit({ isRevoking })}
        />
        <button type="submit" className="btn self-start" disabled={update.isPending}>
          {update.isPending ? 'Processing...' : 'Update password'}
        </button>
      </form>
    </Panel>
  );
}

const passwordLengthMin = 6;
const emailShape = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

const usernameError = (username: string): string | undefined =>
  username.trim() === '' ? 'Username cannot be empty' : undefined;

function emailError(email: string): string | undefined {
  if (email.trim() === '') return 'Email cannot be empty';
  return emailShape.test(email.trim()) ? undefined : 'Please enter a valid email address';
}

function passwordError(password: string): string | undefined {
  if (password === '') return 'Password cannot be empty';
  return password.length < passwordLengthMin ? `Password must be at least ${passwordLengthMin} characters` : undefined;
}

const browsers: [RegExp, string][] = [
  [/\bEdg\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const systems: [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

const nameIn = (names: [RegExp, string][], text: string): string | undefined =>
  names.find(([pattern]) => pattern.test(text))?.[1];

/**
 * `Chrome on Windows` from a User-Agent; its first characters for an unknown browser. A User-Agent can claim anything, so this is a hint.
 */
function deviceName(userAgent: string | null): string {
  if (userAgent === null || userAgent === '') return 'Unknown device';
  const browser = nameIn(browsers, userAgent);
  const system = nameIn(systems, userAgent);
  if (browser === undefined) return userAgent.slice(0, 40);
  return system === undefined ? browser : `${browser} on ${system}`;
}

type Session = Awaited<ReturnType<typeof fetchSessions>>[number];

/** The open sessions of the account; each can be ended. */
function SessionsPanel() {
  const queryClient = useQueryClient();
  const sessions = useQuery({ queryKey: queryKeys.security.sessions, queryFn: ({ signal }) => fetchSessions(signal) });
  // Null ends all sessions but this one.
  const end = useMutation({
    mutationFn: (id: string | null) => (id === null ? endOtherSessions() : endSession(id)),
    onSuccess: (_done, id) => toast(id === null ? 'All other sessions ended' : 'Session ended', 'success'),
    onError: (failure) => toastFailure('Could not end the session', failure),
    onSettled: () => queryClient.invalidateQueries({ queryKey: queryKeys.security.sessions }),
  });
  const hasOthers = sessions.data?.some((session) => !session.is_current) === true;
  return (
    <Panel
      title="Sessions"
      className="lg:col-span-2"
      bodyClassName=""
      aside={
        hasOthers && (
          <button type="button" className="btn btn-small" disabled={end.isPending} onClick={() => end.mutate(null)}>
            End all others
          </button>
        )
      }
    >
      {sessions.isPending && <SkeletonRows rows={3} />}
      {sessions.error !== null && (
        <ErrorState failure={sessions.error} text={messageOf(sessions.error, 'Could not load the sessions')} />
      )}
      <ul>
        {sessions.data?.map((session) => (
          <SessionRow key={session.id} session={session} isBusy={end.isPending} onEnd={() => end.mutate(session.id)} />
        ))}
      </ul>
    </Panel>
  );
}

function SessionRow({ session, isBusy, onEnd }: { session: Session; isBusy: boolean; onEnd: () => void }) {
  const name = deviceName(session.user_agent);
  return (
    <li className="flex min-h-12 items-center gap-3 border-b border-line px-3 py-2 last:border-b-0">
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium" title={session.user_agent ?? undefined}>
          {name}
          {session.is_current && <span className="ml-2 text-label font-normal text-accent">This session</span>}
        </p>
        <p className="text-label text-muted tabular-nums">
          {session.ip ?? 'Unknown address'} · signed in <Time at={session.created_at} /> · last seen{' '}
          <Time at={session.last_seen_at} />
        </p>
      </div>
      {!session.is_current && (
        <button
          type="button"
          className="btn btn-small"
          aria-label={`End the session of ${name}`}
          disabled={isBusy}
          onClick={onEnd}
        >
          End
        </button>
      )}
    </li>
  );
}
