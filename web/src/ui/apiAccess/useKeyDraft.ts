import { useState } from 'react';
import { type DraftErrors, emptyDraft, errorsOf, type KeyDraft, refusedField, requestOf } from './keyDraft.ts';

/** A key as it is typed, with the errors beside its fields. */
export function useKeyDraft(start: KeyDraft = emptyDraft) {
  const [draft, setDraft] = useState(start);
  const [errors, setErrors] = useState<DraftErrors>({});
  return {
    draft,
    errors,
    edit: (change: Partial<KeyDraft>) => {
      setDraft((before) => ({ ...before, ...change }));
      setErrors({});
    },
    /** The body of the request; null when a field is wrong, and then its error is shown. */
    read: () => {
      const found = errorsOf(draft);
      setErrors(found);
      return Object.keys(found).length > 0 ? null : requestOf(draft);
    },
    showRefusal: (failure: unknown) => setErrors(refusedField(failure) ?? {}),
    clear: () => setDraft(emptyDraft),
  };
}
