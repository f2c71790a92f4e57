import { FirstHour } from '../features/dashboard/FirstHour.tsx';
import { MarketCards, ServiceCards } from '../features/dashboard/MarketCards.tsx';
import { RestingOrders } from '../features/orders/resting/RestingOrders.tsx';
import { PortfolioTab } from '../features/positions/portfolio/PortfolioTab.tsx';
import { late } from '../ui/late.tsx';
import { SkeletonRows } from '../ui/Panel.tsx';

/** Alerts are the last page: the first one does not load them. */
const alertsPage = late(
  async () => (await import('../features/alerts/AlertsPage.tsx')).AlertsPage,
  <SkeletonRows rows={6} />,
);

/** The portfolio with the watch list, the orders and the alerts: features without imports of each other. */
export function DashboardTab() {
  return (
    <PortfolioTab
      market={<MarketCards />}
      service={<ServiceCards />}
      orders={<RestingOrders />}
      start={<FirstHour />}
      alerts={<alertsPage.View />}
    />
  );
}
