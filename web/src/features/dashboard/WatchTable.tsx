import { Popover } from '@base-ui/react/popover';
import { Bell, ChartNoAxesColumn, Plus } from 'lucide-react';
import { useState } from 'react';
import { useSnapshot } from 'valtio';
import { messageOf } from '../../api/failure.ts';
import type { PositioningRow } from '../../api/types.ts';
import { usePositioning } from '../../data/positioning.ts';
import { useChangeWatchlist } from '../../data/watchlist.ts';
import { useServedExchange, useSymbols } from '../../data/symbols.ts';
import { exchangeName } from '../../format/names.ts';
import { formatPercent, formatPrice } from '../../format/number.ts';
import { openAlertForm } from '../../state/alertForm.ts';
import { openTicket } from '../../state/ticket.ts';
import { ExchangeWait } from '../../ui/ExchangeWait.tsx';
import { FlashingPrice } from '../../ui/FlashingPrice.tsx';
import { EmptyState, ErrorState, Panel, SkeletonRows } from '../../ui/Panel.tsx';
import { SearchList } from '../../ui/SearchList.tsx';
import { Age } from '../../ui/Time.tsx';
import { WatchStar } from '../../ui/WatchStar.tsx';
import { PositioningCells, PositioningHead, PositioningLine, PositioningNote } from './Positioning.tsx';
import { positioningColumns } from './positioningColumns.ts';
import type { useWatchList, WatchRow } from './watchList.ts';

interface Props {
  list: ReturnType<typeof useWatchList>;
  selected: string | null;
  onSelect: (symbol: string) => void;
}

export function WatchTable({ list, selected, onSelect }: Props) {
  const { rows } = list;
  const { isShown: isPositioningShown } = useSnapshot(positioningColumns);
  const positioning = usePositioning(
    useServedExchange(),
    rows.map(({ symbol }) => symbol),
    isPositioningShown,
  );
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
          <button
            type="button"
            className="btn btn-small"
            aria-pressed={isPositioningShown}
            title="Open interest, long/short ratio and next funding"
            onClick={() => (positioningColumns.isShown = !isPositioningShown)}
          >
            <ChartNoAxesColumn size={14} aria-hidden="true" /> <span className="max-md:sr-only">Positioning</span>
          </button>
          <AddSymbol watched={list.watched} />
        </span>
      }
      bodyClassName=""
    >
      <ListState list={list} />
      {rows.length > 0 && (
        <RowsTable
          rows={rows}
          positioning={isPositioningShown ? (positioning.data?.rows ?? []) : null}
          selected={selected}
          onSelect={onSelect}
        />
      )}
      {isPositioningShown && <PositioningNote response={positioning} />}
      {list.hiddenCount > 0 && (
        <button type="button" className="btn btn-ghost m-2" onClick={list.showAll}>
          Show {list.hiddenCount} more
        </button>
      )}
    </Panel>
  );
}

/** Failures, waiting, and what the suggestions are. */
function ListState({ list }: Pick<Props, 'list'>) {
  const { rows, failure, isWaiting } = list;
  const suggestedCount = rows.filter(({ symbol }) => !list.watched.includes(symbol)).length;
  return (
    <>
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
    </>
  );
}

/** Left out for the columns of positioning: the list has 610 px beside the chart. */
const NARROW_HIDDEN = 'md:max-[1700px]:hidden';
/** The range of the day: left out beside the chart unless the window is wide. */
const RANGE_HIDDEN = 'max-md:hidden lg:max-[1500px]:hidden docked:xl:hidden';

interface RowsProps {
  rows: readonly WatchRow[];
  /** Null: its columns are off. */
  positioning: readonly PositioningRow[] | null;
  selected: string | null;
  onSelect: (symbol: string) => void;
}

function RowsTable({ rows, positioning, selected, onSelect }: RowsProps) {
  const positioningOf = new Map(positioning?.map((row) => [row.symbol, row]));
  return (
    <table className="table max-md:[&_td]:px-1.5! max-md:[&_th]:px-1.5!">
      <thead>
        <tr>
          <th className="lead w-8" scope="col">
            <span className="sr-only">Watched</span>
          </th>
          <th className="lead" scope="col">
            Symbol
          </th>
          <th scope="col">Last, USDT</th>
          <th scope="col" className={positioning === null ? '' : NARROW_HIDDEN}>
            24 h
          </th>
          {positioning !== null && <PositioningHead />}
          {positioning === null && (
            <>
              <th scope="col" className={RANGE_HIDDEN}>
                24 h low to high
              </th>
              <th scope="col" className="max-[1700px]:hidden">
                24 h shape
              </th>
            </>
          )}
          <th scope="col">
            <span className="sr-only">Trade and alert</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row
            key={row.symbol}
            row={row}
            positioning={positioning === null ? undefined : (positioningOf.get(row.symbol) ?? null)}
            isSelected={row.symbol === selected}
            onSelect={onSelect}
          />
        ))}
      </tbody>
    </table>
  );
}

function Row({
  row,
  positioning,
  isSelected,
  onSelect,
}: {
  row: WatchRow;
  /** Null: not loaded, or not provided. Undefined: its columns are off. */
  positioning: PositioningRow | null | undefined;
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
        {positioning !== undefined && <PositioningLine row={positioning} />}
      </td>
      <td className="font-mono">
        <FlashingPrice price={last} decimals={decimals} />
      </td>
      <td
        className={`font-mono ${positioning === undefined ? '' : NARROW_HIDDEN} ${day === null ? 'text-muted' : day.changeFraction < 0 ? 'text-down' : 'text-up'}`}
      >
        {formatPercent(day?.changeFraction, true)}
      </td>
      {positioning !== undefined && <PositioningCells row={positioning} />}
      {positioning === undefined && <DayCells row={row} />}
      <td>
        <span className="flex items-center justify-end">
          <TradeButtons symbol={symbol} />
          <button
            type="button"
            className="btn btn-ghost btn-small btn-icon max-md:hidden"
            aria-label={`Set an alert on ${symbol}`}
            onClick={(event) => {
              event.stopPropagation();
              openAlertForm({ condition: { kind: 'price', symbol } });
            }}
          >
            <Bell size={14} aria-hidden="true" />
          </button>
        </span>
      </td>
    </tr>
  );
}

function DayCells({ row: { day, decimals } }: { row: WatchRow }) {
  return (
    <>
      <td className={RANGE_HIDDEN}>
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
    </>
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
