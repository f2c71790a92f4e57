import { formatTime, formatUtc } from '../format/time.ts';

/** Local time, with UTC on the hover. */
export function Time({ at }: { at: number | string }) {
  return <time title={formatUtc(at)}>{formatTime(at)}</time>;
}
