import { useSnapshot } from 'valtio';
import { openTab } from '../../../state/navigation.ts';
import { EmptyState } from '../../../ui/Panel.tsx';
import { Segments } from '../../../ui/Segments.tsx';
import { chipNames, chips, portfolioState } from './portfolioState.ts';

/** The same choice for open and closed positions. */
export function ChipRow() {
  const { chip } = useSnapshot(portfolioState);
  return (
    <div className="relative overflow-x-auto border-b border-line p-2">
      <div className="w-max">
        <Segments
          label="Positions shown"
          isSmall
          isFitted
          options={chips}
          value={chip}
          nameOf={(each) => chipNames[each]}
          onSelect={(each) => (portfolioState.chip = each)}
        />
      </div>
    </div>
  );
}

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
