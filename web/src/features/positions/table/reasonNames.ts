import type { PositionView } from '../../../api/positionView.ts';

/** Why a position closed by itself, and a close by its owner. */
export const reasonNames: Record<NonNullable<PositionView['closeReason']>, string> = {
  TP: 'TP target',
  SL: 'SL stop',
  LIQ: 'LIQ liquidated',
  MANUAL: 'By hand',
};
