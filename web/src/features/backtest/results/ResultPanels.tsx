import { metricById } from '@sextant/engine-as/abi/metrics.ts';
import type { BacktestSummary, Costs, Trade } from '@sextant/workers/src/protocol.ts';
import { formatCount, formatMoney, formatPercent } from '../../../format/number.ts';
import { DefinedTerm } from '../../../ui/Hint.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { fundingGap } from './assumptions.ts';
import { exitRows, waterfall } from './figures.ts';

/** From gross to net, each cost as the piece it took away. */
export function CostWaterfall({ summary, costs }: { summary: BacktestSummary; costs: Costs }) {
  const steps = waterfall(summary);
  const ends = steps.flatMap(({ from, to }) => [from, to]);
  const low = Math.min(0, ...ends);
  const range = Math.max(0, ...ends) - low || 1;
  const place = (value: number) => ((value - low) / range) * 100;
  return (
    <Panel title="Gross to net" aside="USDT" bodyClassName="p-3">
      <dl className="flex flex-col gap-1.5">
        {steps.map(({ key, amount, from, to }) => {
          const isLevel = key === 'gross' || key === 'netPnl';
          return (
            <div key={key} className="grid grid-cols-[72px_1fr_84px] items-center gap-2 text-label">
              <dt className={key === 'netPnl' ? 'font-semibold' : 'text-muted'}>
                <DefinedTerm definition={metricById[key]} label={key === 'netPnl' ? 'Net' : undefined} />
              </dt>
              <div aria-hidden="true" className="relative h-3">
                <span className="absolute inset-y-0 w-px bg-line" style={{ left: `${place(0)}%` }} />
                <span
                  className={`absolute inset-y-0.5 min-w-px rounded-sm ${amount < 0 ? 'bg-down' : 'bg-up'} ${isLevel ? '' : 'opacity-70'}`}
                  style={{ left: `${place(Math.min(from, to))}%`, width: `${(Math.abs(to - from) / range) * 100}%` }}
                />
              </div>
              <dd className={`text-right font-mono ${key === 'netPnl' ? 'font-semibold' : ''}`}>
                {(key === 'funding' ? fundingGap(costs, summary) : null) ?? formatMoney(amount, true)}
              </dd>
            </div>
          );
        })}
      </dl>
    </Panel>
  );
}

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
