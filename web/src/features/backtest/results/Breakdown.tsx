import type { Trade } from '@sextant/workers/src/protocol.ts';
import { useState } from 'react';
import { formatCount, formatMoney, formatPercent } from '../../../format/number.ts';
import { Panel } from '../../../ui/Panel.tsx';
import { Segments } from '../../../ui/Segments.tsx';
import { breakdownOf, type Grouping, groupings } from './breakdown.ts';

const names: Record<Grouping, string> = { side: 'Side', day: 'Day', week: 'Week', month: 'Month', weekday: 'Weekday' };
/** What the first column holds, where the name of the choice does not say it. */
const headings: Partial<Record<Grouping, string>> = {
  day: 'Day of exit, UTC',
  week: 'Week from, UTC',
  month: 'Month of exit, UTC',
};

/** Where the result came from: one side only, one lucky day, or everywhere. */
export function Breakdown({ trades }: { trades: readonly Trade[] }) {
  const [grouping, setGrouping] = useState<Grouping>('side');
  const rows = breakdownOf(trades, grouping);
  const most = Math.max(1e-9, ...rows.map(({ netPnl }) => Math.abs(netPnl)));
  return (
    <Panel title="Breakdown" bodyClassName="relative">
      {/* Five choices do not fit beside the title of a third of the page. */}
      <div className="p-2">
        <Segments
          label="By"
          options={groupings}
          value={grouping}
          nameOf={(each) => names[each]}
          onSelect={setGrouping}
          isSmall
        />
      </div>
      {rows.length === 0 ? (
        <p className="p-3 text-muted">No trade was closed.</p>
      ) : (
        <div className="max-h-64 overflow-y-auto" tabIndex={0} role="group" aria-label={`Trades by ${grouping}`}>
          <table className="table w-full">
            <thead>
              <tr>
                <th className="lead" scope="col">
                  {headings[grouping] ?? names[grouping]}
                </th>
                <th scope="col">Trades</th>
                <th scope="col">Won</th>
                <th scope="col">Net, USDT</th>
                <th scope="col" className="w-24">
                  <span className="sr-only">Share</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ key, count, winCount, netPnl }) => (
                <tr key={key}>
                  <td className="lead">{key}</td>
                  <td className="font-mono">{formatCount(count)}</td>
                  <td className="font-mono">{formatPercent(winCount / count)}</td>
                  <td className={`font-mono ${netPnl < 0 ? 'text-down' : 'text-up'}`}>{formatMoney(netPnl, true)}</td>
                  <td>
                    <Bar share={netPnl / most} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Panel>
  );
}

/** From the middle: losses to the left, gains to the right. */
function Bar({ share }: { share: number }) {
  const width = Math.abs(share) * 50;
  return (
    <span aria-hidden="true" className="relative block h-2">
      <span className="absolute inset-y-0 left-1/2 w-px bg-line" />
      <span
        className={`absolute inset-y-0 rounded-sm ${share < 0 ? 'bg-down' : 'bg-up'}`}
        style={{ left: `${share < 0 ? 50 - width : 50}%`, width: `${width}%` }}
      />
    </span>
  );
}
