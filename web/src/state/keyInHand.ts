import { proxy } from 'valtio';
import { onUserReset } from './userReset.ts';

/**
 * The API key created last, while its owner needs it: it is shown once and can be used to try calls until then. In memory only; a reload
 * drops it.
 */
export const keyInHand = proxy<{ key: string | null; name: string; scopes: string[] }>({
  key: null,
  name: '',
  scopes: [],
});

export function takeKey(key: string, name: string, scopes: readonly string[]): void {
  keyInHand.key = key;
  keyInHand.name = name;
  keyInHand.scopes = [...scopes];
}

export function dropKey(): void {
  takeKey('', '', []);
  keyInHand.key = null;
}

onUserReset(dropKey);
