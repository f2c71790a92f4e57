import type { AutoRun } from '../api/types.ts';

/** What became of a result in a run of automatic opening: in its table, and in the message when nothing was opened. */
export const outcomeNames: Record<AutoRun['items'][number]['outcome'], string> = {
  OPENED: 'Opened',
  FAILED: 'Failed',
  NEUTRAL: 'No direction',
  LOW_CONF: 'Confidence too low',
  ZERO_QTY: 'Too small to open',
  NO_MATCH: 'Did not qualify',
};
