import { openTab } from '../../../state/navigation.ts';
import { EmptyState } from '../../../ui/Panel.tsx';
import { portfolioState } from './portfolioState.ts';

/** What to do next. `isSomeWaiting`: there are some of another market, in a panel of their own. */
export function NoPositions({ isSomeWaiting }: { isSomeWaiting: boolean }) {
  const none = isSomeWaiting
    ? 'No open positions on this market. Those of another market are listed below.'
    : 'No open positions.';
  return (
    <EmptyState text={`${none} A scan opens those that pass your conditions; a single signal can be opened by hand.`}>
      <button type="button" className="btn btn-primary" onClick={() => openTab('signals', 'scanner')}>
        Go to Signals
      </button>
    </EmptyState>
  );
}

export function NothingUnderChip() {
  return (
    <EmptyState text="No position matches this filter.">
      <button type="button" className="btn" onClick={() => (portfolioState.chip = 'all')}>
        Show all
      </button>
    </EmptyState>
  );
}
