import { type IntervalName, intervals } from '@sextant/engine-as/abi/intervals.ts';
import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { History } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useSnapshot } from 'valtio';
import { messageOf } from '../../api/failure.ts';
import { queryKeys } from '../../api/queryKeys.ts';
import type { ChartPlace } from '../../charts/chartLayout.ts';
import { LateChart } from '../../charts/LateChart.tsx';
import { LayoutMenu } from '../../charts/LayoutMenu.tsx';
import { type ChartCount, chartCounts, marketLayout, marketPlaces } from '../../charts/marketLayout.ts';
import { useMarketLevels } from '../../charts/marketLevels.ts';
import { useForming } from '../../charts/useForming.ts';
import { fetchCandles } from '../../data/market.ts';
import { useServedExchange } from '../../data/symbols.ts';
import { exchangeName } from '../../format/names.ts';
import { priceDecimals } from '../../format/number.ts';
import { ExchangeWait } from '../../ui/ExchangeWait.tsx';
import { Guarded } from '../../ui/Guarded.tsx';
import { late } from '../../ui/late.tsx';
import { ErrorState, Panel } from '../../ui/Panel.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { useAlertLevels } from './useAlertLevels.ts';

const barReplay = late(async () => (await import('./replay/BarReplay.tsx')).BarReplay);

const CANDLE_COUNT = 300;
/** A closing candle replaces the forming one within this time. */
const POLL_MS = 20_000;

/** A market that a chart can show. */
export interface ListedMarket {
  symbol: string;
  decimals: number | undefined;
  /** The last price, for the forming candle. */
  last: number | null;
}

interface Props {
  /** The selected symbol; null until one is known. */
  symbol: string | null;
  listed: readonly ListedMarket[];
}

/** One, two or four charts of the market, with a shared crosshair. */
export function MarketCharts({ symbol, listed }: Props) {
  const { count } = useSnapshot(marketLayout);
  const places = marketPlaces.slice(0, Number(count));
  return (
    <section aria-label="Charts" className="flex min-w-0 flex-1 flex-col gap-2">
      <div className="flex items-center justify-end gap-2">
        <Segments
          label="Number of charts"
          options={chartCounts}
          value={count}
          onSelect={(next) => (marketLayout.count = next)}
          nameOf={(each) => (each === '1' ? '1 chart' : each)}
          isSmall
        />
        <LayoutMenu />
      </div>
      <div
        className={`grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)] gap-3 ${count === '1' ? '' : 'lg:grid-cols-2 docked:max-xl:grid-cols-1'}`}
      >
        {places.map((place, at) => (
          <Guarded key={place}>
            <MarketChart place={place} at={at} selected={symbol} listed={listed} />
          </Guarded>
        ))}
      </div>
    </section>
  );
}

interface ChartProps {
  place: ChartPlace;
  /** Position among the charts. */
  at: number;
  selected: string | null;
  listed: readonly ListedMarket[];
}

/** Candles of a market with its forming candle, and the levels of orders and alerts. */
function useMarketModel(symbol: string | null, interval: IntervalName, listed: readonly ListedMarket[]) {
  // The exchange that serves this region.
  const served = useServedExchange();
  const response = useQuery({
    queryKey: queryKeys.market.candles(served, symbol ?? '', interval, CANDLE_COUNT),
    queryFn: ({ signal }) =>
      fetchCandles({ exchange: served, symbol: symbol ?? '', interval, limit: CANDLE_COUNT, signal }),
    enabled: symbol !== null,
    refetchInterval: POLL_MS,
    placeholderData: keepPreviousData,
  });
  const candles = response.data?.candles;
  const { decimals, last = null } = listed.find((each) => each.symbol === symbol) ?? {};
  // While another market loads, the visible candles do not match the price.
  const forming = useForming(candles, response.isPlaceholderData ? null : last);
  const exchange = response.data?.exchange;
  const { levels: orderLevels, move } = useMarketLevels(response.isPlaceholderData ? null : symbol);
  const alertLevels = useAlertLevels(exchange, symbol);
  const model = useMemo(() => {
    if (candles === undefined || candles.time.length === 0) return null;
    const lastClose = candles.close.at(-1) ?? 1;
    const decimalsShown = priceDecimals(lastClose, decimals);
    const levels = orderLevels.concat(alertLevels);
    return { candles, priceDecimals: decimalsShown, scoredFrom: 0, trades: [], panes: [], forming, levels };
  }, [candles, decimals, forming, orderLevels, alertLevels]);
  const isShown = symbol !== null && exchange !== undefined && !response.isPlaceholderData;
  const market = useMemo(
    () => (isShown ? { exchange, symbol, interval } : null),
    [isShown, exchange, symbol, interval],
  );
  return { response, model, market, decimals, move };
}

