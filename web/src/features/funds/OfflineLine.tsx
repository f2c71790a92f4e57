import { useSyncExternalStore } from 'react';
import { isUnreachable } from '../../api/failure.ts';
import { Notice } from '../../ui/Notice.tsx';

function onChange(tell: () => void): () => void {
  window.addEventListener('online', tell);
  window.addEventListener('offline', tell);
  return () => {
    window.removeEventListener('online', tell);
    window.removeEventListener('offline', tell);
  };
}

/** Says that what is shown may be old. @param failure of the newest request */
export function OfflineLine({ failure }: { failure: Error | null }) {
  const isOnline = useSyncExternalStore(onChange, () => navigator.onLine);
  if (isOnline && !isUnreachable(failure)) return null;
  return (
    <div role="status">
      <Notice tone="warn">
        Offline: this page cannot reach the server and shows what it knew last. Coins you have sent are credited all the
        same; the page goes on by itself when the connection is back.
      </Notice>
    </div>
  );
}
