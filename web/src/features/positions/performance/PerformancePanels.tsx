import { metricById as define } from '@sextant/engine-as/abi/metrics.ts';
import type { PositionAnalytics } from '../../../api/types.ts';
import { reasonNames } from '../../../format/names.ts';
import {
  formatCount,
  formatFixed,
  formatMoney,
  formatMultiple,
  formatPercent,
  NO_VALUE,
  signTone,
} from '../../../format/number.ts';
import { DefinedTerm } from '../../../ui/Hint.tsx';
import { EmptyState, Panel } from '../../../ui/Panel.tsx';
import { ScrollSideways } from '../../../ui/ScrollSideways.tsx';
import { Time } from '../../../ui/Time.tsx';

interface Props {
  title: string;
  groups: PositionAnalytics['by_side'];
  /** Display name of a group; the raw name when absent. */
  nameOf?: (name: string) => string;
}

/** Closed positions grouped by one property. */
export function GroupTable({ title, groups, nameOf }: Props) {
  if (groups.length === 0) return null;
  return (
    <Panel title={title} bodyClassName="">
      <ScrollSideways label={`${title}, table`}>
        <table className="table" aria-label={title}>
          <thead>
            <tr>
              <th className="lead" scope="col">
                {title.replace(/^By /, '').replace(/^\w/, (letter) => letter.toUpperCase())}
              </th>
              <th scope="col">Closed</th>
              <th scope="col">Won</th>
              <th scope="col">Gross, USDT</th>
              <th scope="col">Net, USDT</th>
              <th scope="col">Mean R</th>
            </tr>
          </thead>
          <tbody>
            {groups.map(({ name, trades, wins, pnl, net_pnl: net, mean_r: multiple }) => (
              <tr key={name}>
                <th className="lead" scope="row">
                  {nameOf?.(name) ?? name}
                </th>
                <td>{formatCount(trades)}</td>
                <td>{formatPercent(wins / trades)}</td>
                <td>{formatMoney(pnl, true)}</td>
                <td className={`font-medium ${signTone(net)}`}>{formatMoney(net, true)}</td>
                <td>{formatMultiple(multiple)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollSideways>
    </Panel>
  );
}

const confidences: Record<string, string> = { high: 'High, from 70 %', low: 'Low, below 70 %' };
const sources: Record<string, string> = { scan: 'Scan', vision: 'Chart analysis', manual: 'By hand' };
const reasons: Record<string, string> = reasonNames;

export const confidenceName = (name: string): string => confidences[name] ?? name;
export const sourceName = (name: string): string => sources[name] ?? name;
export const reasonName = (name: string): string => reasons[name] ?? name;

type Totals = PositionAnalytics['all'];
/** With fewer closes a rate says little. */
const ENOUGH = 10;

/** Totals of closed positions. Every rate is shown beside its sample. */
export function TotalsPanel({ title, totals }: { title: string; totals: Totals }) {
  if (totals.trades === 0)
    return (
      <Panel title={title}>
        <EmptyState text="No closed positions on this market yet. Your track record starts with the first." />
      </Panel>
    );
  const n = `n = ${formatCount(totals.trades)}`;
  const few = totals.trades < ENOUGH ? `${n}, too few to judge` : n;
  const cells: [name: React.ReactNode, value: string, note: string, tone?: string][] = [
    [
      <DefinedTerm key="n" definition={define.netPnl} />,
      formatMoney(totals.net_pnl, true),
      n,
      signTone(totals.net_pnl),
    ],
    ['Gross PnL', formatMoney(totals.pnl, true), 'before fees and funding'],
    ['Fees and funding', formatMoney(-(totals.fees + totals.funding), true), `fees ${formatMoney(totals.fees)}`],
    [
      <DefinedTerm key="w" definition={define.winRate} />,
      totals.win_rate === null ? NO_VALUE : formatPercent(totals.win_rate),
      few,
    ],
    [
      <DefinedTerm key="p" definition={define.profitFactor} />,
      formatFixed(totals.profit_factor, 2),
      totals.profit_factor === null ? 'no losing trade' : few,
    ],
    [
      <DefinedTerm key="e" definition={define.expectancy} />,
      formatMoney(totals.expectancy, true),
      `${formatMultiple(totals.mean_r)}, ${few}`,
    ],
    ['Best, worst', `${formatMoney(totals.best, true)}, ${formatMoney(totals.worst, true)}`, 'net of one position'],
    ['Drawdown, realised', formatMoney(totals.max_drawdown), 'closed positions only'],
  ];
  return (
    <Panel title={title} aside="USDT" bodyClassName="">
      <dl className="grid grid-cols-2 gap-px bg-line md:grid-cols-4">
        {cells.map(([name, value, note, tone = ''], at) => (
          <div key={at} className="min-w-0 bg-panel px-3 py-2">
            <dt className="truncate text-label text-muted">{name}</dt>
            <dd>
              <span className={`block truncate font-semibold ${tone}`}>{value}</span>
              <span className="block truncate text-label text-muted">{note}</span>
            </dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}

/** A value at a time; null where nothing was measured: the line is broken there. */
interface PlotPoint {
  atMs: number;
  value: number | null;
}

interface PlotBox {
  width: number;
  height: number;
  /** Values at the lower and the upper edge. */
  low: number;
  high: number;
}

/** Points of each gapless stretch as SVG polyline points; a lone point is a stretch. */
export function polylines(points: readonly PlotPoint[], { width, height, low, high }: PlotBox): string[] {
  const first = points[0]?.atMs ?? 0;
  const spanMs = (points.at(-1)?.atMs ?? 0) - first;
  const stretches: string[][] = [[]];
  for (const { atMs, value } of points) {
    if (value === null) {
      stretches.push([]);
      continue;
    }
    const x = spanMs > 0 ? ((atMs - first) / spanMs) * width : width / 2;
    const y = high > low ? height - ((value - low) / (high - low)) * height : height / 2;
    stretches.at(-1)?.push(`${x.toFixed(1)},${y.toFixed(1)}`);
  }
  return stretches.filter((stretch) => stretch.length > 0).map((stretch) => stretch.join(' '));
}

const WIDTH = 800;

interface PlotProps {
  /** Title of the line, also for screen readers. */
  label: string;
  points: readonly PlotPoint[];
  height: number;
  colour: 'accent' | 'down';
  format: (value: number) => string;
  /** Reference level that the scale always includes. */
  level?: number;
}

/** A measured line through time with its lowest and highest value; broken where nothing was measured. */
export function LinePlot({ label, points, height, colour, format, level }: PlotProps) {
  const values = points.flatMap(({ value }) => (value === null ? [] : [value]));
  const shown = level === undefined ? values : [...values, level];
  const low = Math.min(...shown);
  const high = Math.max(...shown);
  const last = values.at(-1);
  if (last === undefined) return null;
  const room = (high - low || Math.abs(high) * 0.01 || 1) * 0.06;
  const box = { width: WIDTH, height, low: low - room, high: high + room };
  const yOf = (value: number): number => height - ((value - box.low) / (box.high - box.low)) * height;
  return (
    <figure className="flex flex-col gap-1">
      <figcaption className="flex justify-between gap-3 text-label text-muted">
        <span>{label}</span>
        <span className="font-mono">
          {format(low)} to {format(high)}, now {format(last)}
        </span>
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${label}: between ${format(low)} and ${format(high)}, now ${format(last)}`}
        className="block w-full"
        style={{ height }}
      >
        {level !== undefined && (
          <line
            x1="0"
            x2={WIDTH}
            y1={yOf(level)}
            y2={yOf(level)}
            stroke="var(--line)"
            vectorEffect="non-scaling-stroke"
          />
        )}
        {polylines(points, box).map((line) => (
          <polyline
            key={line}
            points={line}
            fill="none"
            stroke={`var(--${colour})`}
            strokeWidth="1.5"
            strokeLinecap="round"
            vectorEffect="non-scaling-stroke"
          />
        ))}
      </svg>
      <div className="flex justify-between text-label text-muted">
        <Time at={points[0]?.atMs ?? null} />
        <Time at={points.at(-1)?.atMs ?? null} />
      </div>
    </figure>
  );
}
