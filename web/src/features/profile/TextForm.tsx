import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiFailure, messageOf } from '../../api/failure.ts';
import { saveProfile } from '../../api/profile.ts';
import { queryKeys } from '../../api/queryKeys.ts';
import type { Profile } from '../../api/types.ts';
import { toast } from '../../state/toasts.ts';
import { Field } from '../../ui/Field.tsx';
import { TextArea } from '../../ui/TextArea.tsx';
import { BIO_MAX, lengthOf, NAME_MAX, type ProfileErrors, textOf, validateText } from './profileForm.ts';

export function TextForm({ profile }: { profile: Profile }) {
  const queryClient = useQueryClient();
  const saved = textOf(profile);
  const [fields, setFields] = useState(saved);
  const [errors, setErrors] = useState<ProfileErrors>({});
  const isUnsaved = fields.display_name !== saved.display_name || fields.bio !== saved.bio;
  const save = useMutation({
    mutationFn: saveProfile,
    onSuccess: (answer) => {
      queryClient.setQueryData(queryKeys.profile, answer);
      setFields(textOf(answer));
      toast('Profile updated successfully', 'success');
    },
    onError: (failure) => {
      if (failure instanceof ApiFailure && failure.field !== undefined)
        setErrors({ [failure.field]: messageOf(failure, 'Check this value') });
      toast('Failed to save profile', 'error');
    },
  });
  const edit = (change: Partial<typeof fields>) => {
    setFields((shown) => ({ ...shown, ...change }));
    setErrors({});
  };
  const submit = () => {
    const found = validateText(fields);
    setErrors(found);
    if (Object.keys(found).length === 0) save.mutate({ display_name: fields.display_name, bio: fields.bio });
  };
  return (
    <form
      noValidate
      aria-label="Profile"
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Field label="Display name" error={errors.display_name} hint={`${lengthOf(fields.display_name)} of ${NAME_MAX}`}>
        {(ids) => (
          <input
            {...ids}
            className="input"
            autoComplete="nickname"
            value={fields.display_name}
            onChange={(event) => edit({ display_name: event.target.value })}
          />
        )}
      </Field>
      <Field label="Bio" error={errors.bio} hint={`Plain text, ${lengthOf(fields.bio)} of ${BIO_MAX}`}>
        {(ids) => (
          <TextArea {...ids} rows={6} value={fields.bio} onChange={(event) => edit({ bio: event.target.value })} />
        )}
      </Field>
      <div className="flex items-center gap-2">
        <button type="submit" className="btn btn-primary" disabled={!isUnsaved || save.isPending}>
          Save profile
        </button>
        {isUnsaved && <span className="text-label text-muted">Unsaved changes</span>}
      </div>
    </form>
  );
}
