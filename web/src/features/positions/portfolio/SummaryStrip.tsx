import type { PositionAnalytics } from '../../../api/types.ts';
import { formatCount, formatMoney, formatPercent, NO_VALUE, signTone } from '../../../format/number.ts';
import { exposureOf } from '../valuation/exposure.ts';
import { type Marked, totalsOf } from '../valuation/mark.ts';

interface Cell {
  name: string;
  value: string;
  note: string;
  tone?: string;
  isWarning?: boolean;
}

/** Simulated capital, what closed positions left and what the open ones are worth, without those that have no price. */
export const equityOf = (analytics: PositionAnalytics | undefined, rows: readonly Marked[] | null): number | null =>
  analytics === undefined || rows === null
    ? null
    : analytics.balance_usdt + analytics.all.net_pnl + totalsOf(rows).worth;

/** The account in one line, money in USDT; a figure that has not arrived yet is a dash. @param rows null: not known yet */
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
      note: left ? `${formatCount(totals.missing.length)} without a price` : `${formatMoney(totals.pnl, true)} gross`,
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

function dayNote(day: PositionAnalytics['last_24h'] | undefined): string {
  if (day === undefined) return '';
  if (day.trades === 0) return 'no close in 24 h';
  return `${formatCount(day.wins)} of ${formatCount(day.trades)} won, fees ${formatMoney(day.fees)}`;
}
