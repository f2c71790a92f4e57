import { Popover } from '@base-ui/react/popover';
import { DAY_MS } from '@sextant/engine-as/abi/intervals.ts';
import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import { useQueries } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { messageOf } from '../../api/failure.ts';
import { fetchCandles, useChangeWatchlist, usePrices, useWatchedSymbols, useWatchlist } from '../../data/market.ts';
import { queryKeys } from '../../api/queryKeys.ts';
import { useSymbols, useTickDecimals } from '../../data/symbols.ts';
import { exchangeName } from '../../format/names.ts';
import { formatPercent, formatPrice } from '../../format/number.ts';
import { openTicket } from '../../state/ticket.ts';
import { ExchangeWait } from '../../ui/ExchangeWait.tsx';
import { FlashingPrice } from '../../ui/FlashingPrice.tsx';
import { EmptyState, ErrorState, Panel, SkeletonRows } from '../../ui/Panel.tsx';
import { SearchList } from '../../ui/SearchList.tsx';
import { Age } from '../../ui/Time.tsx';
import { WatchStar } from '../../ui/WatchStar.tsx';

interface Props {
  list: ReturnType<typeof useWatchList>;
  selected: string | null;
  onSelect: (symbol: string) => void;
}

export function WatchTable({ list, selected, onSelect }: Props) {
  const { rows, failure, isWaiting } = list;
  const suggestedCount = rows.filter(({ symbol }) => !list.watched.includes(symbol)).length;
  return (
    <Panel
      id="watch-list"
      title="Watch list"
      aside={
        <span className="flex items-center gap-3">
          {list.confirmedAtMs !== null && (
            <span className="max-md:hidden">
              <Age sinceMs={list.confirmedAtMs} prefix={exchangeName(list.exchange ?? '')} />
            </span>
          )}
          <AddSymbol watched={list.watched} />
        </span>
      }
      bodyClassName=""
    >
      {failure !== null && (
        <div className="p-3">
          <ErrorState failure={failure} text={messageOf(failure, 'Could not load market data.')} onRetry={list.retry} />
        </div>
      )}
      {list.isWaitingForDays && (
        <div className="px-3">
          <ExchangeWait />
        </div>
      )}
      {isWaiting && rows.length === 0 && failure === null && <SkeletonRows rows={10} height={14} />}
      {!isWaiting && rows.length === 0 && failure === null && (
        <EmptyState text="Your watched symbols are not traded here." />
      )}
      {suggestedCount > 0 && (
        <p className="border-b border-line px-3 py-2 text-muted">
          {list.watched.length === 0 ? 'Your watch list is empty. These are' : 'Below your own symbols are'} widely
          traded symbols, largest 24-hour volume first. The star adds a symbol to your list.
        </p>
      )}
      {rows.length > 0 && (
        <table className="table">
          <thead>
            <tr>
              <th className="lead w-8" scope="col">
                <span className="sr-only">Watched</span>
              </th>
              <th className="lead" scope="col">
                Symbol
              </th>
              <th scope="col">Last, USDT</th>
              <th scope="col">24 h</th>
              <th scope="col" className="max-md:hidden">
                24 h low to high
              </th>
              <th scope="col" className="max-[1700px]:hidden">
                24 h shape
              </th>
              <th scope="col">
                <span className="sr-only">Trade</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Row key={row.symbol} row={row} isSelected={row.symbol === selected} onSelect={onSelect} />
            ))}
          </tbody>
        </table>
      )}
      {list.hiddenCount > 0 && (
        <button type="button" className="btn btn-ghost m-2" onClick={list.showAll}>
          Show {list.hiddenCount} more
        </button>
      )}
    </Panel>
  );
}

