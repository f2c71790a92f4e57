import { useRecentTrades } from '../../api/positions.ts';
import type { PositionView } from '../../api/positionView.ts';
import { formatFixed, formatMoney } from '../../format/number.ts';
import { reasonNames } from '../../format/names.ts';
import { openTab } from '../../state/navigation.ts';
import { Loaded } from '../../ui/Loaded.tsx';
import { EmptyState, Panel } from '../../ui/Panel.tsx';
import { ScrollSideways } from '../../ui/ScrollSideways.tsx';
import { Time } from '../../ui/Time.tsx';

const TRADES_SHOWN = 10;

/** The last closed simulated positions. */
export function RecentActivity() {
  const trades = useRecentTrades(TRADES_SHOWN);
  return (
    <Panel
      title={`Recent Activity, last ${TRADES_SHOWN} closed trades`}
      aside={
        <button type="button" className="btn btn-small" onClick={() => openTab('dashboard', 'history')}>
          Go to History
        </button>
      }
      bodyClassName=""
    >
      <Loaded answer={trades} failure="The trades could not be read." rows={6}>
        {(closed) =>
          closed.length === 0 ? (
            <EmptyState text="No closed trades yet. Simulated positions appear here when they close.">
              <button type="button" className="btn" onClick={() => openTab('signals', 'scanner')}>
                Go to Scanner
              </button>
            </EmptyState>
          ) : (
            <TradeTable trades={closed} />
          )
        }
      </Loaded>
    </Panel>
  );
}

const toneOf = (value: number | null): string =>
  value === null || value === 0 ? '' : value > 0 ? 'text-up' : 'text-down';

function TradeTable({ trades }: { trades: readonly PositionView[] }) {
  return (
    <ScrollSideways label="Recent trades">
      <table className="table">
        <thead>
          <tr>
            <th scope="col" className="lead">
              Trade
            </th>
            <th scope="col">Net PnL, USDT</th>
            <th scope="col">On margin</th>
            <th scope="col">Closed by</th>
            <th scope="col">Closed</th>
          </tr>
        </thead>
        <tbody>
          {trades.map(({ id, symbol, side, netPnl, returnOnMarginPct, closeReason, closedAt }) => (
            <tr key={id}>
              <td className="lead">
                <span className="font-medium">{symbol}</span> <span className="text-muted">{side}</span>
              </td>
              <td className={toneOf(netPnl)}>{formatMoney(netPnl, true)}</td>
              <td className={toneOf(returnOnMarginPct)}>
                {returnOnMarginPct !== null && returnOnMarginPct > 0 ? '+' : ''}
                {formatFixed(returnOnMarginPct, 2)} %
              </td>
              <td>{closeReason === null ? '–' : reasonNames[closeReason]}</td>
              <td>
                <Time at={closedAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollSideways>
  );
}
