import { Suspense, useEffect } from 'react';
import { useSnapshot } from 'valtio';
import { useEvents } from '../../api/events.ts';
import { usePositionsChanged } from '../../api/positions.ts';
import type { User } from '../../api/types.ts';
import { navigation } from '../../state/navigation.ts';
import { ErrorBoundary } from '../../ui/ErrorBoundary.tsx';
import { SkeletonRows } from '../../ui/Panel.tsx';
import { Toasts } from '../../ui/Toasts.tsx';
import { BottomBar } from './BottomBar.tsx';
import { DeletionBanner } from './DeletionBanner.tsx';
import { DemoBanner } from './DemoBanner.tsx';
import { CommandPalette } from './palette/CommandPalette.tsx';
import { useShortcuts } from './palette/useShortcuts.ts';
import { FirstOpeningBanner } from './FirstOpeningBanner.tsx';
import { StepUpDialog } from './StepUpDialog.tsx';
import { shellTabs, tabFor } from './tabs.ts';
import { useDisplaySync } from './useDisplaySync.ts';
import { useLoadReport } from './useLoadReport.ts';
import { useLogOut } from './useLogOut.ts';
import { useTabOfUrl } from './useTabOfUrl.ts';
import { TopBar } from './TopBar.tsx';
import { usePreferenceSync } from './usePreferenceSync.ts';

/** The signed-in product: bar, banner, the open tab, toasts. Navigation is by tab, not by URL. */
export function Shell({ user }: { user: User }) {
  useEvents();
  usePositionsChanged();
  useShortcuts();
  useTabOfUrl();
  useDisplaySync();
  useLoadReport();
  const leave = useLogOut();
  const isRestored = usePreferenceSync();
  const { activeTab } = useSnapshot(navigation);
  const tab = tabFor(activeTab);
  useEffect(() => {
    document.title = `${tab.label} · Sextant`;
    return () => {
      document.title = 'Sextant';
    };
  }, [tab.label]);
  useEffect(() => {
    // The other views load once this one has the network to itself no longer.
    const timer = setTimeout(() => void Promise.allSettled(shellTabs.map((each) => each.preload())), 1500);
    return () => clearTimeout(timer);
  }, []);

  return (
    <div className="flex min-h-dvh flex-col">
      <a href="#main" className="btn btn-primary sr-only z-50 focus:not-sr-only focus:fixed focus:top-2 focus:left-2">
        Skip to content
      </a>
      <TopBar user={user} />
      <DemoBanner />
      <DeletionBanner />
      <FirstOpeningBanner />
      <main
        id="main"
        tabIndex={-1}
        className="flex min-w-0 flex-1 flex-col outline-none max-md:pb-[var(--bottom-bar-height)]"
      >
        <ErrorBoundary key={tab.id} place="tab">
          <Suspense fallback={<SkeletonRows rows={6} />}>
            {isRestored ? <tab.view /> : <SkeletonRows rows={6} />}
          </Suspense>
        </ErrorBoundary>
      </main>
      <BottomBar />
      <Toasts />
      <CommandPalette onLogOut={leave.mutate} />
      <StepUpDialog />
    </div>
  );
}
