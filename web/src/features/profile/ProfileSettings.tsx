import {
  BIO_MAX,
  DISPLAY_NAME_MAX,
  IMAGE_BYTES_MAX,
  IMAGE_MIB_MAX,
  imageTooLargeText,
} from '@sextant/workers/src/core/limits.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import { ApiFailure, messageOf } from '../../api/failure.ts';
import { type PictureKind, removePicture, saveProfile, uploadPicture } from '../../api/profile.ts';
import { queryKeys } from '../../api/queryKeys.ts';
import type { Profile } from '../../api/types.ts';
import { toast } from '../../state/toasts.ts';
import { Field, TextArea } from '../../ui/Field.tsx';
import { LoadedPicture } from '../../ui/LoadedPicture.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { storeResponse } from '../../api/storeResponse.ts';

interface ProfileText {
  display_name: string;
  bio: string;
}

type ProfileErrors = Partial<Record<keyof ProfileText, string>>;

const textOf = ({ display_name, bio }: Profile): ProfileText => ({ display_name, bio: bio ?? '' });

/** Number of characters as users count them: by code point, not UTF-16 unit. */
export const lengthOf = (text: string): number => Array.from(text.trim()).length;

export function validateText({ display_name: name, bio }: ProfileText): ProfileErrors {
  const errors: ProfileErrors = {};
  if (name.trim() === '') errors.display_name = "Name can't be blank";
  else if (lengthOf(name) > DISPLAY_NAME_MAX) errors.display_name = `At most ${DISPLAY_NAME_MAX} characters`;
  if (lengthOf(bio) > BIO_MAX) errors.bio = `At most ${BIO_MAX} characters`;
  return errors;
}

/** Checks of a chosen file that need no server: type and size. */
export function fileError({ size, type }: { size: number; type: string }): string | undefined {
  if (size === 0) return 'The file is empty.';
  if (size > IMAGE_BYTES_MAX) return imageTooLargeText;
  if (!['image/png', 'image/jpeg', 'image/webp'].includes(type)) return 'Choose a PNG, JPEG or WebP image.';
  return undefined;
}

export function ProfileSettings({ profile }: { profile: Profile }) {
  return (
    <div className="grid gap-4 md:grid-cols-2">
      <Panel title="About you">
        <TextForm profile={profile} />
      </Panel>
      <Panel title="Pictures" bodyClassName="flex flex-col gap-5 p-3">
        <PictureField kind="avatar" profile={profile} />
        <PictureField kind="cover" profile={profile} />
      </Panel>
    </div>
  );
}

