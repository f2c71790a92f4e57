import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiFailure } from '../../../api/failure.ts';
import { queryKeys } from '../../../api/queryKeys.ts';
import { updatePassword } from '../../../api/security.ts';
import { isCancelled, withStepUp } from '../../../state/stepUp.ts';
import { toast } from '../../../state/toasts.ts';
import { Panel } from '../../../ui/Panel.tsx';
import { PasswordField } from '../../../ui/PasswordField.tsx';
import { failureText, passwordError } from './accountForm.ts';

const empty = { current: '', next: '' };

export function PasswordPanel({ email }: { email: string }) {
  const queryClient = useQueryClient();
  const [fields, setFields] = useState(empty);
  const [errors, setErrors] = useState<Partial<typeof empty>>({});
  const update = useMutation({
    mutationFn: () => withStepUp(() => updatePassword({ current_password: fields.current, password: fields.next })),
    onSuccess: () => {
      setFields(empty);
      toast('Password updated successfully', 'success');
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
          setErrors({ ...(next === undefined ? {} : { next }), ...(current === undefined ? {} : { current }) });
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
          hint="At least 6 characters; every other session ends"
          error={errors.next}
          about={[email]}
          value={fields.next}
          onChange={(next) => edit({ next })}
        />
        <button type="submit" className="btn self-start" disabled={update.isPending}>
          {update.isPending ? 'Processing...' : 'Update password'}
        </button>
      </form>
    </Panel>
  );
}
