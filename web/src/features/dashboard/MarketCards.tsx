import { exchangeNames } from '@sextant/workers/src/core/exchangeNames.ts';
import { useState } from 'react';
import { useSnapshot } from 'valtio';
import { useCredits } from '../../api/credits.ts';
import { messageOf } from '../../api/failure.ts';
import { useHealth } from '../../data/market.ts';
import { useSymbols } from '../../data/symbols.ts';
import type { SymbolCounts } from '../../api/types.ts';
import { useAppInfo } from '../../api/useSession.ts';
import { marketLayout } from '../../charts/marketLayout.ts';
import { entryKinds, reasonWords } from '../../format/names.ts';
import { formatCount, formatFixed, formatMany, formatSigned } from '../../format/number.ts';
import { formatDuration } from '../../format/time.ts';
import { chooseSymbol, useChartSymbol } from '../../state/market.ts';
import { Guarded } from '../../ui/Guarded.tsx';
import { ErrorState, Panel, SkeletonRows } from '../../ui/Panel.tsx';
import { Age, Time } from '../../ui/Time.tsx';
import { LastBacktest } from './LastBacktest.tsx';
import { MarketCharts } from './MarketCharts.tsx';
import { positioningColumns } from './positioningColumns.ts';
import { useWatchList } from './watchList.ts';
import { WatchTable } from './WatchTable.tsx';

/** Singular and plural of each reason, in display order. */
const reasons: Record<keyof SymbolCounts['left_out'], readonly [one: string, many: string]> = {
  stock: ['stock', 'stocks'],
  commodity: ['commodity', 'commodities'],
  index: ['index', 'indices'],
  otherAsset: ['other asset', 'other assets'],
  unclassified: ['contract without a stated class', 'contracts without a stated class'],
  otherQuote: ['contract not in USDT', 'contracts not in USDT'],
  datedFuture: ['dated future', 'dated futures'],
  malformed: ['entry that cannot be read', 'entries that cannot be read'],
};

/** "128 coin perpetuals trade, 1 is suspended. Left out: 5 stocks, 2 commodities." */
export function universeSentence({ trading, suspended, left_out }: SymbolCounts): string {
  const verb = trading === 1 ? 'trades' : 'trade';
  const halted = suspended === 0 ? '' : `, ${formatCount(suspended)} ${suspended === 1 ? 'is' : 'are'} suspended`;
  const left = (Object.keys(reasons) as (keyof typeof reasons)[])
    .filter((reason) => left_out[reason] > 0)
    .map((reason) => `${formatCount(left_out[reason])} ${reasons[reason][left_out[reason] === 1 ? 0 : 1]}`);
  const others = left.length === 0 ? '' : ` Left out: ${left.join(', ')}.`;
  return `${formatMany(trading, 'coin perpetual')} ${verb}${halted}.${others}`;
}

/** Beside the docked ticket the chart needs the width. */
const DOCKED = 'docked:max-xl:grid-cols-[minmax(0,1fr)] docked:xl:grid-cols-[minmax(0,440px)_minmax(0,1fr)]';
const WIDE_LIST = `lg:grid-cols-[minmax(0,610px)_minmax(0,1fr)] ${DOCKED}`;
/** Where the chart would be small, the list leaves out the day's range. */
const NARROW_LIST = `lg:grid-cols-[minmax(0,440px)_minmax(0,1fr)] min-[1500px]:grid-cols-[minmax(0,610px)_minmax(0,1fr)] ${DOCKED}`;

/** The watch list with the chart of its chosen symbol. */
export function MarketCards() {
  const list = useWatchList();
  const chosen = useChartSymbol();
  // Suggestions change their order with the volume: the chart stays on the symbol that it opened with.
  const [opened, setOpened] = useState<string | null>(null);
  const first = list.rows[0]?.symbol ?? null;
  if (opened === null && first !== null) setOpened(first);
  const symbol = chosen ?? opened;
  const { count } = useSnapshot(marketLayout);
  // Several charts need the whole width, below the list.
  const { isShown: isPositioningShown } = useSnapshot(positioningColumns);
  const columns = count === '1' ? (isPositioningShown ? WIDE_LIST : NARROW_LIST) : '';
  return (
    <div className={`grid min-w-0 grid-cols-[minmax(0,1fr)] gap-3 ${columns}`}>
      <Guarded>
        <WatchTable list={list} selected={symbol} onSelect={chooseSymbol} />
        <MarketCharts symbol={symbol} listed={list.rows} />
      </Guarded>
    </div>
  );
}

/** Cards: credits, last backtest, status of the service. */
export function ServiceCards() {
  const chartSymbol = useChartSymbol();
  return (
    <Guarded>
      <CreditsCard />
      <DataStatus />
      <LastBacktest symbol={chartSymbol} />
    </Guarded>
  );
}

const markets = {
  simulated: 'Simulated, prices are generated',
  replay: 'Replay of recorded candles',
  live: 'Live, public data of the exchanges',
};
const exchangeWords = { ok: 'up', degraded: 'partly failing', down: 'down', unknown: 'not queried yet' };

/** Source of the figures and the state of the service, as measured by it. */
function DataStatus() {
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
          ['Database response', `${formatFixed(health.data.responseTime, 1)} ms`],
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
            failure={health.error}
            text={messageOf(health.error, 'Service status unavailable.')}
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

const ENTRIES_SHOWN = 4;

/** The balance and its last change, both from the ledger. */
function CreditsCard() {
  const credits = useCredits();
  return (
    <Panel
      title="Credits"
      aside={credits.dataUpdatedAt > 0 && <Age sinceMs={credits.dataUpdatedAt} prefix="read" />}
      bodyClassName=""
    >
      {credits.error !== null && (
        <div className="p-3">
          <ErrorState
            failure={credits.error}
            text={messageOf(credits.error, 'Could not load credits.')}
            onRetry={() => void credits.refetch()}
          />
        </div>
      )}
      {credits.isPending && <SkeletonRows rows={3} height={14} />}
      {credits.data !== undefined && (
        <>
          <p className="flex items-baseline gap-2 px-3 py-2">
            <span className="text-figure font-semibold tabular">{formatCount(credits.data.balance)}</span>
            <span className="text-muted">
              to spend{credits.data.held > 0 && `, ${formatCount(credits.data.held)} reserved`}
            </span>
          </p>
          <ul>
            {credits.data.entries.slice(0, ENTRIES_SHOWN).map((entry) => (
              <li key={entry.id} className="flex min-h-8 items-center gap-3 border-t border-line px-3 text-label">
                <span className="flex-1 truncate">
                  {reasonWords(entry.reason)}: {entryKinds[entry.kind].toLowerCase()}
                </span>
                <span className="text-muted">
                  <Time at={entry.at} />
                </span>
                <span className="w-12 text-right font-mono">{formatSigned(entry.credits, 0)}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </Panel>
  );
}
