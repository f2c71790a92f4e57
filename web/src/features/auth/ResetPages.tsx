import { PASSWORD_LENGTH_MIN } from '@sextant/workers/src/limits.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { requestReset, resetPassword } from '../../api/auth.ts';
import { messageOf } from '../../api/failure.ts';
import { Notice } from '../../ui/Notice.tsx';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { AuthCard } from './AuthFrame.tsx';
import { validateAuth } from './authForm.ts';
import { useLinkToken } from './useLinkToken.ts';

const toSignIn = (
  <Link href="/login" className="text-accent underline-offset-2 hover:underline">
    Back to sign in
  </Link>
);

/** Asks for a mail. What it says is the same for every address. */
export function ForgotPasswordPage() {
  const [email, setEmail] = useState('');
  const [error, setError] = useState<string>();
  const ask = useMutation({ mutationFn: () => requestReset(email.trim()) });
  return (
    <AuthCard title="Forgot password">
      {ask.isSuccess ? (
        <Notice tone="info">
          If this address has an account, a mail with a link is on its way. The link works for one hour.
        </Notice>
      ) : (
        <form
          noValidate
          className="flex flex-col gap-3"
          onSubmit={(event) => {
            event.preventDefault();
            const found = validateAuth('signin', { email, password: '-' }).email;
            setError(found);
            if (found === undefined) ask.mutate();
          }}
        >
          <TextField
            label="Email"
            type="email"
            name="email"
            autoComplete="email"
            hint="We send a link to set a new password"
            error={error}
            value={email}
            onChange={(value) => {
              setEmail(value);
              setError(undefined);
            }}
          />
          {ask.error !== null && (
            <Notice tone="error">{messageOf(ask.error, 'The mail could not be requested')}</Notice>
          )}
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
  const reset = useMutation({ mutationFn: () => resetPassword({ token, password }) });
  return (
    <AuthCard title="Set a new password">
      {reset.isSuccess ? (
        <Notice tone="info">Your password is set, and all sessions were ended. Sign in with the new one.</Notice>
      ) : (
        <form
          noValidate
          className="flex flex-col gap-3"
          onSubmit={(event) => {
            event.preventDefault();
            const found = validateAuth('signup', { email: 'a@b.example', password }).password;
            setError(found);
            if (found === undefined) reset.mutate();
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
          {reset.error !== null && (
            <Notice tone="error">{messageOf(reset.error, 'The password could not be set')}</Notice>
          )}
          <button type="submit" className="btn btn-primary" disabled={reset.isPending}>
            {reset.isPending ? 'Processing...' : 'Set password'}
          </button>
        </form>
      )}
      <p>{toSignIn}</p>
    </AuthCard>
  );
}
