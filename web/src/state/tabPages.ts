import { useSnapshot } from 'valtio';
import { navigation } from './navigation.ts';

/** Inner pages of the tabs, in the order of their row. The first is shown until another is opened; the palette lists them all. */
export const tabPages = {
  dashboard: [
    { id: 'overview', label: 'Overview' },
    { id: 'positions', label: 'Positions' },
    { id: 'history', label: 'History' },
    { id: 'analytics', label: 'Analytics' },
    { id: 'alerts', label: 'Alerts' },
  ],
  auto: [
    { id: 'overview', label: 'Overview' },
    { id: 'trailing', label: 'Trailing Settings' },
    { id: 'active', label: 'Active Positions' },
    { id: 'performance', label: 'Performance' },
  ],
  signals: [
    { id: 'scanner', label: 'Signal Scanner' },
    { id: 'trading', label: 'Trading Settings' },
    { id: 'filters', label: 'Symbol Filters' },
    { id: 'results', label: 'Scan Results' },
  ],
  backtest: [
    { id: 'setup', label: 'Backtest Setup' },
    { id: 'search', label: 'Optimization' },
    { id: 'params', label: 'Strategy Parameters' },
    { id: 'results', label: 'Results & Analytics' },
    { id: 'portfolio', label: 'Portfolio' },
    { id: 'heatMap', label: 'Heat map' },
  ],
  arb: [
    { id: 'scanner', label: 'Scanner' },
    { id: 'results', label: 'Results' },
    { id: 'analytics', label: 'Analytics' },
  ],
  funds: [
    { id: 'purchase', label: 'Purchase Credits' },
    { id: 'details', label: 'Payment Details' },
    { id: 'moonpay', label: 'MoonPay' },
  ],
  news: [
    { id: 'feed', label: 'Live News Feed' },
    { id: 'analysis', label: 'AI Analysis' },
    { id: 'trends', label: 'Market Trends' },
    { id: 'settings', label: 'News Settings' },
  ],
  payments: [
    { id: 'history', label: 'History' },
    { id: 'analytics', label: 'Analytics' },
    { id: 'methods', label: 'Methods' },
    { id: 'receipts', label: 'Receipts' },
  ],
  help: [
    { id: 'browse', label: 'Browse' },
    { id: 'search', label: 'Search' },
    { id: 'chat', label: 'Chat' },
    { id: 'categories', label: 'Categories' },
  ],
  settings: [
    { id: 'indicators', label: 'Indicators' },
    { id: 'presets', label: 'Presets' },
    { id: 'advanced', label: 'Advanced' },
    { id: 'performance', label: 'Performance' },
  ],
  'api-manager': [
    { id: 'current', label: 'Current' },
    { id: 'plans', label: 'Plans' },
    { id: 'usage', label: 'Usage' },
    { id: 'webhooks', label: 'Webhooks' },
  ],
  'api-docs': [
    { id: 'overview', label: 'Overview' },
    { id: 'authentication', label: 'Authentication' },
    { id: 'signals', label: 'Trading Signals' },
    { id: 'market', label: 'Market Data' },
    { id: 'analysis', label: 'Analysis' },
    { id: 'webhooks', label: 'Webhooks' },
    { id: 'usage', label: 'Usage & Logs' },
  ],
} as const;

type Tab = keyof typeof tabPages;
export type PageId<T extends Tab> = (typeof tabPages)[T][number]['id'];

/** The page with this id; the first one when there is none. */
export function pageOf<T extends Tab>(tab: T, id: string | undefined): PageId<T> {
  const pages: readonly { id: PageId<T> }[] = tabPages[tab];
  return (pages.find((page) => page.id === id) ?? tabPages[tab][0]).id;
}

/** The page of this tab that is open. */
export const useOpenPage = <T extends Tab>(tab: T): PageId<T> => pageOf(tab, useSnapshot(navigation).pages[tab]);
