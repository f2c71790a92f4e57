import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useEffect, useLayoutEffect, useState } from 'react';
import { useSnapshot } from 'valtio';
import { cancelDeletion, fetchDeletion, fetchPrivacy, reportLoad } from '../../api/account.ts';
import { alertListener, useEvents } from '../../data/events.ts';
import { messageOf } from '../../api/failure.ts';
import { usePositionsChanged } from '../../data/positions.ts';
import { queryKeys } from '../../api/queryKeys.ts';
import type { User } from '../../api/types.ts';
import { useAppInfo } from '../../api/useSession.ts';
import { registerAlertActions } from '../../features/alerts/alertActions.ts';
import { usePaymentWatch } from '../../features/funds/fundsState.ts';
import { registerOrderActions } from '../../features/orders/orderActions.ts';
import { navigation, openPromised, openTab } from '../../state/navigation.ts';
import { readSaved, readSavedInTab, saveInTab } from '../../state/storage.ts';
import { startOfflineCopy } from '../../state/offlineCopy.ts';
import { toast, toastRejection } from '../../state/toasts.ts';
import { ErrorBoundary } from '../../ui/ErrorBoundary.tsx';
import { Guarded } from '../../ui/Guarded.tsx';
import { late } from '../../ui/late.tsx';
import { Time } from '../../ui/Time.tsx';
import { whenQuiet } from '../../ui/whenQuiet.ts';
import { CommandPalette, useShortcuts } from './CommandPalette.tsx';
import { FirstOpeningBanner } from './FirstOpeningBanner.tsx';
import { StepUpDialog } from './StepUpDialog.tsx';
import { bottomTabs, shellTabs, tabFor, tabPlaceholder } from './tabs.ts';
import { Toasts } from './Toasts.tsx';
import { TopBar, useLogOut } from './TopBar.tsx';
import { useAddress } from './useAddress.ts';
import { useDisplaySync, usePreferenceSync } from './usePreferenceSync.ts';
import { storeResponse } from '../../api/storeResponse.ts';

/** Loads the tab of the URL, else the last one of this browser, while the preferences, which decide, are loading. */
export function preloadFirstTab(): void {
  const requested = new URLSearchParams(location.search).get('tab') ?? readSaved('tab');
  tabFor(requested ?? '').preload();
}

/** Delay of the report of the load time, so that it does not compete with the first screen. */
const WAIT_MS = 5000;

/** From the click or the typed address to the end of loading; undefined while it still loads. */
function loadMs(): number | undefined {
  const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return entry === undefined || entry.loadEventEnd === 0 ? undefined : entry.loadEventEnd - entry.startTime;
}

let isReported = false;

async function report(): Promise<void> {
  const responseTime = loadMs();
  if (isReported || responseTime === undefined) return;
  isReported = true;
  if ((await fetchPrivacy()).analytics) await reportLoad(responseTime);
}

/** Reports the load time of this page once, for users who allow analytics. A failed report is ignored. */
function useLoadReport(): void {
  useEffect(() => {
    const timer = setTimeout(() => void report().catch(() => undefined), WAIT_MS);
    return () => clearTimeout(timer);
  }, []);
}

/** Delay before the other tabs load: the open tab has been rendered by then. */
const OTHERS_AFTER_MS = 10_000;

/** Loads the other tabs one after the other, so that each opens at once, also without a network. */
async function loadTabs(isOver: () => boolean): Promise<void> {
  for (const { load } of shellTabs) {
    await new Promise<void>((resolve) => void whenQuiet(resolve));
    if (isOver()) return;
    await load().catch(() => undefined);
  }
}

