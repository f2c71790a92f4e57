import { ArrowRight } from 'lucide-react';
import { openTab } from '../../state/navigation.ts';
import { EmptyState, Panel } from '../../ui/Panel.tsx';

/** The way from looking at the market to testing an idea on it. */
export function LastBacktest() {
  return (
    <Panel title="Backtest">
      <EmptyState text="Test a strategy on these markets with every cost charged.">
        <button type="button" className="btn btn-primary" onClick={() => openTab('backtest', 'setup')}>
          Go to Setup <ArrowRight size={14} aria-hidden="true" />
        </button>
      </EmptyState>
    </Panel>
  );
}
