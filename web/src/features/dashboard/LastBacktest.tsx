import { useQuery } from '@tanstack/react-query';
import { ArrowRight } from 'lucide-react';
import { api, dataOf } from '../../api/client.ts';
import { messageOf } from '../../api/failure.ts';
import { queryKeys } from '../../api/queryKeys.ts';
import { formatCount, formatMoney, formatPercent, NO_VALUE } from '../../format/number.ts';
import { openTab } from '../../state/navigation.ts';
import { ErrorState, Panel } from '../../ui/Panel.tsx';
import { Time } from '../../ui/Time.tsx';

/** The newest run on the server, and a link to start the next one. */
export function LastBacktest({ symbol }: { symbol: string | null }) {
  const last = useQuery({
    queryKey: queryKeys.backtest.last,
    queryFn: ({ signal }) => dataOf(api.GET('/api/backtest/last', { signal })),
  });
  const run = last.data?.backtest ?? null;
  return (
    <Panel
      title="Last backtest on the server"
      aside={
        <button type="button" className="btn btn-small" onClick={() => openTab('backtest', 'setup')}>
          Go to Setup <ArrowRight size={14} aria-hidden="true" />
        </button>
      }
      className="shrink-0"
      bodyClassName="min-h-16"
    >
      {last.error !== null && (
        <div className="p-3">
          <ErrorState
            failure={last.error}
            text={messageOf(last.error, 'Could not load the last backtest.')}
            onRetry={() => void last.refetch()}
          />
        </div>
      )}
      {last.error === null && run === null && (
        <p className="p-3 text-muted">
          {last.isPending
            ? 'Reading…'
            : `None yet. Test a strategy${symbol === null ? '' : ` on ${symbol}`}, then verify it on the server to see it here.`}
        </p>
      )}
      {run !== null && (
        <dl className="grid grid-cols-2 gap-px bg-line">
          {figuresOf(run).map(([name, value, tone]) => (
            <div key={name} className="bg-panel px-3 py-2">
              <dt className="text-label text-muted">{name}</dt>
              <dd className={`font-medium ${tone ?? ''}`}>{value}</dd>
            </div>
          ))}
          <div className="bg-panel px-3 py-2">
            <dt className="text-label text-muted">Run at</dt>
            <dd className="font-medium">
              <Time at={run.created_at} />
            </dd>
          </div>
        </dl>
      )}
    </Panel>
  );
}

interface StoredRun {
  symbol: string;
  interval: string;
  result: { best: Record<string, unknown> };
}

function figuresOf({ symbol, interval, result: { best } }: StoredRun): [string, string, string?][] {
  const number = (key: string): number | null => (typeof best[key] === 'number' ? best[key] : null);
  const pnl = number('pnl');
  const winRate = number('winRate');
  return [
    ['Candles', `${symbol} ${interval}`],
    ['Net PnL, USDT', formatMoney(pnl, true), pnl === null || pnl === 0 ? '' : pnl > 0 ? 'text-up' : 'text-down'],
    ['Win rate', winRate === null ? NO_VALUE : formatPercent(winRate)],
    ['Trades', formatCount(number('trades'))],
    ['Max drawdown', formatPercent(number('maxDrawdown'))],
  ];
}
