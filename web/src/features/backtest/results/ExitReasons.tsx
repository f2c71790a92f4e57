import type { Trade } from '@sextant/workers/src/protocol.ts';
import { formatCount, formatMoney, formatPercent } from '../../../format/number.ts';
import { Panel } from '../../../ui/Panel.tsx';
import { exitRows } from './figures.ts';

export const exitNames = {
  TP: 'Target',
  SL: 'Stop',
  LIQ: 'Liquidation',
  END: 'End of data',
  TIME: 'Time limit',
  SIGNAL: 'Opposite signal',
} as const;

export function ExitReasons({ trades }: { trades: readonly Trade[] }) {
  const rows = exitRows(trades);
  return (
    <Panel title="Exits" bodyClassName="">
      {rows.length === 0 ? (
        <p className="p-3 text-muted">No trade was closed.</p>
      ) : (
        <table className="table">
          <thead>
            <tr>
              <th className="lead" scope="col">
                Reason
              </th>
              <th scope="col">Trades</th>
              <th scope="col">Won</th>
              <th scope="col">Net, USDT</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ reason, count, netPnl, winCount }) => (
              <tr key={reason}>
                <td className="lead">{exitNames[reason]}</td>
                <td className="font-mono">{formatCount(count)}</td>
                <td className="font-mono">{formatPercent(winCount / count)}</td>
                <td className={`font-mono ${netPnl < 0 ? 'text-down' : 'text-up'}`}>{formatMoney(netPnl, true)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  );
}