function bodyHeight(isReplaying: boolean, count: ChartCount): string {
  if (isReplaying) return 'min-h-140';
  return count === '4' ? 'min-h-90' : 'min-h-[min(420px,60dvh)]';
}

/** Candles of the selected symbol, or of the one that the chart is fixed to. */
function MarketChart({ place, at, selected, listed }: ChartProps) {
  const { cells, count } = useSnapshot(marketLayout);
  const { symbol: own = null, interval = '1h' } = cells[at] ?? {};
  const symbol = own ?? selected;
  const { response, model, market, decimals, move } = useMarketModel(symbol, interval, listed);
  // Another market or interval leaves the replay.
  const [replayed, setReplayed] = useState<string | null>(null);
  const key = `${symbol ?? ''} ${interval}`;
  const isReplaying = replayed === key;
  return (
    <Panel
      title={symbol ?? 'Chart'}
      aside={
        <Controls
          at={at}
          listed={listed}
          exchange={response.data?.exchange}
          hasSymbol={symbol !== null}
          isReplaying={isReplaying}
          onReplay={() => setReplayed(isReplaying ? null : key)}
        />
      }
      className="flex-1"
      bodyClassName={`relative ${bodyHeight(isReplaying, count)}`}
    >
      <LoadState response={response} />
      {at === 0 && symbol !== null && <span hidden data-symbol-shown={symbol} />}
      {isReplaying && symbol !== null && (
        <Guarded>
          <barReplay.View
            key={key}
            symbol={symbol}
            interval={interval}
            decimals={decimals}
            onClose={() => setReplayed(null)}
          />
        </Guarded>
      )}
      {model !== null && !isReplaying && (
        <LateChart
          place={place}
          model={model}
          market={market}
          isLinked={count !== '1'}
          onMoveLevel={move}
          className={`absolute inset-0 ${response.isPlaceholderData ? 'opacity-50' : ''}`}
        />
      )}
    </Panel>
  );
}

/** What is shown while candles load, and when they could not. */
function LoadState({ response }: { response: UseQueryResult }) {
  const { error, isPending } = response;
  return (
    <>
      {error !== null && (
        <div className="p-3">
          <ErrorState
            failure={error}
            text={messageOf(error, 'Could not load the candles.')}
            onRetry={() => void response.refetch()}
          />
        </div>
      )}
      {isPending && <ExchangeWait />}
    </>
  );
}

interface ControlsProps {
  at: number;
  listed: readonly ListedMarket[];
  exchange: string | undefined;
  hasSymbol: boolean;
  isReplaying: boolean;
  onReplay: () => void;
}

/** Symbol, replay and interval of one chart. */
function Controls({ at, listed, exchange, hasSymbol, isReplaying, onReplay }: ControlsProps) {
  const { cells, count } = useSnapshot(marketLayout);
  const { symbol = null, interval = '1h' } = cells[at] ?? {};
  const setCell = (change: Partial<(typeof cells)[number]>) => {
    const cell = marketLayout.cells[at];
    if (cell !== undefined) Object.assign(cell, change);
  };
  const isAlone = count === '1';
  return (
    <span className="flex items-center gap-2">
      {exchange !== undefined && isAlone && (
        <span className="max-md:hidden lg:max-2xl:hidden">{exchangeName(exchange)}</span>
      )}
      {!isAlone && (
        <SymbolChoice at={at} value={symbol} listed={listed} onSelect={(next) => setCell({ symbol: next })} />
      )}
      {hasSymbol && (
        <button
          type="button"
          className="btn btn-ghost btn-small btn-icon"
          aria-label={isAlone ? 'Bar replay' : `Bar replay on chart ${at + 1}`}
          title="Bar replay: practise on past candles"
          aria-pressed={isReplaying}
          onClick={onReplay}
        >
          <History size={14} aria-hidden="true" />
        </button>
      )}
      <Segments
        label={isAlone ? 'Interval' : `Interval of chart ${at + 1}`}
        options={intervals}
        value={interval}
        onSelect={(next) => setCell({ interval: next })}
        isSmall
        isFitted
      />
    </span>
  );
}

interface ChoiceProps {
  at: number;
  value: string | null;
  listed: readonly ListedMarket[];
  onSelect: (symbol: string | null) => void;
}

/** Symbols of the watch list; a saved layout may hold another one. */
function SymbolChoice({ at, value, listed, onSelect }: ChoiceProps) {
  const symbols = listed.map(({ symbol }) => symbol);
  const options = value === null || symbols.includes(value) ? symbols : [value, ...symbols];
  return (
    <select
      className="input h-7 w-28"
      aria-label={`Symbol of chart ${at + 1}`}
      value={value ?? ''}
      onChange={(event) => onSelect(event.target.value === '' ? null : event.target.value)}
    >
      <option value="">Selected</option>
      {options.map((symbol) => (
        <option key={symbol} value={symbol}>
          {symbol}
        </option>
      ))}
    </select>
  );
}
