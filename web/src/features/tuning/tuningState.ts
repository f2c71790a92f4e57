import { neutralTuning, tunableVotes, type TuningWeights } from '@sextant/workers/src/signalRules.ts';
import { proxy } from 'valtio';
import { onUserReset } from '../../state/userReset.ts';

export interface TuningDraft {
  weights: TuningWeights;
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
  draft.floor !== saved.floor || tunableVotes.some((vote) => draft.weights[vote] !== saved.weights[vote]);

/** Takes over what the server has; a draft of the user's stays unless it was what has just been saved. */
export function takeSaved(next: TuningDraft, isOwn = false): void {
  const { draft, saved } = tuningState;
  const isTouched = !isOwn && draft !== null && saved !== null && isDirty(draft, saved);
  tuningState.saved = copyOf(next);
  if (!isTouched) tuningState.draft = copyOf(next);
}

export function setWeights(weights: Partial<TuningWeights>): void {
  if (tuningState.draft !== null) Object.assign(tuningState.draft.weights, weights);
}

export function setFloor(floor: number | null): void {
  if (tuningState.draft !== null) tuningState.draft.floor = floor;
}

export function discard(): void {
  if (tuningState.saved !== null) tuningState.draft = copyOf(tuningState.saved);
}

/** Every weight of a preset (TUNE-005). */
export const evenly = (value: number): TuningWeights =>
  Object.fromEntries(Object.keys(neutralTuning).map((vote) => [vote, value])) as TuningWeights;