function Row({
  row,
  isSelected,
  onSelect,
}: {
  row: WatchRow;
  isSelected: boolean;
  onSelect: (symbol: string) => void;
}) {
  const { symbol, decimals, last, day } = row;
  return (
    <tr
      data-symbol={symbol}
      className={`cursor-pointer hover:bg-row-hover ${isSelected ? 'bg-accent-soft' : ''}`}
      onClick={() => onSelect(symbol)}
    >
      <td className="lead">
        <WatchStar symbol={symbol} />
      </td>
      <td className="lead">
        <button type="button" aria-pressed={isSelected} className="font-medium" onClick={() => onSelect(symbol)}>
          {symbol}
        </button>
      </td>
      <td className="font-mono">
        <FlashingPrice price={last} decimals={decimals} />
      </td>
      <td className={`font-mono ${day === null ? 'text-muted' : day.changeFraction < 0 ? 'text-down' : 'text-up'}`}>
        {formatPercent(day?.changeFraction, true)}
      </td>
      <td className="max-md:hidden">
        {day !== null && (
          <span className="flex items-center justify-end gap-2 font-mono text-muted">
            {formatPrice(day.low, decimals)}
            <span aria-hidden="true" className="relative h-1 w-10 shrink-0 rounded-full bg-line">
              <span
                className="absolute -top-0.5 size-2 -translate-x-1/2 rounded-full bg-accent"
                style={{ left: `${day.place * 100}%` }}
              />
            </span>
            {formatPrice(day.high, decimals)}
          </span>
        )}
      </td>
      <td className="max-[1700px]:hidden">{day !== null && <Sparkline values={day.closes} width={72} />}</td>
      <td>
        <TradeButtons symbol={symbol} />
      </td>
    </tr>
  );
}

/** Opens the order ticket. */
function TradeButtons({ symbol }: { symbol: string }) {
  // On a phone one button: the side is the first choice of the ticket.
  const button = (side: 'LONG' | 'SHORT', word: string, tone: string) => (
    <button
      type="button"
      className="btn btn-ghost btn-small"
      aria-label={`${word} ${symbol}`}
      onClick={(event) => {
        event.stopPropagation();
        openTicket({ symbol, side });
      }}
    >
      <span className={tone}>{word}</span>
    </button>
  );
  return (
    <span className="flex justify-end">
      {button('LONG', 'Buy', 'text-up')}
      <span className="max-md:hidden">{button('SHORT', 'Sell', 'text-down')}</span>
    </span>
  );
}

