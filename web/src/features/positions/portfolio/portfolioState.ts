import { proxy } from 'valtio';
import { onUserReset } from '../../../state/userReset.ts';
import type { Chip } from './chips.ts';

interface PortfolioState {
  chip: Chip;
  /** Id of the position whose chart and details are shown; null: the first row. */
  selectedOpen: string | null;
  selectedClosed: string | null;
}

const first = (): PortfolioState => ({ chip: 'all', selectedOpen: null, selectedClosed: null });

/** What the portfolio remembers while other tabs are looked at. */
export const portfolioState = proxy<PortfolioState>(first());

onUserReset(() => Object.assign(portfolioState, first()));
