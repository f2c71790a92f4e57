import { messageOf } from '../../api/failure.ts';
import { useHealth, useSymbols } from '../../api/market.ts';
import { useAppInfo } from '../../api/useSession.ts';
import { exchangeNames } from '../../format/exchangeName.ts';
import { formatCount, formatFixed } from '../../format/number.ts';
import { formatDuration } from '../../format/time.ts';
import { Age } from '../../ui/Age.tsx';
import { ErrorState, Panel, SkeletonRows } from '../../ui/Panel.tsx';
import { universeSentence } from './universeSentence.ts';

const markets = {
  simulated: 'Simulated, prices are generated',
  replay: 'Replay of recorded candles',
  live: 'Live, public data of the exchanges',
};
const exchangeWords = { ok: 'answering', degraded: 'partly failing', down: 'not answering', unknown: 'not asked yet' };

/** Where the figures come from and how the service is, as measured by it. */
export function DataStatus() {
  const app = useAppInfo();
  const health = useHealth();
  const universe = useSymbols();
  const rows: [string, string, string?][] = [
    ['Market', app.data === undefined ? '…' : markets[app.data.market], app.data?.market === 'live' ? '' : 'text-warn'],
    ['Exchange', universe.data === undefined ? '…' : exchangeNames[universe.data.exchange]],
    ['Perpetuals traded', formatCount(universe.data?.counts.trading)],
    ...(health.data === undefined
      ? []
      : ([
          ['Exchanges', exchangeWords[health.data.external_api_status], toneOf(health.data.external_api_status)],
          ['Database answered in', `${formatFixed(health.data.responseTime, 1)} ms`],
          ['Server up for', formatDuration(health.data.uptime * 1000)],
          ['Version', app.data?.version ?? '…'],
        ] satisfies [string, string, string?][])),
  ];
  return (
    <Panel
      title="Data status"
      aside={health.dataUpdatedAt > 0 && <Age sinceMs={health.dataUpdatedAt} prefix="measured" />}
      bodyClassName=""
    >
      {health.isPending && <SkeletonRows rows={4} height={14} />}
      {health.error !== null && (
        <div className="p-3">
          <ErrorState
            text={messageOf(health.error, 'The service did not report its state.')}
            onRetry={() => void health.refetch()}
          />
        </div>
      )}
      {!health.isPending && (
        <dl className="grid auto-rows-[minmax(32px,auto)]">
          {rows.map(([name, value, tone]) => (
            <div
              key={name}
              className="flex min-h-8 items-center justify-between gap-4 border-b border-line px-3 last:border-0"
            >
              <dt className="text-label text-muted">{name}</dt>
              <dd className={`text-right text-label ${tone ?? ''}`}>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {universe.data !== undefined && (
        <p className="p-3 text-label text-muted">{universeSentence(universe.data.counts)}</p>
      )}
    </Panel>
  );
}

function toneOf(status: keyof typeof exchangeWords): string {
  return { ok: 'text-up', degraded: 'text-warn', down: 'text-down', unknown: '' }[status];
}
