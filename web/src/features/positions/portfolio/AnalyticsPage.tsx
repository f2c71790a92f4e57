import { useAnalytics } from '../../../data/positions.ts';
import type { PositionAnalytics } from '../../../api/types.ts';
import { formatCount, formatFixed, formatMoney, formatPercent, NO_VALUE, signTone } from '../../../format/number.ts';
import { EmptyState, Loaded, Panel } from '../../../ui/Panel.tsx';
import { ScrollSideways } from '../../../ui/ScrollSideways.tsx';
import { exposureOf, type Marked, totalsOf } from '../mark.ts';
import { JournalStatistics } from '../journal/JournalStatistics.tsx';
import { confidenceName, GroupTable, LinePlot, reasonName, TotalsPanel } from '../performance/PerformancePanels.tsx';
import { ReconciliationSumsPanel } from '../reconciliation/ReconciliationPanels.tsx';
import { RiskCard } from '../risk/RiskCard.tsx';
import { useMarked } from '../useMarked.ts';

/** One measurement of the account; the equity is null when a price was missing. */
interface EquityPoint {
  atMs: number;
  equity: number | null;
}

interface Drawdown {
  /** Deepest fall from the running peak, fraction of the peak; null without a measured point. */
  deepest: number | null;
  /** Fall of the newest measured point from the peak. */
  now: number | null;
  /** By point; null where nothing was measured. */
  fractions: (number | null)[];
}

/** Fall of mark-to-market equity from its highest point so far. A point that was not measured neither rises nor falls. */
export function drawdownOf(points: readonly EquityPoint[]): Drawdown {
  let peak = -Infinity;
  let deepest: number | null = null;
  let now: number | null = null;
  const fractions = points.map(({ equity }) => {
    if (equity === null) return null;
    peak = Math.max(peak, equity);
    now = peak > 0 ? (peak - equity) / peak : 0;
    deepest = Math.max(deepest ?? 0, now);
    return now;
  });
  return { deepest, now, fractions };
}

/** Equity, exposure and statistics of closed positions. */
export function AnalyticsPage() {
  const analytics = useAnalytics();
  const { rows, known } = useMarked();
  return (
    <Loaded response={analytics} failure="Could not load your account figures." rows={8}>
      {(data) => (
        <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-3 xl:grid-cols-[minmax(0,1fr)_400px] docked:max-[1800px]:grid-cols-[minmax(0,1fr)]">
          <div className="flex min-w-0 flex-col gap-3">
            <EquityPanel points={data.equity} balance={data.balance_usdt} />
            <TotalsPanel title="All closed positions" totals={data.all} />
            <ReconciliationSumsPanel />
            <div className="grid gap-3 lg:grid-cols-2">
              <GroupTable title="By reason" groups={data.by_reason} nameOf={reasonName} />
              <GroupTable title="By side" groups={data.by_side} />
              <GroupTable title="By symbol" groups={data.by_symbol} />
              <GroupTable title="By confidence" groups={data.by_confidence} nameOf={confidenceName} />
            </div>
            <JournalStatistics />
          </div>
          <div className="flex min-w-0 flex-col gap-3">
            {known !== null && <ExposureTable rows={rows} />}
            <RiskCard rows={known} equity={equityOf(data, known)} />
          </div>
        </div>
      )}
    </Loaded>
  );
}

/** A line of fewer points would only show where it was measured. */
const POINTS_MIN = 3;

/** Equity as it was measured every five minutes while positions were open, and its fall from the highest point so far. */
function EquityPanel({ points, balance }: { points: PositionAnalytics['equity']; balance: number }) {
  const measured = points.map(({ at, equity }) => ({ atMs: Date.parse(at), equity }));
  const unmeasured = points.filter(({ equity }) => equity === null).length;
  const { deepest, now, fractions } = drawdownOf(measured);
  const isEnough = points.length - unmeasured >= POINTS_MIN;
  return (
    <Panel
      title="Equity, marked to market"
      aside={isEnough && `drawdown ${formatPercent(now)} now, ${formatPercent(deepest)} at most`}
      bodyClassName="flex flex-col gap-4 p-3"
    >
      {!isEnough && (
        <EmptyState text="Not enough data. The curve starts after three measurements, five minutes apart, while a position is open." />
      )}
      {isEnough && (
        <>
          <LinePlot
            label="Equity, USDT"
            points={measured.map(({ atMs, equity }) => ({ atMs, value: equity }))}
            height={180}
            colour="accent"
            level={balance}
            format={(value) => formatMoney(value)}
          />
          <LinePlot
            label="Drawdown, % of the highest equity so far"
            points={measured.map(({ atMs }, at) => {
              const fraction = fractions[at] ?? null;
              return { atMs, value: fraction === null ? null : -fraction * 100 };
            })}
            height={72}
            colour="down"
            level={0}
            format={(value) => `${formatFixed(value, 2)} %`}
          />
          <LinePlot
            label="Exposure, gross, USDT"
            points={points.map(({ at, exposure }) => ({ atMs: Date.parse(at), value: exposure }))}
            height={72}
            colour="accent"
            level={0}
            format={(value) => formatMoney(value)}
          />
        </>
      )}
      {unmeasured > 0 && (
        <p className="text-label text-warn">
          {formatCount(unmeasured)} of {formatCount(points.length)} measurements lacked a price: the lines are broken
          there.
        </p>
      )}
    </Panel>
  );
}

