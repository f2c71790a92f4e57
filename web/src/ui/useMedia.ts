import { useSyncExternalStore } from 'react';

/** Whether a media query matches now. `false` during prerendering, where there is no window. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (onChange) => {
      const list = window.matchMedia(query);
      list.addEventListener('change', onChange);
      return () => list.removeEventListener('change', onChange);
    },
    () => window.matchMedia(query).matches,
    () => false,
  );
}

/** --breakpoint-md, --breakpoint-dock and --breakpoint-lg */
const queries = {
  tablet: '(min-width: 768px)',
  dock: '(min-width: 1024px)',
  desktop: '(min-width: 1100px)',
} as const;

/** Whether the window is at least as wide as a tablet, as a page with the order ticket docked beside it, or as a desk screen with two columns. */
export function useIsWide(least: keyof typeof queries): boolean {
  return useMedia(queries[least]);
}
