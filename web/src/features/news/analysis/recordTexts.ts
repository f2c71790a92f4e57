import type { NewsSourceRecord } from '../../../api/types.ts';

type Times = NewsSourceRecord['times'];

/** Whether stories of its archive are replayed, and why not. */
export function timesText({ basis, checked_count: checked, in_time_count: inTime }: Times, minChecks: number): string {
  switch (basis) {
    case 'same_machine':
      return 'Simulated: dated by this machine.';
    case 'checked':
      return `Dates confirmed by ${inTime} of ${checked} stories.`;
    case 'unchecked':
      return `Dates checked in ${checked} of ${minChecks} stories. Older ones wait.`;
    case 'untrusted':
      return `Dates unreliable: only ${inTime} of ${checked} stories seen in time. Older ones are left out.`;
  }
}

/** Why a replayed record does not weigh yet, and the delays after the dates that it was measured with. */
export function replayedText(record: NonNullable<NewsSourceRecord['replayed']>, minDays: number): string {
  const { day_count: days, delay_s_min: least, delay_s_max: most } = record;
  const delay = least === most ? secondsText(least) : `${secondsText(least)} to ${secondsText(most)}`;
  return `${days < minDays ? `${days} of ${minDays} days` : `${days} days`}, read ${delay} after their dates`;
}

const secondsText = (seconds: number): string =>
  seconds < 60 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;

/** The missing edge first: sources whose record beats chance, or that none does. */
export function edgeText(rows: readonly NewsSourceRecord[], min: number, minDays: number): string {
  const isMeasured = ({ count, replayed }: NewsSourceRecord): boolean =>
    count >= min || (replayed !== null && replayed.count >= min && replayed.day_count >= minDays);
  const measured = rows.filter(isMeasured);
  const voting = measured.filter(({ weight }) => weight > 0);
  if (voting.length > 0) return `Better than chance: ${voting.map(({ name }) => name).join(', ')}.`;
  if (measured.length > 0) return `No edge: 0 of ${measured.length} measured sources beat chance.`;
  return `No source has ${min} measured stories yet.`;
}
