import { useAnalytics } from '../../../api/positions.ts';
import type { PositionAnalytics } from '../../../api/types.ts';
import { formatMoney } from '../../../format/number.ts';
import { Loaded } from '../../../ui/Loaded.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { GroupTable } from '../performance/GroupTable.tsx';
import { LinePlot } from '../performance/LinePlot.tsx';
import { confidenceName, reasonName, sourceName } from '../performance/groupNames.ts';
import { TotalsPanel } from '../performance/TotalsPanel.tsx';

/** Realised performance of every closed position. */
export function PerformancePage() {
  const analytics = useAnalytics();
  return (
    <Loaded answer={analytics} failure="The performance could not be read." rows={8}>
      {(data) => (
        <div className="flex min-w-0 flex-col gap-3">
          <TotalsPanel title="All closed positions" totals={data.all} />
          {data.last_24h.trades > 0 && <TotalsPanel title="Last 24 hours" totals={data.last_24h} />}
          <RealisedPanel curve={data.curve} />
          <div className="grid gap-3 lg:grid-cols-2">
            <GroupTable title="By reason" groups={data.by_reason} nameOf={reasonName} />
            <GroupTable title="By source" groups={data.by_source} nameOf={sourceName} />
            <GroupTable title="By side" groups={data.by_side} />
            <GroupTable title="By confidence" groups={data.by_confidence} nameOf={confidenceName} />
            <GroupTable title="By symbol" groups={data.by_symbol} />
          </div>
        </div>
      )}
    </Loaded>
  );
}

function RealisedPanel({ curve }: { curve: PositionAnalytics['curve'] }) {
  if (curve.length < 2) return null;
  return (
    <Panel title="Realised net PnL" aside={`n = ${curve.length}`}>
      <LinePlot
        label="Sum of closed positions, USDT"
        points={curve.map(({ at, total }) => ({ atMs: Date.parse(at), value: total }))}
        height={140}
        colour="accent"
        level={0}
        format={(value) => formatMoney(value, true)}
      />
    </Panel>
  );
}
