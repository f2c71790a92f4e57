import { NO_VALUE } from '../../format/number.ts';

/** Whole percent: more digits would claim a precision that few views do not have. */
export const percent = (share: number | null): string =>
  share === null ? NO_VALUE : `${Math.round(share * 100)}\u00a0%`;
