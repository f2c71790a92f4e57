import type { HonestyLevel } from '@sextant/workers/src/protocol/honesty.ts';

/** Verdicts of the honesty figures. */
export const honestyLevelNames: Record<HonestyLevel, string> = {
  luck: 'Luck',
  unclear: 'Unclear',
  'holds up': 'Holds up',
  'not enough data': 'Not enough data',
};
