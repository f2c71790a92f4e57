import { useSyncExternalStore } from 'react';

/** --breakpoint-md and --breakpoint-lg */
const queries = { tablet: '(min-width: 768px)', desktop: '(min-width: 1100px)' } as const;

/** Whether the window is at least as wide as a tablet, or as a desk screen with room for two columns. */
export function useIsWide(least: keyof typeof queries): boolean {
  const query = queries[least];
  return useSyncExternalStore(
    (onChange) => {
      const list = window.matchMedia(query);
      list.addEventListener('change', onChange);
      return () => list.removeEventListener('change', onChange);
    },
    () => window.matchMedia(query).matches,
  );
}
