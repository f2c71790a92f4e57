import { proxy } from 'valtio';
import { onUserReset } from '../../../state/userReset.ts';

/** Which of the two dialogs that open from anywhere is open. */
export const paletteState = proxy<{ open: 'palette' | 'shortcuts' | null }>({ open: null });

export function showDialog(which: 'palette' | 'shortcuts' | null): void {
  paletteState.open = which;
}

onUserReset(() => showDialog(null));
