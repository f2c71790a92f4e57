import { useSyncExternalStore } from 'react';

const wide = window.matchMedia('(min-width: 1100px)');

function subscribe(onChange: () => void): () => void {
  wide.addEventListener('change', onChange);
  return () => wide.removeEventListener('change', onChange);
}

/** Room for two columns side by side (--breakpoint-lg). */
export function useIsWide(): boolean {
  return useSyncExternalStore(subscribe, () => wide.matches);
}
