import { useMemo } from 'react';
import { proxy, ref, useSnapshot } from 'valtio';
import { onLeaveWithUnsaved } from './unsavedChanges.ts';
import { onUserReset } from './userReset.ts';

/**
 * A settings form: the saved values and the user's changes since. Changes are stored as a difference, so a save sends nothing else and does
 * not undo another tab's change. They outlive the page and are cleared with the user.
 */
export interface DraftForm<Form extends object> {
  /** Takes the server's values; the user's changes stay on top. */
  takeSaved: (saved: Form) => void;
  /** Takes the response to a save. Changes typed after `sent` was sent stay. */
  takeResponse: (saved: Form, sent: Partial<Form>) => void;
  /** Ignored before the saved values are loaded. */
  edit: (change: Partial<Form>) => void;
  discard: () => void;
  /** The current values, for event handlers: the snapshot of a rendering may be older. Null before the first load. */
  read: () => { saved: Form; changes: Partial<Form>; draft: Form } | null;
  useDraft: () => { saved: Form | null; draft: Form | null; isUnsaved: boolean };
}

export function createDraftForm<Form extends object>(): DraftForm<Form> {
  interface State {
    saved: Form | null;
    changes: Partial<Form>;
  }
  const state = proxy<State>({ saved: null, changes: {} });
  // Both are replaced and never mutated: `ref` leaves them plain, so that they can be compared, cloned and sent.
  const set = (saved: Form, changes: Partial<Form>): void => {
    state.saved = ref(saved);
    state.changes = ref(findChanges(changes, saved));
  };
  const discard = (): void => {
    state.changes = ref<Partial<Form>>({});
  };
  onLeaveWithUnsaved(() => Object.keys(state.changes).length > 0);
  onUserReset(() => {
    state.saved = null;
    discard();
  });
  return {
    takeSaved: (saved) => set(saved, state.changes),
    takeResponse: (saved, sent) => set(saved, findChanges(state.changes, sent)),
    edit: (change) => {
      if (state.saved !== null) set(state.saved, { ...state.changes, ...change });
    },
    discard,
    read: () => {
      const { saved, changes } = state;
      return saved === null ? null : { saved, changes, draft: { ...saved, ...changes } };
    },
    useDraft: () => {
      const { saved, changes } = useSnapshot(state) as State;
      const draft = useMemo(() => (saved === null ? null : { ...saved, ...changes }), [saved, changes]);
      return { saved, draft, isUnsaved: Object.keys(changes).length > 0 };
    },
  };
}

/** The fields of `values` that differ from `base`. */
export function findChanges<Form extends object>(values: Partial<Form>, base: Partial<Form>): Partial<Form> {
  const differing = Object.entries(values).filter(([key, value]) => !isSame(value, base[key as keyof Form]));
  return Object.fromEntries(differing) as Partial<Form>;
}

function isSame(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return Object.is(a, b);
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>];
  return [...new Set([...Object.keys(left), ...Object.keys(right)])].every((key) => isSame(left[key], right[key]));
}
