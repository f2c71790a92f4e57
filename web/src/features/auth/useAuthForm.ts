import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { signIn, signInToDemo, signUp } from '../../api/auth.ts';
import { messageOf } from '../../api/failure.ts';
import { queryKeys } from '../../api/queryKeys.ts';
import { type AuthErrors, type AuthFields, type AuthMode, cleaned, isClean, validateAuth } from './authForm.ts';

/** AUTH-022: the provider's words when there are any. */
const FALLBACK = 'Authentication failed';

/** The form's draft, its errors and its two ways in. A success puts the user into the session, and the shell follows. */
export function useAuthForm() {
  const queryClient = useQueryClient();
  const [mode, setMode] = useState<AuthMode>('signin');
  const [fields, setFields] = useState<AuthFields>({ email: '', password: '' });
  const [errors, setErrors] = useState<AuthErrors>({});

  const entry = useMutation({
    mutationFn: async (way: AuthMode | 'demo') => {
      if (way === 'demo') return signInToDemo();
      return way === 'signup' ? signUp(cleaned(fields)) : signIn(cleaned(fields));
    },
    onSuccess: (user) => queryClient.setQueryData(queryKeys.session, user),
  });

  return {
    mode,
    fields,
    errors,
    isProcessing: entry.isPending,
    failure: entry.error === null ? null : messageOf(entry.error, FALLBACK),
    selectMode: (next: AuthMode) => {
      setMode(next);
      setErrors({});
      entry.reset();
    },
    edit: (change: Partial<AuthFields>) => {
      setFields((before) => ({ ...before, ...change }));
      setErrors({});
    },
    submit: () => {
      const found = validateAuth(mode, fields);
      setErrors(found);
      if (isClean(found)) entry.mutate(mode);
    },
    tryDemo: () => entry.mutate('demo'),
  };
}