/** Search over every perpetual that is not watched yet. */
function AddSymbol({ watched }: { watched: readonly string[] }) {
  const [isOpen, setOpen] = useState(false);
  const universe = useSymbols();

  const change = useChangeWatchlist();
  const taken = new Set(watched);
  const items = (universe.data?.symbols ?? [])
    .filter(({ status, symbol }) => status === 'trading' && !taken.has(symbol))
    .map(({ symbol, base }) => ({ id: symbol, label: symbol, group: base }));
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger className="btn btn-small">
        <Plus size={14} aria-hidden="true" /> Add symbol
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner align="end" sideOffset={6} collisionPadding={8} className="z-40">
          <Popover.Popup className="popup w-72 p-2 outline-none">
            <Popover.Title className="sr-only">Add a symbol to the watch list</Popover.Title>
            <SearchList
              label="Symbol to watch"
              placeholder="BTCUSDT"
              items={items}
              emptyText={universe.data === undefined ? 'Loading symbols.' : 'No matching perpetual.'}
              onPick={({ id }) => {
                setOpen(false);
                change.mutate({ symbol: id, isWatched: true });
              }}
            />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

interface SparklineProps {
  values: ArrayLike<number>;
  width?: number;
  height?: number;
}

/** The shape of a series only; its colour compares its end with its start. */
function Sparkline({ values, width = 96, height = 24 }: SparklineProps) {
  const points = sparklinePoints(values, width, height);
  if (points === null) return <span className="text-muted">–</span>;
  const isUp = (values[values.length - 1] ?? 0) >= (values[0] ?? 0);
  return (
    <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true" className="inline-block">
      <polyline
        points={points}
        fill="none"
        stroke={isUp ? 'var(--up)' : 'var(--down)'}
        strokeWidth="1.25"
        strokeLinejoin="round"
      />
    </svg>
  );
}

/** Null below two points: one point has no shape. */
export function sparklinePoints(values: ArrayLike<number>, width: number, height: number): string | null {
  const finite = Array.from(values).filter((value) => Number.isFinite(value));
  if (finite.length < 2) return null;
  const low = Math.min(...finite);
  const range = Math.max(...finite) - low;
  const step = width / (finite.length - 1);
  // A series that does not move is a line through the middle, not along the floor.
  const y = (value: number) => (range === 0 ? height / 2 : height - 1.5 - ((value - low) / range) * (height - 3));
  return finite.map((value, i) => `${(i * step).toFixed(1)},${y(value).toFixed(1)}`).join(' ');
}

/** A day of 15-minute candles plus the candle before it, whose close is the price 24 hours ago. */
const DAY_INTERVAL = '15m';
const DAY_CANDLE_COUNT = 97;

interface DayFigures {
  /** Change from the price 24 hours ago to the last one, a fraction. */
  changeFraction: number;
  high: number;
  low: number;
  /** Position of the last price between low and high, 0..1. */
  place: number;
  /** Traded in these hours, quote currency: each candle's volume at its close. */
  volumeUsdt: number;
  /** Closes for the sparkline, the last price at its end. */
  closes: number[];
}

/**
 * Figures of the last 24 hours.
 * @param candles DAY_CANDLE_COUNT closed 15-minute candles, oldest first
 * @returns null when the candles do not reach back a whole day: a shorter change would pass for a daily one
 */
export function dayFigures(candles: Candles, lastPrice: number): DayFigures | null {
  const count = candles.time.length;
  const first = candles.time[0];
  const base = candles.close[0];
  const newest = candles.time[count - 1];
  if (first === undefined || newest === undefined || base === undefined || newest - first < DAY_MS) return null;
  const high = candles.high.slice(1).reduce((most, value) => Math.max(most, value), lastPrice);
  const low = candles.low.slice(1).reduce((least, value) => Math.min(least, value), lastPrice);
  return {
    changeFraction: lastPrice / base - 1,
    high,
    low,
    place: high > low ? (lastPrice - low) / (high - low) : 0.5,
    volumeUsdt: candles.volume.slice(1).reduce((sum, volume, at) => sum + volume * (candles.close[at + 1] ?? 0), 0),
    closes: [...candles.close, lastPrice],
  };
}

/** Most traded first, once all are known: rows must not move while the user reads them. */
function byVolume<Row extends { day: DayFigures | null }>(rows: readonly Row[]): readonly Row[] {
  if (rows.some(({ day }) => day === null)) return rows;
  return [...rows].sort((a, b) => (b.day?.volumeUsdt ?? 0) - (a.day?.volumeUsdt ?? 0));
}

const CANDLE_POLL_MS = 60_000;
/** Each row fetches candles; a long list shows the rest on request. */
const SHOWN_MAX = 40;

interface WatchRow {
  symbol: string;
  decimals: number | undefined;
  last: number | null;
  day: DayFigures | null;
}

const firstError = (requested: readonly { error: Error | null }[]): Error | null =>
  requested.find(({ error }) => error !== null)?.error ?? null;

const bySymbol = <Of extends { symbol: string }>(list: readonly Of[] | undefined, symbol: string): Of | undefined =>
  list?.find((each) => each.symbol === symbol);

function rowOf(symbol: string, last: number | null, candles: Candles | undefined, decimals?: number): WatchRow {
  return {
    symbol,
    decimals,
    last,
    day: last === null || candles === undefined ? null : dayFigures(candles, last),
  };
}

/** The watched symbols with their last price and the figures of their last 24 hours. */
export function useWatchList() {
  const [isWhole, setWhole] = useState(false);
  const own = useWatchlist();
  const universe = useSymbols();
  const all = useWatchedSymbols();
  const decimalsOf = useTickDecimals();
  const symbols = isWhole ? all : all.slice(0, SHOWN_MAX);
  const prices = usePrices(symbols);
  const days = useQueries({
    queries: symbols.map((symbol) => ({
      queryKey: queryKeys.market.candles('binance', symbol, DAY_INTERVAL, DAY_CANDLE_COUNT),
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        fetchCandles({ exchange: 'binance', symbol, interval: DAY_INTERVAL, limit: DAY_CANDLE_COUNT, signal }),
      refetchInterval: CANDLE_POLL_MS,
    })),
  });
  const rows = symbols.map((symbol, at) =>
    rowOf(symbol, bySymbol(prices.data?.prices, symbol)?.price ?? null, days[at]?.data?.candles, decimalsOf(symbol)),
  );
  const watched = own.data ?? [];
  const isWatched = (row: WatchRow): boolean => watched.includes(row.symbol);
  return {
    rows: [...rows.filter(isWatched), ...byVolume(rows.filter((row) => !isWatched(row)))],
    watched,
    hiddenCount: all.length - symbols.length,
    showAll: () => setWhole(true),
    failure: firstError([own, universe, prices, ...days]),
    isWaiting: own.isPending || universe.isPending || (symbols.length > 0 && prices.isPending),
    isWaitingForDays: days.some(({ isPending }) => isPending),
    exchange: prices.data?.exchange ?? null,
    confirmedAtMs: prices.data?.confirmedAtMs ?? null,
    retry: () => {
      void own.refetch();
      void universe.refetch();
      void prices.refetch();
    },
  };
}
