import { MarketCards, ServiceCards } from '../features/dashboard/MarketCards.tsx';
import { PortfolioTab } from '../features/positions/portfolio/PortfolioTab.tsx';

/** The portfolio with the watch list: two features without imports of each other. */
export function DashboardTab() {
  return <PortfolioTab market={<MarketCards />} service={<ServiceCards />} />;
}
