import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode, useEffect, useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import { Redirect, Router, useLocation } from 'wouter';
import { onSignedOut } from '../api/client.ts';
import { ApiFailure } from '../api/failure.ts';
import { queryKeys } from '../api/queryKeys.ts';
import { retryDelayMs, shouldRetry } from '../api/retry.ts';
import { appInfo, useSession } from '../api/useSession.ts';
import { PublicLayout } from '../features/public/PublicLayout.tsx';
import { isShareAddress } from '../state/shareAddress.ts';
import { claimLocalData, forgetLocalData, leaveLocalData } from '../state/localOwner.ts';
import { localOwner, onLocalOwner } from '../api/ownerId.ts';
import { isOfflinePage } from '../state/offlinePage.ts';
import { keepLinkedPlace, promisedPlace } from '../state/promisedPlace.ts';
import { confirmSessionEnd } from '../data/sessionEnd.ts';
import { readSaved, save } from '../state/storage.ts';
import { runUserResets } from '../state/userReset.ts';
import { ErrorBoundary } from '../ui/ErrorBoundary.tsx';
import { late } from '../ui/late.tsx';
import { landingPages, marketingPage } from './latePages.tsx';
import { helpArticles, isForAll, publicPages } from './paths.ts';

/**
 * A session that ended elsewhere shows as a 401 on any call: once confirmed, the sign-in screen replaces the shell, except for calls whose
 * screen handles it (`meta.keepsPlace`).
 */
function onFailure(failure: unknown, meta: Record<string, unknown> | undefined): void {
  const isSignedOut = failure instanceof ApiFailure && failure.code === 'not_authenticated';
  if (isSignedOut && meta?.['keepsPlace'] !== true) void confirmSessionEnd(queryClient);
}

const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: (failure, { meta }) => onFailure(failure, meta) }),
  mutationCache: new MutationCache({
    onError: (failure, _variables, _context, { options }) => onFailure(failure, options.meta),
  }),
  defaultOptions: {
    // `always`: without a network a call fails and says so. By default the library would pause it and show it as loading.
    queries: {
      retry: shouldRetry,
      retryDelay: retryDelayMs,
      networkMode: 'always',
      refetchOnWindowFocus: true,
      refetchOnReconnect: true,
    },
    // A write is never repeated automatically, nor when the network comes back.
    mutations: { retry: false, networkMode: 'always' },
  },
});

onSignedOut(() => void confirmSessionEnd(queryClient));

/** Clears the data of one user before the next. The session and the facts of the installation stay. */
function resetUserState(): void {
  const retained = new Set<unknown>([queryKeys.session[0], queryKeys.app[0]]);
  queryClient.removeQueries({ predicate: (query) => !retained.has(query.queryKey[0]) });
  runUserResets();
}

function onHashChange(changed: () => void): () => void {
  window.addEventListener('hashchange', changed);
  return () => window.removeEventListener('hashchange', changed);
}

/** The run of a shared link in the URL (`/#share=...`), and a function to leave it. */
function useSharedLink(): { fragment: string | null; leave: () => void } {
  const hash = useSyncExternalStore(
    onHashChange,
    () => location.hash,
    () => '',
  );
  return { fragment: isShareAddress(hash) ? hash : null, leave };
}

function leave(): void {
  // Reloaded: the page behind it may have been drawn for a signed-out visitor.
  location.assign('/');
}

/** Title, description and address of the page that is open: the first page brings its own, this follows the reader. */
function useDocumentHead(): void {
  const [path] = useLocation();
  useEffect(() => {
    const page = publicPages.find((each) => each.path === path);
    if (page === undefined) return;
    document.title = page.title;
    set('meta[name="description"]', 'content', page.description);
    set('link[rel="canonical"]', 'href', new URL(path, location.origin).href);
  }, [path]);
}

/** A public address of the help leads to the same article in the product. Loaded then: the other public pages do without. */
function openHelp(path: string, hash: string): void {
  if (path === '/help' || path.startsWith(helpArticles))
    void import('../state/helpPlace.ts').then(({ openHelpAddress }) => openHelpAddress(path, hash));
}

function set(selector: string, attribute: string, value: string): void {
  document.querySelector(selector)?.setAttribute(attribute, value);
}

const placeholder = <ShellPlaceholder />;
const shell = late(async () => {
  // Fetched together with the session, so that the banner of a simulated market is there before the tab below it.
  queryClient.query(appInfo).catch(() => undefined);
  const { Shell, preloadFirstTab } = await import('./shell/Shell.tsx');
  preloadFirstTab();
  return Shell;
}, placeholder);
/** Fetches the files of the product while the session is fetched. */
export const preloadShell = shell.preload;

const offlineShell = late(async () => (await import('./shell/OfflineShell.tsx')).OfflineShell, placeholder);

const sharedRun = late(
  async () => (await import('../features/backtest/share/SharedRunPage.tsx')).SharedRunPage,
  placeholder,
);

