import { late } from '../ui/late.tsx';
import { SkeletonRows } from '../ui/Panel.tsx';
import { MarketCards, ServiceCards } from '../features/dashboard/MarketCards.tsx';
import { PortfolioTab } from '../features/positions/portfolio/PortfolioTab.tsx';

/** Alerts are the last page: the first one does not load them. */
const alertsPage = late(
  async () => (await import('../features/alerts/AlertsPage.tsx')).AlertsPage,
  <SkeletonRows rows={6} />,
);

/** The portfolio with the watch list and the alerts: features without imports of each other. */
export function DashboardTab() {
  return <PortfolioTab market={<MarketCards />} service={<ServiceCards />} alerts={<alertsPage.View />} />;
}
