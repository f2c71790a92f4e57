import { proxy } from 'valtio';
import type { PositionView } from '../../../api/positionView.ts';
import { onUserReset } from '../../../state/userReset.ts';

/** The filters, in this order. */
export const chips = ['all', 'long', 'short', 'high', 'low'] as const;
type Chip = (typeof chips)[number];
export const chipNames: Record<Chip, string> = {
  all: 'All',
  long: 'Long',
  short: 'Short',
  high: 'High confidence',
  low: 'Low confidence',
};

/** 70 % itself is high. */
const HIGH_CONFIDENCE = 0.7;

const takes: Record<Chip, (position: Pick<PositionView, 'side' | 'confidence'>) => boolean> = {
  all: () => true,
  long: ({ side }) => side === 'LONG',
  short: ({ side }) => side === 'SHORT',
  high: ({ confidence }) => confidence >= HIGH_CONFIDENCE,
  low: ({ confidence }) => confidence < HIGH_CONFIDENCE,
};

export const chipTakes = (chip: Chip, position: Pick<PositionView, 'side' | 'confidence'>): boolean =>
  takes[chip](position);

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
