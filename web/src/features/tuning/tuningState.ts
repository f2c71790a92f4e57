import { proxy } from 'valtio';
import { tuningKeys, type TuningView } from '../../api/tuningView.ts';
import { onLeaveWithUnsaved } from '../../state/unsavedChanges.ts';
import { onUserReset } from '../../state/userReset.ts';

export interface TuningDraft {
  weights: TuningView;
  /** 0.1 to 1; null is off. */
  floor: number | null;
}

interface TuningState {
  /** What the sliders say; null before the saved tuning has been read. */
  draft: TuningDraft | null;
  saved: TuningDraft | null;
}

export const tuningState = proxy<TuningState>({ draft: null, saved: null });

onUserReset(() => {
  tuningState.draft = null;
  tuningState.saved = null;
});

const copyOf = ({ weights, floor }: TuningDraft): TuningDraft => ({ weights: { ...weights }, floor });

export const isDirty = (draft: TuningDraft, saved: TuningDraft): boolean =>
  draft.floor !== saved.floor || tuningKeys.some((name) => draft.weights[name] !== saved.weights[name]);

onLeaveWithUnsaved(
  () => tuningState.draft !== null && tuningState.saved !== null && isDirty(tuningState.draft, tuningState.saved),
);

/** Takes over what the server has; a draft of the user's stays unless it was what has just been saved. */
export function takeSaved(next: TuningDraft, isOwn = false): void {
  const { draft, saved } = tuningState;
  const isTouched = !isOwn && draft !== null && saved !== null && isDirty(draft, saved);
  tuningState.saved = copyOf(next);
  if (!isTouched) tuningState.draft = copyOf(next);
}

export function setWeights(weights: Partial<TuningView>): void {
  if (tuningState.draft !== null) Object.assign(tuningState.draft.weights, weights);
}

export function setFloor(floor: number | null): void {
  if (tuningState.draft !== null) tuningState.draft.floor = floor;
}

export function discard(): void {
  if (tuningState.saved !== null) tuningState.draft = copyOf(tuningState.saved);
}
