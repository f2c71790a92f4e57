import { PASSWORD_LENGTH_MIN } from '@sextant/workers/src/core/limits.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { confirmNewEmail, confirmSignUp, requestReset, resetPassword } from '../../api/auth.ts';
import { messageOf } from '../../api/failure.ts';
import { queryKeys } from '../../api/queryKeys.ts';
import { Notice } from '../../ui/Notice.tsx';
import { CheckBox } from '../../ui/CheckBox.tsx';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { TextField } from '../../ui/Field.tsx';
import { validateAuth } from './authForm.ts';
import { AuthCard } from './AuthFrame.tsx';
import { storeResponse } from '../../api/storeResponse.ts';

/** The end of a sign-up where addresses are confirmed: the link and the password together open the account. */
export function ConfirmSignUpPage() {
  const token = useLinkToken();
  const [password, setPassword] = useState('');
  const queryClient = useQueryClient();
  const [, go] = useLocation();
  const confirm = useMutation({
    mutationFn: () => confirmSignUp({ token, password }),
    onSuccess: async (user) => {
      await storeResponse(queryClient, queryKeys.session, user);
      go('/', { replace: true });
    },
  });
  return (
    <AuthCard title="Confirm your email">
      <form
        noValidate
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          if (password !== '') confirm.mutate();
        }}
      >
        <PasswordField
          kind="current"
          label="Password"
          hint="Your sign-up password"
          value={password}
          onChange={setPassword}
        />
        {confirm.error !== null && (
          <Notice tone="error">{messageOf(confirm.error, 'Could not confirm the email')}</Notice>
        )}
        <button type="submit" className="btn btn-primary" disabled={confirm.isPending || password === ''}>
          {confirm.isPending ? 'Processing...' : 'Confirm and sign in'}
        </button>
      </form>
    </AuthCard>
  );
}

/** A press confirms, not the visit: email scanners open links too. */
export function ConfirmNewEmailPage() {
  const token = useLinkToken();
  const queryClient = useQueryClient();
  const confirm = useMutation({
    mutationFn: () => confirmNewEmail(token),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: queryKeys.session }),
  });
  return (
    <AuthCard title="Confirm your new email">
      {confirm.isSuccess ? (
        <Notice tone="info">{confirm.data} is your new account email. All other sessions ended.</Notice>
      ) : (
        <>
          <p className="text-muted">Use this address for your account. All other sessions end.</p>
          {confirm.error !== null && (
            <Notice tone="error">{messageOf(confirm.error, 'Could not confirm the email')}</Notice>
          )}
          <button
            type="button"
            className="btn btn-primary"
            disabled={confirm.isPending}
            onClick={() => confirm.mutate()}
          >
            {confirm.isPending ? 'Processing...' : 'Use this email'}
          </button>
        </>
      )}
      <p>
        <Link href="/" className="text-accent underline-offset-2 hover:underline">
          Go to Sextant
        </Link>
      </p>
    </AuthCard>
  );
}

/**
 * The token of an emailed link, from the fragment, which browsers never send to a server. Removed from the address bar after mounting, so
 * that it does not stay in the history. Not during rendering, which may happen twice.
 */
function useLinkToken(): string {
  const [token] = useState(() => window.location.hash.slice(1));
  useEffect(() => {
    if (window.location.hash !== '') window.history.replaceState(null, '', window.location.pathname);
  }, []);
  return token;
}

const toSignIn = (
  <Link href="/login" className="text-accent underline-offset-2 hover:underline">
    Back to sign in
  </Link>
);

/** Requests an email. The text is the same for every address. */
export function ForgotPasswordPage() {
  const [email, setEmail] = useState('');
  const [error, setError] = useState<string>();
  const ask = useMutation({ mutationFn: () => requestReset(email.trim()) });
  return (
    <AuthCard title="Forgot password">
      {ask.isSuccess ? (
        <Notice tone="info">If this address has an account, we emailed a link. It works for one hour.</Notice>
      ) : (
        <form
          noValidate
          className="flex flex-col gap-3"
          onSubmit={(event) => {
            event.preventDefault();
            const result = validateAuth('signin', { email, password: '-' }).email;
            setError(result);
            if (result === undefined) ask.mutate();
          }}
        >
          <TextField
            label="Email"
            type="email"
            name="email"
            autoComplete="email"
            hint="Get a link to set a new password"
            error={error}
            value={email}
            onChange={(value) => {
              setEmail(value);
              setError(undefined);
            }}
          />
          {ask.error !== null && <Notice tone="error">{messageOf(ask.error, 'Could not request the email')}</Notice>}
          <button type="submit" className="btn btn-primary" disabled={ask.isPending}>
            {ask.isPending ? 'Processing...' : 'Send the link'}
          </button>
        </form>
      )}
      <p>{toSignIn}</p>
    </AuthCard>
  );
}

export function ResetPasswordPage() {
  const token = useLinkToken();
  const [password, setPassword] = useState('');
  const [error, setError] = useState<string>();
  const [isRevoking, setIsRevoking] = useState(true);
  const reset = useMutation({
    mutationFn: () => resetPassword({ token, password, revoke_api_keys: isRevoking }),
  });
  return (
    <AuthCard title="Set a new password">
      {reset.isSuccess ? (
        <Notice tone="info">
          Password set. All sessions ended{isRevoking ? ', API keys too' : ''}. Sign in with the new one.
        </Notice>
      ) : (
        <form
          noValidate
          className="flex flex-col gap-3"
          onSubmit={(event) => {
            event.preventDefault();
            const result = validateAuth('signup', { email: 'a@b.example', password }).password;
            setError(result);
            if (result === undefined) reset.mutate();
          }}
        >
          <PasswordField
            kind="new"
            label="New password"
            hint={`At least ${PASSWORD_LENGTH_MIN} characters`}
            error={error}
            value={password}
            onChange={(value) => {
              setPassword(value);
              setError(undefined);
            }}
          />
          <CheckBox label="Revoke all API keys" isOn={isRevoking} onToggle={setIsRevoking} />
          {reset.error !== null && <Notice tone="error">{messageOf(reset.error, 'Could not set the password')}</Notice>}
          <button type="submit" className="btn btn-primary" disabled={reset.isPending}>
            {reset.isPending ? 'Processing...' : 'Set password'}
          </button>
        </form>
      )}
      <p>{toSignIn}</p>
    </AuthCard>
  );
}