/** A tab whose button is hovered or focused is loaded at once; the others after `OTHERS_AFTER_MS`. */
function useLaterTabs(): void {
  useEffect(() => {
    let isOver = false;
    const timer = setTimeout(() => void loadTabs(() => isOver), OTHERS_AFTER_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, []);
}

/** The form of an alert, which opens from charts, lists and the palette; the first screen does not wait for it. */
const alertsHost = late(async () => (await import('../../features/alerts/AlertDialog.tsx')).AlertDialog);

/** Shows alerts that fire or end, on every tab. */
function useAlertEvents(): void {
  useEffect(() => {
    const load = () => import('../../features/alerts/takeFired.ts');
    alertListener.current = {
      fired: (alertId, receiptId) => void load().then(({ takeFired }) => takeFired(alertId, receiptId)),
      ended: (count, reason) => void load().then(({ showEnded }) => showEnded(count, reason)),
    };
    return () => (alertListener.current = undefined);
  }, []);
}

/** The order ticket and the lines of orders on charts; the first screen does not wait for them. */
const ordersHost = late(async () => (await import('../../features/orders/OrdersHost.tsx')).OrdersHost);

/** The signed-in product: bar, banners, open tab, toasts. Its path is always `/`; the query string names tab and page. */
export function Shell({ user }: { user: User }) {
  useEvents();
  usePositionsChanged();
  usePaymentWatch();
  useShortcuts();
  useDisplaySync();
  useLoadReport();
  useLaterTabs();
  useAlertEvents();
  useEffect(registerAlertActions, []);
  useEffect(registerOrderActions, []);
  useEffect(() => startOfflineCopy(whenQuiet), []);
  const leave = useLogOut();
  // Before the last tab is restored: a tab opened by a link of the public pages has priority.
  useLayoutEffect(openPromised, []);
  const isRestored = usePreferenceSync();
  // After usePreferenceSync, which saves each change of tab, so that a tab opened by a URL is stored too.
  useAddress(isRestored);
  const { activeTab } = useSnapshot(navigation);
  const tab = tabFor(activeTab);
  useEffect(() => {
    document.title = `${tab.label} · Sextant`;
    return () => {
      document.title = 'Sextant';
    };
  }, [tab.label]);
  return (
    <div className="flex min-h-dvh flex-col">
      <a href="#main" className="btn btn-primary sr-only z-50 focus:not-sr-only focus:fixed focus:top-2 focus:left-2">
        Skip to content
      </a>
      <TopBar user={user} />
      <DemoBanner />
      <DeletionBanner />
      <FirstOpeningBanner />
      <main id="main" tabIndex={-1} className="page flex min-w-0 flex-1 flex-col outline-none">
        <ErrorBoundary key={tab.id} place="tab">
          {isRestored ? <tab.View /> : tabPlaceholder}
        </ErrorBoundary>
      </main>
      <BottomBar />
      <Toasts />
      <CommandPalette onLogOut={leave.mutate} />
      <StepUpDialog />
      <Guarded>{isRestored && <alertsHost.View />}</Guarded>
      <Guarded>{isRestored && <ordersHost.View />}</Guarded>
    </div>
  );
}

/** Tabs within reach of the thumb, below 768 px. */
function BottomBar() {
  const { activeTab } = useSnapshot(navigation);
  return (
    <nav
      aria-label="Tabs"
      className="fixed inset-x-0 bottom-0 z-20 flex h-[var(--bottom-bar-height)] border-t border-line bg-panel pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      {bottomTabs.map(({ id, label, icon: Icon, preload }) => {
        const isActive = tabFor(activeTab).id === id;
        return (
          <button
            key={id}
            type="button"
            aria-current={isActive ? 'page' : undefined}
            onClick={() => openTab(id)}
            onPointerDown={preload}
            className={`flex flex-1 flex-col items-center justify-center gap-0.5 text-label ${isActive ? 'text-accent' : 'text-muted'}`}
          >
            <Icon size={18} aria-hidden="true" />
            {label}
          </button>
        );
      })}
    </nav>
  );
}

const BANNER_KEY = 'bannerClosed';

/** Shown while the market is simulated or replayed. A closed banner returns at the next visit. */
function DemoBanner() {
  const app = useAppInfo();
  const [isClosed, setClosed] = useState(() => readSavedInTab(BANNER_KEY) === 'yes');
  if (isClosed || app.data === undefined || app.data.market === 'live') return null;
  const text =
    app.data.market === 'simulated'
      ? 'Simulated market: prices are generated'
      : 'Replayed market: prices are recorded candles';
  return (
    <aside
      aria-label="Market mode"
      className="flex h-7 shrink-0 items-center justify-center gap-2 border-b border-line bg-warn-soft px-3 text-label text-warn"
    >
      <span className="truncate">
        {text}
        <span className="max-md:hidden">, not connected to an exchange</span>.
      </span>
      <button
        type="button"
        aria-label="Hide until the next visit"
        className="grid size-6 place-items-center rounded-sm hover:bg-warn-soft"
        onClick={() => {
          saveInTab(BANNER_KEY, 'yes');
          setClosed(true);
        }}
      >
        <X size={14} aria-hidden="true" />
      </button>
    </aside>
  );
}

/** The date of a scheduled deletion of the account, with a button that cancels it. It cannot be closed. */
function DeletionBanner() {
  const queryClient = useQueryClient();
  const deletion = useQuery({ queryKey: queryKeys.account.deletion, queryFn: fetchDeletion, staleTime: 300_000 });
  const keep = useMutation({
    mutationFn: cancelDeletion,
    onSuccess: async (state) => {
      await storeResponse(queryClient, queryKeys.account.deletion, state);
      toast('Deletion cancelled. Your account stays.', 'success');
    },
    onError: (failure) => toastRejection(messageOf(failure, 'Could not cancel the deletion. Try again.'), failure),
  });
  const eraseAfter = deletion.data?.erase_after ?? null;
  if (eraseAfter === null) return null;
  return (
    <aside
      aria-label="Account deletion"
      className="flex min-h-9 shrink-0 flex-wrap items-center justify-center gap-x-3 gap-y-1 border-b border-line bg-down-soft px-3 py-1 text-label"
    >
      <span>
        We delete your account and all its data on <Time at={eraseAfter} />.
      </span>
      {deletion.data?.can_cancel === true && (
        <button type="button" className="btn btn-small" disabled={keep.isPending} onClick={() => keep.mutate()}>
          Keep my account
        </button>
      )}
    </aside>
  );
}
