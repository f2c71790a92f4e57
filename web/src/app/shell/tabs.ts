import { ChartCandlestick, CircleUserRound, LayoutDashboard, Settings2 } from 'lucide-react';
import { type ComponentType, lazy } from 'react';
import type { TabId } from '../../api/types.ts';
import { registerTabs } from '../../state/builtTabs.ts';

export interface ShellTab {
  /** One of the 15 ids of SHELL-007; also the value of `active_tab`. */
  id: TabId;
  label: string;
  icon: typeof LayoutDashboard;
  view: ComponentType;
  /** Fetches the view's code ahead of the click. */
  preload: () => Promise<unknown>;
}

function shellTab(
  id: TabId,
  label: string,
  icon: ShellTab['icon'],
  load: () => Promise<{ default: ComponentType }>,
): ShellTab {
  return { id, label, icon, view: lazy(load), preload: load };
}

/** Main tabs in the order of the bar. A tab is listed from the day it works. */
export const shellTabs: readonly ShellTab[] = [
  shellTab('dashboard', 'Dashboard', LayoutDashboard, async () => ({
    default: (await import('../../features/dashboard/DashboardTab.tsx')).DashboardTab,
  })),
  shellTab('backtest', 'Backtest', ChartCandlestick, async () => ({
    default: (await import('../../features/backtest/BacktestTab.tsx')).BacktestTab,
  })),
  shellTab('profile', 'Profile', CircleUserRound, async () => ({
    default: (await import('../../features/profile/ProfileTab.tsx')).ProfileTab,
  })),
  shellTab('account', 'Account', Settings2, async () => ({
    default: (await import('../../features/account/AccountTab.tsx')).AccountTab,
  })),
];

registerTabs(shellTabs.map(({ id }) => id));

/** The tab to show for a saved id; an id of a tab that does not exist (yet) opens the default one (SHELL-002). */
export function tabFor(id: string): ShellTab {
  const found = shellTabs.find((tab) => tab.id === id) ?? shellTabs[0];
  if (found === undefined) throw new Error('the shell has no tabs');
  return found;
}
