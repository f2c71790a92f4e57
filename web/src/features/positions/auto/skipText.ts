import type { Skip } from '../../../api/types.ts';

/** AUTO-007 */
const reasons: Record<Skip['reason'], string> = {
  NEUTRAL: 'no direction',
  LOW_CONF: 'confidence below the minimum',
  ZERO_QTY: 'quantity too small',
  NO_MATCH: 'nothing matched',
};

/** `LOW_CONF: tuning floor` */
export const skipText = ({ reason, detail }: Pick<Skip, 'reason' | 'detail'>): string =>
  `${reason}: ${detail === null ? reasons[reason] : detail.replaceAll('_', ' ')}`;
