import { useMemo, useSyncExternalStore } from 'react';
import { readShareLink, type SharedRun } from '../features/backtest/share/shareLink.ts';

function onHashChange(changed: () => void): () => void {
  window.addEventListener('hashchange', changed);
  return () => window.removeEventListener('hashchange', changed);
}

/** The run of a shared link in the address (`/#share=...`), and the way out of it. */
export function useSharedLink(): { shared: SharedRun | 'broken' | null; leave: () => void } {
  const fragment = useSyncExternalStore(
    onHashChange,
    () => location.hash,
    () => '',
  );
  const shared = useMemo(() => readShareLink(fragment), [fragment]);
  return { shared, leave };
}

function leave(): void {
  // Loaded anew: the page behind it may have been drawn for somebody who is not signed in.
  location.assign('/');
}