function TextForm({ profile }: { profile: Profile }) {
  const queryClient = useQueryClient();
  const saved = textOf(profile);
  const [fields, setFields] = useState(saved);
  const [errors, setErrors] = useState<ProfileErrors>({});
  const isUnsaved = fields.display_name !== saved.display_name || fields.bio !== saved.bio;
  const save = useMutation({
    mutationFn: saveProfile,
    onSuccess: async (response) => {
      await storeResponse(queryClient, queryKeys.profile, response);
      setFields(textOf(response));
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
    const result = validateText(fields);
    setErrors(result);
    if (Object.keys(result).length === 0) save.mutate({ display_name: fields.display_name, bio: fields.bio });
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
      <Field
        label="Display name"
        error={errors.display_name}
        hint={`${lengthOf(fields.display_name)} of ${DISPLAY_NAME_MAX}`}
      >
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

const texts = {
  avatar: {
    name: 'Avatar',
    frame: 'w-24 rounded border border-line',
    done: 'Profile picture updated',
    removed: 'Profile picture removed',
    uploadFailed: 'Failed to upload avatar',
    removeFailed: 'Failed to remove avatar',
  },
  cover: {
    name: 'Cover',
    frame: 'w-full rounded border border-line',
    done: 'Cover image updated',
    removed: 'Cover image removed',
    uploadFailed: 'Failed to upload cover',
    removeFailed: 'Failed to remove cover',
  },
} as const;

/** A selected file, previewed in its frame before the upload. */
function usePreview(): { file: File | null; url: string | null; choose: (file: File | null) => void } {
  const [chosen, setChosen] = useState<{ file: File; url: string } | null>(null);
  useEffect(() => () => URL.revokeObjectURL(chosen?.url ?? ''), [chosen]);
  return {
    file: chosen?.file ?? null,
    url: chosen?.url ?? null,
    choose: (file) => setChosen(file === null ? null : { file, url: URL.createObjectURL(file) }),
  };
}

function PictureField({ kind, profile }: { kind: PictureKind; profile: Profile }) {
  const text = texts[kind];
  const queryClient = useQueryClient();
  const input = useRef<HTMLInputElement>(null);
  const noteId = useId();
  const preview = usePreview();
  const [error, setError] = useState<string>();
  const finish = (line: string) => async (response: Profile) => {
    await storeResponse(queryClient, queryKeys.profile, response);
    preview.choose(null);
    setError(undefined);
    toast(line, 'success');
  };
  const fail = (line: string) => (failure: unknown) => {
    setError(messageOf(failure, line));
    toast(line, 'error');
  };
  const upload = useMutation({
    mutationFn: (file: File) => uploadPicture(kind, file),
    onSuccess: finish(text.done),
    onError: fail(text.uploadFailed),
  });
  const remove = useMutation({
    mutationFn: () => removePicture(kind),
    onSuccess: finish(text.removed),
    onError: fail(text.removeFailed),
  });
  const take = (file: File | undefined) => {
    if (file === undefined) return;
    const result = fileError(file);
    setError(result);
    preview.choose(result === undefined ? file : null);
    if (result !== undefined) toast(text.uploadFailed, 'error');
  };
  const current = profile[`${kind}_url`];
  const isBusy = upload.isPending || remove.isPending;
  return (
    <section aria-label={text.name} className="flex flex-col items-start gap-2">
      <h3 className="text-label font-medium">{text.name}</h3>
      <Picture kind={kind} url={preview.url ?? current} name={profile.display_name} className={text.frame} />
      <input
        ref={input}
        type="file"
        accept="image/png,image/jpeg,image/webp"
        aria-label={`${text.name} file`}
        aria-describedby={noteId}
        className="sr-only"
        tabIndex={-1}
        onChange={(event) => {
          take(event.target.files?.[0]);
          // The same file may be chosen again after it was changed.
          event.target.value = '';
        }}
      />
      <div className="flex flex-wrap gap-2">
        {preview.file === null ? (
          <>
            <button type="button" className="btn" disabled={isBusy} onClick={() => input.current?.click()}>
              Choose {text.name.toLowerCase()}
            </button>
            {current !== null && (
              <button type="button" className="btn btn-ghost" disabled={isBusy} onClick={() => remove.mutate()}>
                Remove {text.name.toLowerCase()}
              </button>
            )}
          </>
        ) : (
          <>
            <button
              type="button"
              className="btn btn-primary"
              disabled={isBusy}
              onClick={() => preview.file !== null && upload.mutate(preview.file)}
            >
              {upload.isPending ? 'Uploading…' : `Use this ${text.name.toLowerCase()}`}
            </button>
            <button type="button" className="btn btn-ghost" disabled={isBusy} onClick={() => preview.choose(null)}>
              Cancel
            </button>
          </>
        )}
      </div>
      <p
        id={noteId}
        role={error === undefined ? undefined : 'alert'}
        className={`text-label ${error === undefined ? 'text-muted' : 'text-down'}`}
      >
        {error ?? `PNG, JPEG or WebP, at most ${IMAGE_MIB_MAX} MB. The frame crops it.`}
      </p>
    </section>
  );
}

interface Props {
  kind: PictureKind;
  url: string | null;
  /** Name of the owner; its first letter replaces a missing avatar. */
  name: string;
  className?: string;
}

const shapes = { avatar: 'aspect-square', cover: 'aspect-[3/1]' };
/** A missing cover needs less room. */
const emptyShapes = { avatar: 'aspect-square', cover: 'h-24' };
const words = { avatar: 'Profile picture', cover: 'Cover image' };

/** A picture in the frame the server cuts it to, or a quiet surface of the same size. */
export function Picture({ kind, url, name, className = '' }: Props) {
  const standIn = <StandIn kind={kind} name={name} className={className} />;
  if (url === null) return standIn;
  return (
    <LoadedPicture
      src={url}
      alt={`${words[kind]} of ${name}`}
      name={words[kind]}
      standIn={standIn}
      className={`block object-cover ${shapes[kind]} ${className}`}
    />
  );
}

/** The same frame without a picture. */
function StandIn({ kind, name, className }: Required<Omit<Props, 'url'>>) {
  return (
    <div
      aria-hidden="true"
      className={`grid place-items-center overflow-hidden bg-row-hover text-figure font-semibold text-muted ${emptyShapes[kind]} ${className}`}
    >
      {kind === 'avatar' && (Array.from(name)[0] ?? '').toUpperCase()}
    </div>
  );
}
