import type { ScanResults } from '../../../api/types.ts';

/** Why a scan found no signal: none was strong enough, or the rules have none. */
export function emptyScanText(outcomes: ScanResults['outcomes']): string {
  const isLow = Object.keys(outcomes).some((code) => code.startsWith('LOW_CONF'));
  return isLow
    ? 'No symbol reached your minimum confidence.'
    : 'No symbol has a signal now. Scan again after the next close.';
}
