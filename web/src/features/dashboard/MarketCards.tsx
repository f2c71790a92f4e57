import { exchangeNames } from '@sextant/workers/src/core/exchangeNames.ts';
import { signalIntervals } from '@sextant/engine-as/abi/intervals.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ArrowRight } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useSnapshot } from 'valtio';
import { api, dataOf } from '../../api/client.ts';
import { useCredits } from '../../api/credits.ts';
import { messageOf } from '../../api/failure.ts';
import { fetchCandles, useHealth } from '../../data/market.ts';
import { useSymbols } from '../../data/symbols.ts';
import { queryKeys } from '../../api/queryKeys.ts';
import type { SymbolCounts } from '../../api/types.ts';
import { useAppInfo } from '../../api/useSession.ts';
import { LateChart } from '../../charts/LateChart.tsx';
import { useForming } from '../../charts/useForming.ts';
import { entryKinds, exchangeName, reasonWords } from '../../format/names.ts';
import {
  formatCount,
  formatFixed,
  formatMany,
  formatMoney,
  formatPercent,
  formatSigned,
  NO_VALUE,
  priceDecimals,
} from '../../format/number.ts';
import { formatDuration } from '../../format/time.ts';
import { chooseSymbol, marketState } from '../../state/market.ts';
import { openTab } from '../../state/navigation.ts';
import { ExchangeWait } from '../../ui/ExchangeWait.tsx';
import { Guarded } from '../../ui/Guarded.tsx';
import { ErrorState, Panel, SkeletonRows } from '../../ui/Panel.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { Age, Time } from '../../ui/Time.tsx';
import { useAlertLevels } from './useAlertLevels.ts';
import { useWatchList, WatchTable } from './WatchTable.tsx';

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

/** The watch list with the chart of its chosen symbol. */
export function MarketCards() {
  const list = useWatchList();
  const { chartSymbol: chosen } = useSnapshot(marketState);
  // Suggestions change their order with the volume: the chart stays on the symbol that it opened with.
  const [opened, setOpened] = useState<string | null>(null);
  const first = list.rows[0]?.symbol ?? null;
  if (opened === null && first !== null) setOpened(first);
  const symbol = chosen ?? opened;
  const row = list.rows.find((each) => each.symbol === symbol);
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-3 lg:grid-cols-[minmax(0,610px)_minmax(0,1fr)]">
      <Guarded>
        <WatchTable list={list} selected={symbol} onSelect={chooseSymbol} />
        <MarketChart symbol={symbol} decimals={row?.decimals} price={row?.last ?? null} />
      </Guarded>
    </div>
  );
}

/** Cards: credits, last backtest, status of the service. */
export function ServiceCards() {
  const { chartSymbol } = useSnapshot(marketState);
  return (
    <Guarded>
      <CreditsCard />
      <DataStatus />
      <LastBacktest symbol={chartSymbol} />
    </Guarded>
  );
}

const CANDLE_COUNT = 300;
/** A closing candle replaces the forming one within this time. */
const POLL_MS = 20_000;

interface MarketChartProps {
  symbol: string | null;
  decimals: number | undefined;
  /** The last price, for the forming candle. */
  price: number | null;
}

/** Candles of the watched symbol that is selected. */
function MarketChart({ symbol, decimals, price }: MarketChartProps) {
  const [interval, setInterval] = useState<(typeof signalIntervals)[number]>('1h');
  const response = useQuery({
    queryKey: queryKeys.market.candles('binance', symbol ?? '', interval, CANDLE_COUNT),
    queryFn: ({ signal }) =>
      fetchCandles({ exchange: 'binance', symbol: symbol ?? '', interval, limit: CANDLE_COUNT, signal }),
    enabled: symbol !== null,
    refetchInterval: POLL_MS,
    placeholderData: keepPreviousData,
  });
  const candles = response.data?.candles;
  const exchange = response.data?.exchange;
  const levels = useAlertLevels(exchange, symbol);
  // While another market loads, the visible candles do not match the price.
  const forming = useForming(candles, response.isPlaceholderData ? null : price);
  const model = useMemo(() => {
    if (candles === undefined || candles.time.length === 0) return null;
    const lastClose = candles.close.at(-1) ?? 1;
    const decimalsShown = priceDecimals(lastClose, decimals);
    return { candles, priceDecimals: decimalsShown, scoredFrom: 0, trades: [], panes: [], forming, levels };
  }, [candles, decimals, forming, levels]);
  const isShown = symbol !== null && exchange !== undefined && !response.isPlaceholderData;
  const market = useMemo(
    () => (isShown ? { exchange, symbol, interval } : null),
    [isShown, exchange, symbol, interval],
  );
  return (
    <Panel
      title={symbol ?? 'Chart'}
      aside={
        <span className="flex items-center gap-3">
          {response.data !== undefined && <span className="max-md:hidden">{exchangeName(response.data.exchange)}</span>}
          <Segments label="Interval" options={signalIntervals} value={interval} onSelect={setInterval} isSmall />
        </span>
      }
      className="flex-1"
      bodyClassName="relative min-h-[min(420px,60dvh)]"
    >
      {response.error !== null && (
        <div className="p-3">
          <ErrorState
            failure={response.error}
            text={messageOf(response.error, 'Could not load the candles.')}
            onRetry={() => void response.refetch()}
          />
        </div>
      )}
      {response.isPending && <ExchangeWait />}
      {model !== null && (
        <LateChart
          place="market"
          model={model}
          market={market}
          className={`absolute inset-0 ${response.isPlaceholderData ? 'opacity-50' : ''}`}
        />
      )}
    </Panel>
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
              to spend{credits.data.held > 0 && `, ${formatCount(credits.data.held)} set aside`}
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

/** The newest run on the server, and a link to start the next one. */
function LastBacktest({ symbol }: { symbol: string | null }) {
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
