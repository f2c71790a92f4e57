import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { confirmNewEmail, confirmSignUp } from '../../api/auth.ts';
import { messageOf } from '../../api/failure.ts';
import { queryKeys } from '../../api/queryKeys.ts';
import { Notice } from '../../ui/Notice.tsx';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { AuthCard } from './AuthFrame.tsx';
import { useLinkToken } from './useLinkToken.ts';

/** The end of a sign-up where addresses are confirmed: the link and the password together open the account. */
export function ConfirmSignUpPage() {
  const token = useLinkToken();
  const [password, setPassword] = useState('');
  const queryClient = useQueryClient();
  const [, go] = useLocation();
  const confirm = useMutation({
    mutationFn: () => confirmSignUp({ token, password }),
    onSuccess: (user) => {
      queryClient.setQueryData(queryKeys.session, user);
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
          hint="The one you chose when you signed up"
          value={password}
          onChange={setPassword}
        />
        {confirm.error !== null && (
          <Notice tone="error">{messageOf(confirm.error, 'The email could not be confirmed')}</Notice>
        )}
        <button type="submit" className="btn btn-primary" disabled={confirm.isPending || password === ''}>
          {confirm.isPending ? 'Processing...' : 'Confirm and sign in'}
        </button>
      </form>
    </AuthCard>
  );
}

/** A press instead of the visit itself confirms: programs that look into mails open links too. */
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
        <Notice tone="info">{confirm.data} is the address of your account now. All other sessions were ended.</Notice>
      ) : (
        <>
          <p className="text-muted">Your account moves to this address, and all other sessions end.</p>
          {confirm.error !== null && (
            <Notice tone="error">{messageOf(confirm.error, 'The email could not be confirmed')}</Notice>
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
