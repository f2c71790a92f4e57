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

/** The missing edge first: sources whose record beats chance, or that none does. */
export function edgeText(rows: readonly NewsSourceRecord[], min: number): string {
  const measured = rows.filter((row) => Math.max(row.count, row.replayed?.count ?? 0) >= min);
  const voting = measured.filter(({ weight }) => weight > 0);
  if (voting.length > 0) return `Better than chance: ${voting.map(({ name }) => name).join(', ')}.`;
  if (measured.length > 0) return `No edge: 0 of ${measured.length} measured sources beat chance.`;
  return `No source has ${min} measured stories yet.`;
}
