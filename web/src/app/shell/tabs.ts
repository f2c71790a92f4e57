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

/** Beside the tabs in both menus: every call of the API, in a separate window. */
export const documentationPath = '/api-documentation';

/** Placeholder until the tab is known and its file is loaded. */
export const tabPlaceholder = createElement(SkeletonRows, { rows: 6 });

interface TabEntry {
  label: string;
  icon: typeof LayoutDashboard;
  /** `g` followed by this key opens the tab. */
  goKey: string;
  fetchView: () => Promise<ComponentType>;
}

interface ShellTab extends Late<object> {
  /** One of the 15 ids of tabs; also the value of `active_tab`. */
  id: TabId;
  label: string;
  icon: typeof LayoutDashboard;
  goKey: string;
  /** Inner pages, for the palette. */
  pages: readonly { id: string; label: string }[];
}

type TabTable = Partial<Record<TabId, TabEntry>>;

/** The tabs of the bar, in their order. */
const inBar = {
  dashboard: {
    label: 'Dashboard',
    icon: LayoutDashboard,
    goKey: 'd',
    fetchView: async () => {
      preloadChart();
      return (await import('../DashboardTab.tsx')).DashboardTab;
    },
  },
  signals: {
    label: 'Signals',
    icon: Radar,
    goKey: 's',
    fetchView: async () => (await import('../../features/signals/SignalsTab.tsx')).SignalsTab,
  },
  auto: {
    label: 'Auto',
    icon: Bot,
    goKey: 'a',
    fetchView: async () => (await import('../../features/positions/auto/AutoTab.tsx')).AutoTab,
  },
  backtest: {
    label: 'Backtest',
    icon: ChartCandlestick,
    goKey: 'b',
    fetchView: async () => (await import('../../features/backtest/BacktestTab.tsx')).BacktestTab,
  },
  arb: {
    label: 'Arbitrage',
    icon: ArrowLeftRight,
    goKey: 'r',
    fetchView: async () => (await import('../../features/arbitrage/ArbitrageTab.tsx')).ArbitrageTab,
  },
  profile: {
    label: 'Profile',
    icon: CircleUserRound,
    goKey: 'p',
    fetchView: async () => (await import('../../features/profile/ProfileTab.tsx')).ProfileTab,
  },
  funds: {
    label: 'Funds',
    icon: Coins,
    goKey: 'f',
    fetchView: async () => (await import('../../features/funds/FundsTab.tsx')).FundsTab,
  },
  news: {
    label: 'News',
    icon: Newspaper,
    goKey: 'n',
    fetchView: async () => (await import('../../features/news/NewsTab.tsx')).NewsTab,
  },
  help: {
    label: 'Help',
    icon: CircleHelp,
    goKey: 'h',
    fetchView: async () => (await import('../../features/help/HelpTab.tsx')).HelpTab,
  },
} satisfies TabTable;

/** The tabs under More, in order. */
const underMore = {
  vision: {
    label: 'Vision',
    icon: ScanEye,
    goKey: 'v',
    fetchView: async () => (await import('../../features/vision/VisionTab.tsx')).VisionTab,
  },
  settings: {
    label: 'Signal Tuning',
    icon: SlidersHorizontal,
    goKey: 't',
    fetchView: async () => (await import('../../features/tuning/TuningTab.tsx')).TuningTab,
  },
  payments: {
    label: 'Payments',
    icon: ReceiptText,
    goKey: 'y',
    fetchView: async () => (await import('../../features/payments/PaymentsTab.tsx')).PaymentsTab,
  },
  'api-manager': {
    label: 'API Manager',
    icon: KeyRound,
    goKey: 'k',
    fetchView: async () => (await import('../../features/apiManager/ApiManagerTab.tsx')).ApiManagerTab,
  },
  'api-docs': {
    label: 'API Docs',
    icon: BookOpen,
    goKey: 'o',
    fetchView: async () => (await import('../../features/apiDocs/ApiDocsTab.tsx')).ApiDocsTab,
  },
  account: {
    label: 'Account',
    icon: Settings2,
    goKey: 'c',
    fetchView: async () => (await import('../../features/account/AccountTab.tsx')).AccountTab,
  },
} satisfies TabTable;

/** A tab without a place does not compile. Its inner pages are in `tabPages`, its id also in the server's `tabIds` and in the database. */
({ ...inBar, ...underMore }) satisfies Record<TabId, TabEntry>;

const pagesOf: Partial<Record<string, ShellTab['pages']>> = tabPages;

const tabsOf = (table: TabTable): readonly ShellTab[] =>
  Object.entries(table).map(([id, { fetchView, ...tab }]) => ({
    id: id as TabId,
    ...tab,
    pages: pagesOf[id] ?? [],
    ...late(fetchView, tabPlaceholder),
  }));

export const mainTabs: readonly ShellTab[] = tabsOf(inBar);
export const moreTabs: readonly ShellTab[] = tabsOf(underMore);
export const shellTabs: readonly ShellTab[] = [...mainTabs, ...moreTabs];
/** Within reach of the thumb, below 768 px; the rest is in the menu. */
export const bottomTabs: readonly ShellTab[] = mainTabs.slice(0, 5);

/** The tab for a saved id; an unknown id opens the default tab. */
export function tabFor(id: string): ShellTab {
  const match = shellTabs.find((tab) => tab.id === id) ?? shellTabs[0];
  if (match === undefined) throw new Error('the shell has no tabs');
  return match;
}
