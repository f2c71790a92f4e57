import { useSnapshot } from 'valtio';
import { formatMoment } from '../format/time.ts';
import { timeZoneState } from '../state/timeZone.ts';

/** A moment in the time the user has chosen, with the other one on the hover. */
export function Time({ at, hasSeconds = false }: { at: number | string | null; hasSeconds?: boolean }) {
  const { zone } = useSnapshot(timeZoneState);
  const [shown, other] = formatMoment(at, zone, hasSeconds);
  return <time title={other}>{shown}</time>;
}
