import { lazy, Suspense, useEffect, useRef } from 'react';
import { Redirect, Route, Switch } from 'wouter';
import { useSession } from '../api/useSession.ts';
import { AuthPage } from '../features/auth/AuthPage.tsx';
import { HomePage } from '../features/home/HomePage.tsx';
import { readSaved, save } from '../state/storage.ts';
import { resetUserState } from './resetUserState.ts';

const Shell = lazy(() => import('./shell/Shell.tsx').then((module) => ({ default: module.Shell })));

/** Signed in: the shell on any path. Signed out: the public pages, and `/` for a path that is none (PUB-009, X19). */
export function App() {
  const session = useSession();
  const user = session.data ?? null;
  useUserChange(session.isPending ? undefined : (user?.id ?? null));

  if (user !== null) {
    return (
      <Suspense fallback={<ShellPlaceholder />}>
        <Shell user={user} />
      </Suspense>
    );
  }
  // Only a browser that was signed in before waits for the answer: a newcomer sees the public page at once.
  if (session.isPending && readSaved('signedIn') === 'yes') return <ShellPlaceholder />;
  return (
    <Switch>
      <Route path="/" component={HomePage} />
      <Route path="/login" component={AuthPage} />
      <Route>
        <Redirect to="/" replace />
      </Route>
    </Switch>
  );
}

function ShellPlaceholder() {
  return (
    <div aria-busy="true" className="min-h-dvh">
      <div className="h-[var(--bar-height)] border-b border-line bg-panel" />
      <p className="sr-only">Loading</p>
    </div>
  );
}

/** Forgets what belonged to the user before (AUTH-018). `undefined` means: not known yet. */
function useUserChange(userId: string | null | undefined): void {
  const lastUserId = useRef<string | null | undefined>(undefined);
  useEffect(() => {
    if (userId === undefined) return;
    if (lastUserId.current !== undefined && lastUserId.current !== userId) resetUserState();
    lastUserId.current = userId;
    save('signedIn', userId === null ? null : 'yes');
    // A signed-in page has no path of its own; the public one would stay in the address bar otherwise.
    if (userId !== null && location.pathname !== '/') history.replaceState(null, '', '/');
  }, [userId]);
}
