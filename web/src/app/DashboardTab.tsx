import { FirstHour } from '../features/dashboard/FirstHour.tsx';
import { MarketCards, ServiceCards } from '../features/dashboard/MarketCards.tsx';
import { RestingOrders } from '../features/orders/resting/RestingOrders.tsx';
import { PortfolioTab } from '../features/positions/portfolio/PortfolioTab.tsx';

/** The portfolio with the watch list and the orders: features without imports of each other. */
export function DashboardTab() {
  return (
    <PortfolioTab
      market={<MarketCards />}
      service={<ServiceCards />}
      orders={<RestingOrders />}
      start={<FirstHour />}
    />
  );
}
