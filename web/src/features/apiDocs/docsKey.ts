import { proxy } from 'valtio';
import { keyInHand } from '../../state/keyInHand.ts';
import { onUserReset } from '../../state/userReset.ts';

/** The key that is typed in to try calls with. In memory only. */
export const docsKey = proxy<{ typed: string }>({ typed: '' });

/** The key to send: what is typed, else the one that was just made; null sends the session. */
export const keyToSend = (): string | null => {
  const typed = docsKey.typed.trim();
  return typed === '' ? keyInHand.key : typed;
};

onUserReset(() => {
  docsKey.typed = '';
});
