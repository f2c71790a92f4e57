import type { TuningView } from '../../api/tuningView.ts';
import { createDraftForm } from '../../state/draftForm.ts';

export interface TuningDraft {
  weights: TuningView;
  /** 0.1 to 1; null is off. */
  floor: number | null;
}

export const tuningForm = createDraftForm<TuningDraft>();

export function setWeights(weights: Partial<TuningView>): void {
  const typed = tuningForm.read();
  if (typed !== null) tuningForm.edit({ weights: { ...typed.draft.weights, ...weights } });
}
