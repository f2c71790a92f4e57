import { useState } from 'react';
import { type Overlap, useChangeKey, useRevokeKey, useRotateKey } from '../../../api/apiAccess.ts';
import type { ApiKey } from '../../../api/types.ts';
import { toastFailure } from '../../../state/toastFailure.ts';
import { toast } from '../../../state/toasts.ts';
import { ConfirmDialog, DialogButtons } from '../../../ui/ConfirmDialog.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Segments } from '../../../ui/Segments.tsx';
import { draftOf } from '../../../ui/apiAccess/keyDraft.ts';
import { KeyFields } from '../../../ui/apiAccess/KeyFields.tsx';
import { useKeyDraft } from '../../../ui/apiAccess/useKeyDraft.ts';

interface Props {
  apiKey: ApiKey;
  onClose: () => void;
}

/** Name and rights of a key; they count at once. */
export function ChangeKeyDialog({ apiKey, onClose }: Props) {
  const { draft, errors, edit, read, showRefusal } = useKeyDraft(draftOf(apiKey));
  const change = useChangeKey();
  const submit = (): void => {
    const request = read();
    if (request === null) return;
    change.mutate(
      { id: apiKey.id, change: request },
      {
        onSuccess: () => {
          toast('The key was changed', 'success');
          onClose();
        },
        onError: (failure) => {
          showRefusal(failure);
          toastFailure('The key could not be changed', failure);
        },
      },
    );
  };
  return (
    <Dialog title={`Edit ${apiKey.name}`} text="Changes count for the next call." isOpen onClose={onClose}>
      <form
        noValidate
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <KeyFields draft={draft} errors={errors} isFolded={false} onChange={edit} />
        <DialogButtons label="Save" isBusy={change.isPending} onClose={onClose} />
      </form>
    </Dialog>
  );
}

const overlapNames: Record<Overlap, string> = { no_longer: 'No longer', hour: 'An hour', day: 'A day' };
const overlaps = ['no_longer', 'hour', 'day'] as const satisfies readonly Overlap[];

/** A new secret for the same key: name, rights and history stay. */
export function RotateKeyDialog({ apiKey, onClose }: Props) {
  const [overlap, setOverlap] = useState<Overlap>('hour');
  const rotate = useRotateKey();
  const submit = (): void =>
    rotate.mutate(
      { id: apiKey.id, overlap },
      {
        onSuccess: () => {
          onClose();
          window.scrollTo(0, 0);
        },
        onError: (failure) => toastFailure('The key could not be rotated', failure),
      },
    );
  return (
    <ConfirmDialog
      title={`Rotate ${apiKey.name}`}
      text="You get a new key with the same name and rights. How long should the old one still work?"
      label="Rotate"
      isBusy={rotate.isPending}
      onConfirm={submit}
      onClose={onClose}
    >
      <Segments
        label="The old key works"
        options={overlaps}
        value={overlap}
        nameOf={(value) => overlapNames[value]}
        onSelect={setOverlap}
      />
    </ConfirmDialog>
  );
}

export function RevokeKeyDialog({ apiKey, onClose }: Props) {
  const revoke = useRevokeKey();
  // By its promise: the event of the change may take the row and this dialog away before the answer is here.
  const submit = (): void =>
    void revoke.mutateAsync(apiKey.id).then(
      () => {
        toast('The key was revoked', 'success');
        onClose();
      },
      (failure: unknown) => toastFailure('The key could not be revoked', failure),
    );
  return (
    <ConfirmDialog
      title={`Revoke ${apiKey.name}?`}
      text="Every program that uses it is refused within 5 seconds. This cannot be undone."
      label="Revoke"
      isBusy={revoke.isPending}
      isDangerous
      onConfirm={submit}
      onClose={onClose}
    />
  );
}
