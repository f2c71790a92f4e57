import { readSaved, save } from '../../../state/storage.ts';
import type { SearchRun } from '../search/searchState.ts';

/** What the verdict is on beside a search: its best set, or the settings on screen. Kept by the search, so a reload does not change it. */
export const subjects = ['best', 'screen'] as const;
export type Subject = (typeof subjects)[number];

const SUBJECT_KEY = 'honesty.subject';
const nameOf = ({ result }: Pick<SearchRun, 'result'>): string => result.best.scored.hashes.result;

/** What the user last chose for this search; null when it was another search. */
export function readSubject(search: SearchRun): Subject | null {
  const [name, chosen] = (readSaved(SUBJECT_KEY) ?? '').split(' ');
  return name === nameOf(search) ? (subjects.find((each) => each === chosen) ?? null) : null;
}

export function saveSubject(search: Pick<SearchRun, 'result'>, subject: Subject): void {
  save(SUBJECT_KEY, `${nameOf(search)} ${subject}`);
}
