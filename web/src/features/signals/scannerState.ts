import { proxy } from 'valtio';
import { onUserReset } from '../../state/userReset.ts';
import { byRank, type ResultFilter, type ResultSort } from './results/resultView.ts';

interface ScannerState {
  filter: ResultFilter;
  sort: ResultSort;
  /** `signal_id` of the row whose details are open. */
  selected: string | null;
}

const first = (): ScannerState => ({
  filter: { direction: 'All', interval: 'All', minConfidencePct: 0 },
  sort: byRank,
  selected: null,
});

/** What the scanner remembers while other tabs are looked at. */
export const scannerState = proxy<ScannerState>(first());

onUserReset(() => Object.assign(scannerState, first()));
