import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { queryKeys } from '../../../api/queryKeys.ts';
import { fetchUsername, updateUsername } from '../../../api/security.ts';
import { toast } from '../../../state/toasts.ts';
import { Panel } from '../../../ui/Panel.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import { failureText, usernameError } from './accountForm.ts';

export function UsernamePanel() {
  const queryClient = useQueryClient();
  const saved = useQuery({ queryKey: queryKeys.security.username, queryFn: ({ signal }) => fetchUsername(signal) });
  const [draft, setDraft] = useState<string>();
  const [error, setError] = useState<string>();
  const value = draft ?? saved.data ?? '';
  const update = useMutation({
    mutationFn: () => updateUsername(value),
    onSuccess: (username) => {
      queryClient.setQueryData(queryKeys.security.username, username);
      setDraft(undefined);
      toast(`Username updated to @${username ?? ''}`, 'success');
    },
    onError: (failure) => setError(failureText('Failed to update username', failure)),
  });
  return (
    <Panel title="Username">
      <form
        noValidate
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          const found = usernameError(value);
          setError(found);
          if (found === undefined) update.mutate();
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
        <button type="submit" className="btn self-start" disabled={update.isPending || saved.isPending}>
          {update.isPending ? 'Processing...' : 'Update username'}
        </button>
      </form>
    </Panel>
  );
}
