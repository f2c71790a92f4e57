import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import { messageOf } from '../../api/failure.ts';
import { type PictureKind, removePicture, uploadPicture } from '../../api/profile.ts';
import { queryKeys } from '../../api/queryKeys.ts';
import type { Profile } from '../../api/types.ts';
import { toast } from '../../state/toasts.ts';
import { Picture } from './Picture.tsx';
import { fileError } from './profileForm.ts';

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

/** A chosen file, shown in its frame before it is sent. */
function usePreview(): { file: File | null; url: string | null; choose: (file: File | null) => void } {
  const [chosen, setChosen] = useState<{ file: File; url: string } | null>(null);
  useEffect(() => () => URL.revokeObjectURL(chosen?.url ?? ''), [chosen]);
  return {
    file: chosen?.file ?? null,
    url: chosen?.url ?? null,
    choose: (file) => setChosen(file === null ? null : { file, url: URL.createObjectURL(file) }),
  };
}

export function PictureField({ kind, profile }: { kind: PictureKind; profile: Profile }) {
  const text = texts[kind];
  const queryClient = useQueryClient();
  const input = useRef<HTMLInputElement>(null);
  const noteId = useId();
  const preview = usePreview();
  const [error, setError] = useState<string>();
  const finish = (line: string) => (answer: Profile) => {
    queryClient.setQueryData(queryKeys.profile, answer);
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
    const found = fileError(file);
    setError(found);
    preview.choose(found === undefined ? file : null);
    if (found !== undefined) toast(text.uploadFailed, 'error');
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
        {error ?? 'PNG, JPEG or WebP, at most 2 MB. The part outside the frame is cut off.'}
      </p>
    </section>
  );
}