/** Notional at last prices, by symbol and side. */
function ExposureTable({ rows }: { rows: readonly Marked[] }) {
  const { bySymbol, gross } = exposureOf(rows);
  const { missing } = totalsOf(rows);
  return (
    <Panel title="Exposure by symbol" aside="USDT at last prices" bodyClassName="">
      {bySymbol.length === 0 && <EmptyState text="No open positions, so no exposure." />}
      {bySymbol.length > 0 && (
        <ScrollSideways label="Exposure, table">
          <table className="table" aria-label="Exposure by symbol">
            <thead>
              <tr>
                <th className="lead" scope="col">
                  Symbol
                </th>
                <th scope="col">Long</th>
                <th scope="col">Short</th>
                <th scope="col">Net</th>
                <th scope="col">Of all</th>
              </tr>
            </thead>
            <tbody>
              {bySymbol.map(({ symbol, long, short }) => (
                <tr key={symbol}>
                  <th className="lead" scope="row">
                    {symbol}
                  </th>
                  <td>{formatMoney(long)}</td>
                  <td>{formatMoney(short)}</td>
                  <td>{formatMoney(long - short, true)}</td>
                  <td>{formatPercent((long + short) / gross)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollSideways>
      )}
      {missing.length > 0 && (
        <p className="px-3 py-2 text-label text-warn">No fresh price of {missing.join(', ')}: left out.</p>
      )}
    </Panel>
  );
}

interface Cell {
  name: string;
  value: string;
  note: string;
  tone?: string;
  isWarning?: boolean;
}

/** Simulated capital plus the result of closed positions and the value of open ones, without those that have no price. */
export const equityOf = (analytics: PositionAnalytics | undefined, rows: readonly Marked[] | null): number | null =>
  analytics === undefined || rows === null
    ? null
    : analytics.balance_usdt + analytics.all.net_pnl + totalsOf(rows).worth;

/** The account in one line, money in USDT; a dash for a figure that has not loaded yet. @param rows null: not loaded yet */
export function SummaryStrip({
  analytics,
  rows,
}: {
  analytics: PositionAnalytics | undefined;
  rows: readonly Marked[] | null;
}) {
  return (
    <section aria-label="Summary" className="overflow-hidden rounded border border-line">
      <dl className="grid grid-cols-2 gap-px bg-line md:grid-cols-3 lg:grid-cols-6">
        {cellsOf(analytics, rows).map(({ name, value, note, tone = '', isWarning = false }) => (
          <div key={name} className="min-w-0 bg-panel px-3 py-2">
            <dt className="truncate text-label text-muted">{name}</dt>
            <dd>
              <span className={`block truncate text-section font-semibold ${tone}`}>{value}</span>
              <span className={`block min-h-4 truncate text-label ${isWarning ? 'text-warn' : 'text-muted'}`}>
                {note}
              </span>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function cellsOf(analytics: PositionAnalytics | undefined, rows: readonly Marked[] | null): Cell[] {
  const equity = equityOf(analytics, rows);
  const day = analytics?.last_24h;
  const totals = totalsOf(rows ?? []);
  const exposure = exposureOf(rows ?? []);
  const left = totals.missing.length > 0;
  const share = (value: number): string => (equity !== null && equity > 0 ? formatPercent(value / equity) : NO_VALUE);
  const cells = [
    {
      name: 'Equity, USDT',
      value: formatMoney(equity),
      isWarning: left,
      note: left ? `without ${totals.missing.join(', ')}` : 'simulated capital',
    },
    {
      name: '24 h net PnL, USDT',
      value: formatMoney(day?.net_pnl, true),
      tone: signTone(day?.net_pnl),
      note: dayNote(day),
    },
    {
      name: 'Open PnL, net, USDT',
      value: formatMoney(totals.netIfClosed, true),
      tone: signTone(totals.netIfClosed),
      isWarning: left,
      note: openNote(totals),
    },
    {
      name: 'Open positions',
      value: formatCount(rows?.length),
      note: `${formatMoney(totals.margin)} margin`,
    },
    {
      name: 'Exposure, gross, USDT',
      value: formatMoney(exposure.gross),
      note: `${share(exposure.gross)} of equity`,
    },
    {
      name: 'Exposure, net, USDT',
      value: formatMoney(exposure.net, true),
      note: `${formatMoney(exposure.long)} long, ${formatMoney(exposure.short)} short`,
    },
  ];
  // Zeros of positions that have not been read yet would be false.
  return rows === null ? cells.map(({ name }) => ({ name, value: NO_VALUE, note: '' })) : cells;
}

function openNote({ missing, withoutSpread, pnl }: ReturnType<typeof totalsOf>): string {
  if (missing.length > 0) return `${formatCount(missing.length)} without a price`;
  const gross = `${formatMoney(pnl, true)} gross`;
  return withoutSpread > 0 ? `${gross}, ${formatCount(withoutSpread)} without spread` : gross;
}

function dayNote(day: PositionAnalytics['last_24h'] | undefined): string {
  if (day === undefined) return '';
  if (day.trades === 0) return 'no close in 24 h';
  return `${formatCount(day.wins)} of ${formatCount(day.trades)} won, fees ${formatMoney(day.fees)}`;
}
