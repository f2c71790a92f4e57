import {
  ArrowLeftRight,
  BookOpen,
  Bot,
  ChartCandlestick,
  CircleHelp,
  CircleUserRound,
  Coins,
  KeyRound,
  LayoutDashboard,
  Newspaper,
  Radar,
  ReceiptText,
  ScanEye,
  Settings2,
  SlidersHorizontal,
} from 'lucide-react';
import { type ComponentType, createElement } from 'react';
import type { TabId } from '../../api/types.ts';
import { preloadChart } from '../../charts/LateChart.tsx';
import { tabPages } from '../../state/tabPages.ts';
import { type Late, late } from '../../ui/late.tsx';
import { SkeletonRows } from '../../ui/Panel.tsx';

/** Beside the tabs in both menus: every call of the API, in a window of its own. */
export const documentationPath = '/api-documentation';

/** Stands in until the tab to show is known and its file is here. */
export const tabPlaceholder = createElement(SkeletonRows, { rows: 6 });

interface ShellTab extends Late<object> {
  /** One of the 15 ids of tabs; also the value of `active_tab`. */
  id: TabId;
  label: string;
  icon: typeof LayoutDashboard;
  /** Inner pages, for the palette. */
  pages: readonly { id: string; label: string }[];
}

function shellTab(
  id: TabId,
  label: string,
  icon: ShellTab['icon'],
  fetchView: () => Promise<ComponentType>,
  pages: ShellTab['pages'] = [],
): ShellTab {
  return { id, label, icon, pages, ...late(fetchView, tabPlaceholder) };
}

/** Which tabs stand in the bar and which under More, and in which order. */
const mainIds = ['dashboard', 'signals', 'auto', 'backtest', 'arb', 'profile', 'funds', 'news', 'help'] as const;
const moreIds = ['vision', 'settings', 'payments', 'api-manager', 'api-docs', 'account'] as const;

/** A tab is listed from the day it works, with one entry here; its place follows from its id. */
const built: readonly ShellTab[] = [
  shellTab(
    'dashboard',
    'Dashboard',
    LayoutDashboard,
    async () => {
      preloadChart();
      return (await import('../DashboardTab.tsx')).DashboardTab;
    },
    tabPages.dashboard,
  ),
  shellTab(
    'auto',
    'Auto',
    Bot,
    async () => (await import('../../features/positions/auto/AutoTab.tsx')).AutoTab,
    tabPages.auto,
  ),
  shellTab(
    'backtest',
    'Backtest',
    ChartCandlestick,
    async () => (await import('../../features/backtest/BacktestTab.tsx')).BacktestTab,
    tabPages.backtest,
  ),
  shellTab(
    'arb',
    'Arbitrage',
    ArrowLeftRight,
    async () => (await import('../../features/arbitrage/ArbitrageTab.tsx')).ArbitrageTab,
    tabPages.arb,
  ),
  shellTab(
    'profile',
    'Profile',
    CircleUserRound,
    async () => (await import('../../features/profile/ProfileTab.tsx')).ProfileTab,
  ),
  shellTab(
    'account',
    'Account',
    Settings2,
    async () => (await import('../../features/account/AccountTab.tsx')).AccountTab,
  ),
  shellTab(
    'signals',
    'Signals',
    Radar,
    async () => (await import('../../features/signals/SignalsTab.tsx')).SignalsTab,
    tabPages.signals,
  ),
  shellTab(
    'funds',
    'Funds',
    Coins,
    async () => (await import('../../features/funds/FundsTab.tsx')).FundsTab,
    tabPages.funds,
  ),
  shellTab(
    'news',
    'News',
    Newspaper,
    async () => (await import('../../features/news/NewsTab.tsx')).NewsTab,
    tabPages.news,
  ),
  shellTab(
    'payments',
    'Payments',
    ReceiptText,
    async () => (await import('../../features/payments/PaymentsTab.tsx')).PaymentsTab,
    tabPages.payments,
  ),
  shellTab(
    'help',
    'Help',
    CircleHelp,
    async () => (await import('../../features/help/HelpTab.tsx')).HelpTab,
    tabPages.help,
  ),
  shellTab('vision', 'Vision', ScanEye, async () => (await import('../../features/vision/VisionTab.tsx')).VisionTab),
  shellTab(
    'api-manager',
    'API Manager',
    KeyRound,
    async () => (await import('../../features/apiManager/ApiManagerTab.tsx')).ApiManagerTab,
    tabPages['api-manager'],
  ),
  shellTab(
    'api-docs',
    'API Docs',
    BookOpen,
    async () => (await import('../../features/apiDocs/ApiDocsTab.tsx')).ApiDocsTab,
    tabPages['api-docs'],
  ),
  shellTab(
    'settings',
    'Signal Tuning',
    SlidersHorizontal,
    async () => (await import('../../features/tuning/TuningTab.tsx')).TuningTab,
    tabPages.settings,
  ),
];

const inOrder = (ids: readonly TabId[]): ShellTab[] =>
  ids.flatMap((id) => {
    const tab = built.find((each) => each.id === id);
    return tab === undefined ? [] : [tab];
  });

export const mainTabs: readonly ShellTab[] = inOrder(mainIds);
export const moreTabs: readonly ShellTab[] = inOrder(moreIds);
export const shellTabs: readonly ShellTab[] = [...mainTabs, ...moreTabs];
/** Within reach of the thumb, below 768 px; the rest is in the menu. */
export const bottomTabs: readonly ShellTab[] = mainTabs.slice(0, 5);

/** The tab to show for a saved id; an id of a tab that does not exist (yet) opens the default one. */
export function tabFor(id: string): ShellTab {
  const found = shellTabs.find((tab) => tab.id === id) ?? shellTabs[0];
  if (found === undefined) throw new Error('the shell has no tabs');
  return found;
}
