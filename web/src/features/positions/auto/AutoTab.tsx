import { signalIntervals } from '@sextant/engine-as/abi/intervals.ts';
import { RISK_FRACTIONS } from '@sextant/workers/src/positions/sizing.ts';
import { useAnalytics } from '../../../api/positions.ts';
import { usePreferences } from '../../../api/preferences.ts';
import { useStrategies } from '../../../api/strategies.ts';
import type { PositionAnalytics, Preferences, SavedStrategy } from '../../../api/types.ts';
import { formatMoney } from '../../../format/number.ts';
import { type LabWish, openLab } from '../../../state/labWish.ts';
import { tabPages, useOpenPage } from '../../../state/tabPages.ts';
import { Loaded } from '../../../ui/Loaded.tsx';
import { PagedTab } from '../../../ui/PagedTab.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { OpenPositionsView } from '../OpenPositionsView.tsx';
import { LinePlot } from '../performance/LinePlot.tsx';
import { confidenceName, GroupTable, reasonName, sourceName, TotalsPanel } from '../performance/PerformancePanels.tsx';
import { AutoOverviewPage } from './AutoOverviewPage.tsx';
import { TrailingPage } from './TrailingPage.tsx';

const TAB = 'auto';

/** Positions that open and close by themselves. */
export function AutoTab() {
  const page = useOpenPage(TAB);
  const preferences = usePreferences().data;
  const used = useStrategies().data?.strategies.find((each) => each.is_used);
  return (
    <PagedTab
      tab={TAB}
      title="Auto"
      pages={tabPages[TAB]}
      page={page}
      aside={
        preferences && (
          <span className="flex items-center gap-2 px-2 text-label text-muted">
            <span>
              Leverage <span className="font-medium text-text">{preferences.leverage}x</span>
            </span>
            <button type="button" className="btn btn-small" onClick={() => openLab(wishOf(preferences, used))}>
              Backtest my Auto rules
            </button>
          </span>
        )
      }
      layout="full"
    >
      {page === 'overview' && <AutoOverviewPage />}
      {page === 'trailing' && <TrailingPage />}
      {page === 'active' && <OpenPositionsView title="Active positions" />}
      {page === 'performance' && <PerformancePage />}
    </PagedTab>
  );
}

/** The rules that the scans of these preferences decide by, on the history of the largest market. */
function wishOf(
  { interval_opts, scan_interval, risk_tolerance, leverage }: Preferences,
  used: SavedStrategy | undefined,
): LabWish {
  const [interval = scan_interval, ...longer] = signalIntervals.filter((name) => interval_opts[name]);
  const riskFraction = RISK_FRACTIONS[risk_tolerance];
  const live = { symbol: 'BTCUSDT', interval, longer, tuning: null, riskFraction, leverage, strategy: null };
  const base = signalIntervals.find((name) => name === used?.value.intervals[0]?.interval);
  if (used === undefined || base === undefined) return live;
  return { ...live, interval: base, strategy: { name: used.name, value: used.value } };
}

/** Realised performance of every closed position. */
function PerformancePage() {
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