type EmailLinkPages = typeof import('../features/auth/EmailLinkPages.tsx');
const emailLink = (name: keyof EmailLinkPages) =>
  late(async () => (await import('../features/auth/EmailLinkPages.tsx'))[name], placeholder);

/** Targets of links in emails, with or without a session. Loaded only then. */
const linkPages = {
  '/forgot-password': emailLink('ForgotPasswordPage'),
  '/reset-password': emailLink('ResetPasswordPage'),
  '/confirm-email': emailLink('ConfirmSignUpPage'),
  '/confirm-new-email': emailLink('ConfirmNewEmailPage'),
  '/outbox': late(async () => (await import('../features/auth/OutboxPage.tsx')).OutboxPage, placeholder),
};
const isLinkPage = (path: string): path is keyof typeof linkPages => Object.hasOwn(linkPages, path);

/** The signed-in user, and how far it is known. */
function useReader() {
  const session = useSession();
  const user = session.data ?? null;
  if (!isOfflinePage() || session.data !== undefined)
    return { user, isOffline: false, isPending: session.isPending, id: session.isPending ? undefined : user?.id };
  // Without a network the last user of this browser, who has not signed out.
  const id = readSaved('signedIn') === 'yes' ? (readSaved('owner') ?? undefined) : undefined;
  return { user, isOffline: true, isPending: id === undefined, id };
}

/** Signed in: the shell on any other path. Signed out: the public pages, and `/` for an unknown path. */
function App() {
  const [path] = useLocation();
  const { user, isOffline, isPending, id } = useReader();
  const isClaimed = useUserChange(isPending ? undefined : (id ?? null));

  const { fragment, leave } = useSharedLink();
  if (fragment !== null) {
    return <sharedRun.View fragment={fragment} onLeave={leave} />;
  }
  if (isLinkPage(path)) {
    const { View } = linkPages[path];
    return <View />;
  }
  if (isOffline) return isPending || isClaimed ? <offlineShell.View isSignedIn={!isPending} /> : placeholder;
  if (user !== null && !isForAll(path)) {
    return isClaimed ? <shell.View user={user} /> : placeholder;
  }
  // Only a browser that was signed in before waits for the response: a newcomer sees the public page at once.
  if (isPending && readSaved('signedIn') === 'yes' && !isForAll(path)) return placeholder;
  return <PublicRoutes />;
}

function PublicRoutes() {
  useDocumentHead();
  const [path] = useLocation();
  const landing = landingPages[path];
  if (landing !== undefined) return <landing.View />;
  const page = marketingPage(path);
  if (page === undefined) return <Redirect to="/" replace />;
  return (
    <PublicLayout>
      <page.View />
    </PublicLayout>
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

/** Signed out: nothing of the user stays in this browser. */
function leaveUser(lastUser: string | null | undefined): void {
  if (lastUser != null) forgetLocalData();
  leavePlace(lastUser);
}

/** Signed out: stores the place of a link for the sign-in; after a session of this page, removes that user's place from the address. */
function leavePlace(lastUser: string | null | undefined): void {
  const isPlace = location.pathname === '/' && new URLSearchParams(location.search).has('tab');
  if (lastUser == null) {
    if (isPlace) keepLinkedPlace(location.search);
    return;
  }
  keepLinkedPlace('');
  if (isPlace) history.replaceState(null, '', '/');
}

/**
 * Clears the data of the previous user. `undefined`: not known yet.
 * @returns whether the data stored in this browser is this user's; nothing of the product renders before
 */
function useUserChange(userId: string | null | undefined): boolean {
  const lastUserId = useRef<string | null | undefined>(undefined);
  const owner = useSyncExternalStore(
    onLocalOwner,
    () => localOwner.id,
    () => '',
  );
  useLayoutEffect(() => {
    if (userId === undefined) return;
    const lastUser = lastUserId.current;
    const isOther = lastUser !== undefined && lastUser !== userId;
    if (userId === null) leaveLocalData();
    const hadOthers = userId !== null && claimLocalData(userId);
    if (isOther || hadOthers) resetUserState();
    lastUserId.current = userId;
    save('signedIn', userId === null ? null : 'yes');
    if (userId !== null) promisedPlace.search = location.search;
    // A link into the product opens after the sign-in. The place of one user is not the next one's.
    if (userId === null) leaveUser(lastUser);
    if (userId !== null) openHelp(location.pathname, location.hash);
    // A signed-in page has no path; the public one would stay in the address bar otherwise.
    if (userId !== null && location.pathname !== '/' && !isLinkPage(location.pathname) && !isForAll(location.pathname))
      history.replaceState(null, '', '/');
  }, [userId]);
  return owner === (userId ?? '');
}

/** The whole application. `path` is set during prerendering, where there is no address bar. */
export function Root({ path }: { path?: string }) {
  return (
    <StrictMode>
      <ErrorBoundary place="page">
        <QueryClientProvider client={queryClient}>
          <Router {...(path === undefined ? {} : { ssrPath: path })}>
            <App />
          </Router>
        </QueryClientProvider>
      </ErrorBoundary>
    </StrictMode>
  );
}
