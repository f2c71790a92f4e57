import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { finishSignIn, signIn, signInToDemo, type SignInResult, signUp } from '../../api/auth.ts';
import { ApiFailure, messageOf } from '../../api/failure.ts';
import { queryKeys } from '../../api/queryKeys.ts';
import { type AuthErrors, type AuthFields, type AuthMode, cleaned, isClean, validateAuth } from './authForm.ts';

/** The provider's words when there are any. */
const FALLBACK = 'Authentication failed';

type Way = AuthMode | 'demo' | 'code';

/** The form's draft, its errors and its ways in. A success puts the user into the session, and the shell follows. */
export function useAuthForm() {
  const queryClient = useQueryClient();
  const [mode, setMode] = useState<AuthMode>('signin');
  const [fields, setFields] = useState<AuthFields>({ email: '', password: '' });
  const [errors, setErrors] = useState<AuthErrors>({});
  const [challenge, setChallenge] = useState<string | null>(null);
  const [code, setCode] = useState('');

  const entry = useMutation({
    mutationFn: (way: Way): Promise<SignInResult> => {
      if (way === 'demo') return signInToDemo();
      if (way === 'code') return finishSignIn({ challenge: challenge ?? '', code: code.trim() });
      return way === 'signup' ? signUp(cleaned(fields)) : signIn(cleaned(fields));
    },
    onSuccess: (result) => {
      if ('challenge' in result) setChallenge(result.challenge);
      else queryClient.setQueryData(queryKeys.session, result.user);
    },
    onError: (failure, way) => {
      // The step between password and code took too long: it begins again with the password.
      if (way === 'code' && failure instanceof ApiFailure && failure.code === 'link_invalid') setChallenge(null);
      setCode('');
    },
  });

  const leaveCode = () => {
    setChallenge(null);
    setCode('');
    entry.reset();
  };
  return {
    mode,
    fields,
    errors,
    code,
    isCodeAsked: challenge !== null,
    isProcessing: entry.isPending,
    failure: entry.error === null ? null : messageOf(entry.error, FALLBACK),
    selectMode: (next: AuthMode) => {
      setMode(next);
      setErrors({});
      leaveCode();
    },
    edit: (change: Partial<AuthFields>) => {
      setFields((before) => ({ ...before, ...change }));
      setErrors({});
    },
    editCode: setCode,
    leaveCode,
    submit: () => {
      const found = validateAuth(mode, fields);
      setErrors(found);
      if (isClean(found)) entry.mutate(mode);
    },
    submitCode: () => {
      if (code.trim() !== '') entry.mutate('code');
    },
    tryDemo: () => entry.mutate('demo'),
  };
}
