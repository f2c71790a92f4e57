import { readSaved, save } from '../../../state/storage.ts';
import type { SearchRun } from '../search/searchState.ts';

/** Subject of the verdict after a search: its best set, or the settings on screen. Stored with the search, so a reload restores it. */
export const subjects = ['best', 'screen'] as const;
export type Subject = (typeof subjects)[number];

const SUBJECT_KEY = 'honesty.subject';
const nameOf = ({ result }: Pick<SearchRun, 'result'>): string => result.best.scored.hashes.result;

/** The subject the user selected for this search; null when the stored one is of another search. */
export function readSubject(search: SearchRun): Subject | null {
  const [name, chosen] = (readSaved(SUBJECT_KEY) ?? '').split(' ');
  return name === nameOf(search) ? (subjects.find((each) => each === chosen) ?? null) : null;
}

export function saveSubject(search: Pick<SearchRun, 'result'>, subject: Subject): void {
  save(SUBJECT_KEY, `${nameOf(search)} ${subject}`);
}
