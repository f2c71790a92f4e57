import { proxy } from 'valtio';
import { onLeaveWithUnsaved } from '../../state/unsavedChanges.ts';
import { onUserReset } from '../../state/userReset.ts';
import { byRank, type ResultFilter, type ResultSort } from './results/resultView.ts';
import { isDirty, type ScannerSettings } from './settings/settingsForm.ts';

interface ScannerState {
  /** Settings that are typed and not saved yet; null before the preferences have been read. */
  draft: ScannerSettings | null;
  saved: ScannerSettings | null;
  filter: ResultFilter;
  sort: ResultSort;
  /** `signal_id` of the row whose details are open. */
  selected: string | null;
}

const first = (): ScannerState => ({
  draft: null,
  saved: null,
  filter: { direction: 'All', interval: 'All', minConfidencePct: 0 },
  sort: byRank,
  selected: null,
});

/** What the scanner remembers while other tabs are looked at. */
export const scannerState = proxy<ScannerState>(first());

onLeaveWithUnsaved(
  () => scannerState.draft !== null && scannerState.saved !== null && isDirty(scannerState.draft, scannerState.saved),
);
onUserReset(() => Object.assign(scannerState, first()));
