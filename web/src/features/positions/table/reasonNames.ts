import type { PositionView } from '../../../api/positionView.ts';

/** AUTO-027, and a close by the owner. */
export const reasonNames: Record<NonNullable<PositionView['closeReason']>, string> = {
  TP: 'TP target',
  SL: 'SL stop',
  LIQ: 'LIQ liquidated',
  MANUAL: 'By hand',
};
