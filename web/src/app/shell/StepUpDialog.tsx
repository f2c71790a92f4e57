import { STEP_UP_MINUTES } from '@sextant/workers/src/core/limits.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useSnapshot } from 'valtio';
import { stepUp } from '../../api/auth.ts';
import { messageOf } from '../../api/failure.ts';
import { closeStepUp, type ProofKind, stepUpState } from '../../state/stepUp.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { Field } from '../../ui/Field.tsx';

/** Re-authenticates the user before a sensitive action (state/stepUp.ts). One for the whole shell. */
export function StepUpDialog() {
  const { asks } = useSnapshot(stepUpState);
  return (
    <Dialog
      title="Confirm that it is you"
      text={`Confirm once to unlock protected changes for ${STEP_UP_MINUTES} minutes.`}
      isOpen={asks !== null}
      onClose={() => closeStepUp(false)}
    >
      {asks !== null && <ProofForm asks={asks} />}
    </Dialog>
  );
}

function ProofForm({ asks }: { asks: ProofKind }) {
  const [value, setValue] = useState('');
  const prove = useMutation({
    mutationFn: () => stepUp(asks === 'code' ? { code: value } : { password: value }),
    onSuccess: () => closeStepUp(true),
  });
  const error = prove.error === null ? undefined : messageOf(prove.error, 'Confirmation failed');
  return (
    <form
      noValidate
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (value !== '') prove.mutate();
      }}
    >
      {asks === 'code' ? (
        <Field label="Code" hint="From your authenticator app, or a recovery code" error={error}>
          {(ids) => (
            <input
              {...ids}
              className="input"
              inputMode="text"
              autoComplete="one-time-code"
              value={value}
              onChange={(event) => setValue(event.target.value)}
            />
          )}
        </Field>
      ) : (
        <Field label="Your password" error={error}>
          {(ids) => (
            <input
              {...ids}
              className="input"
              type="password"
              autoComplete="current-password"
              value={value}
              onChange={(event) => setValue(event.target.value)}
            />
          )}
        </Field>
      )}
      <div className="flex justify-end gap-2">
        <button type="button" className="btn" onClick={() => closeStepUp(false)}>
          Cancel
        </button>
        <button type="submit" className="btn btn-primary" disabled={prove.isPending || value === ''}>
          {prove.isPending ? 'Processing...' : 'Continue'}
        </button>
      </div>
    </form>
  );
}
