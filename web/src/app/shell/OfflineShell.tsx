import { useQueryClient } from '@tanstack/react-query';
import { RefreshCw, WifiOff } from 'lucide-react';
import { useEffect, useLayoutEffect } from 'react';
import { queryKeys } from '../../api/queryKeys.ts';
import { promisedPlace } from '../../state/promisedPlace.ts';
import { ErrorBoundary } from '../../ui/ErrorBoundary.tsx';
import { tabFor } from './tabs.ts';
import { Toasts } from './Toasts.tsx';

const RETRY_MS = 15_000;
const lab = tabFor('backtest');
const labPlace = `?tab=${lab.id}`;

/** Requests the session until the server responds: the product then takes the place of this page. */
function useReconnect(): () => void {
  const client = useQueryClient();
  const retry = () => void client.invalidateQueries({ queryKey: queryKeys.session });
  useEffect(() => {
    const timer = setInterval(() => void client.invalidateQueries({ queryKey: queryKeys.session }), RETRY_MS);
    return () => clearInterval(timer);
  }, [client]);
  return retry;
}

/** The product without a network: the lab on what this browser stored. Signed out there is nothing stored to work on. */
export function OfflineShell({ isSignedIn }: { isSignedIn: boolean }) {
  const retry = useReconnect();
  useLayoutEffect(() => {
    // Back online the lab stays open, whatever the address was.
    promisedPlace.search = labPlace;
    if (isSignedIn) history.replaceState(null, '', `/${labPlace}`);
  }, [isSignedIn]);
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="flex h-[var(--bar-height)] shrink-0 items-center gap-3 border-b border-line bg-panel px-3">
        <span className="font-semibold">Sextant</span>
        <p role="status" className="flex min-w-0 flex-1 items-center gap-2 text-label text-warn">
          <WifiOff size={14} aria-hidden="true" className="shrink-0" />
          <span className="line-clamp-2">
            {isSignedIn ? 'Offline: the lab runs on candles stored in this browser.' : 'Offline: connect to sign in.'}
          </span>
        </p>
        <button type="button" className="btn btn-small" onClick={retry}>
          <RefreshCw size={14} aria-hidden="true" /> Reconnect
        </button>
      </header>
      <main id="main" tabIndex={-1} className="page flex min-w-0 flex-1 flex-col outline-none">
        {isSignedIn ? (
          <ErrorBoundary place="tab">
            <lab.View />
          </ErrorBoundary>
        ) : (
          <div className="grid flex-1 place-content-center gap-2 p-6 text-center">
            <h1 className="text-page font-semibold">You are offline</h1>
            <p className="text-muted">Sign in once with a connection: the lab then works offline too.</p>
          </div>
        )}
      </main>
      <Toasts />
    </div>
  );
}
