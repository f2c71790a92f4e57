import { useAnalytics } from '../../../api/positions.ts';
import { Loaded } from '../../../ui/Loaded.tsx';
import { confidenceName, reasonName } from '../performance/groupNames.ts';
import { GroupTable } from '../performance/GroupTable.tsx';
import { TotalsPanel } from '../performance/TotalsPanel.tsx';
import { RiskCard } from '../risk/RiskCard.tsx';
import { useMarked } from '../useMarked.ts';
import { EquityPanel } from './EquityPanel.tsx';
import { ExposureTable } from './ExposureTable.tsx';
import { equityOf } from './SummaryStrip.tsx';

/** Equity, exposure and what closed positions say. */
export function AnalyticsPage() {
  const analytics = useAnalytics();
  const { rows } = useMarked();
  return (
    <Loaded answer={analytics} failure="The figures of your account could not be read." rows={8}>
      {(data) => (
        <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-3 xl:grid-cols-[minmax(0,1fr)_400px]">
          <div className="flex min-w-0 flex-col gap-3">
            <EquityPanel points={data.equity} balance={data.balance_usdt} />
            <TotalsPanel title="All closed positions" totals={data.all} />
            <div className="grid gap-3 lg:grid-cols-2">
              <GroupTable title="By reason" groups={data.by_reason} nameOf={reasonName} />
              <GroupTable title="By side" groups={data.by_side} />
              <GroupTable title="By symbol" groups={data.by_symbol} />
              <GroupTable title="By confidence" groups={data.by_confidence} nameOf={confidenceName} />
            </div>
          </div>
          <div className="flex min-w-0 flex-col gap-3">
            <ExposureTable rows={rows} />
            <RiskCard rows={rows} equity={equityOf(data, rows)} />
          </div>
        </div>
      )}
    </Loaded>
  );
}
