import { Guarded } from '../../../ui/Guarded.tsx';
import { GuardsPanel } from './GuardsPanel.tsx';
import { LastRunPanel } from './LastRunPanel.tsx';
import { SkipsPanel } from './SkipsPanel.tsx';
import { StatePanel } from './StatePanel.tsx';

/** Whether it is armed, by which conditions, what the last run did, and what it left. */
export function AutoOverviewPage() {
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] items-start gap-3 lg:grid-cols-[minmax(0,380px)_minmax(0,1fr)]">
      <div className="flex min-w-0 flex-col gap-3">
        <Guarded>
          <StatePanel />
          <GuardsPanel />
        </Guarded>
      </div>
      <div className="flex min-w-0 flex-col gap-3">
        <Guarded>
          <LastRunPanel />
          <SkipsPanel />
        </Guarded>
      </div>
    </div>
  );
}
