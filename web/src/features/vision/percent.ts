import { NO_VALUE } from '../../format/number.ts';

/** Of so few views more digits would be no truth. */
export const percent = (share: number | null): string =>
  share === null ? NO_VALUE : `${Math.round(share * 100)}\u00a0%`;
