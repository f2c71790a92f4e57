import { useMedia } from './useMedia.ts';

/** --breakpoint-md and --breakpoint-lg */
const queries = { tablet: '(min-width: 768px)', desktop: '(min-width: 1100px)' } as const;

/** Whether the window is at least as wide as a tablet, or as a desk screen with room for two columns. */
export function useIsWide(least: keyof typeof queries): boolean {
  return useMedia(queries[least]);
}
