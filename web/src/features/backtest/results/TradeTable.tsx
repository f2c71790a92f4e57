import type { Trade } from '@sextant/workers/src/protocol.ts';
import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { type KeyboardEvent, useMemo, useRef, useState } from 'react';
import { formatFixed, formatMoney, formatPercent } from '../../../format/number.ts';
import { formatTime, formatUtc } from '../../../format/time.ts';
import { EmptyState } from '../../../ui/Panel.tsx';
import { exitNames } from './metricDefinitions.ts';
import { nextSort, sortedTrades, type TradeColumn, type TradeSort } from './tradeSort.ts';

const ROW_PX = 32;

interface Column {
  id: TradeColumn;
  label: string;
  width: string;
  isText?: boolean;
}

const columns: readonly Column[] = [
  { id: 'number', label: '#', width: '44px' },
  { id: 'side', label: 'Side', width: '64px', isText: true },
  { id: 'entryTimeMs', label: 'Entry', width: 'minmax(128px, 1.4fr)', isText: true },
  { id: 'entryPrice', label: 'Entry price', width: 'minmax(84px, 1fr)' },
  { id: 'exitPrice', label: 'Exit price', width: 'minmax(84px, 1fr)' },
  { id: 'bars', label: 'Bars', width: '52px' },
  { id: 'closeReason', label: 'Exit', width: '88px', isText: true },
  { id: 'fees', label: 'Fees', width: 'minmax(56px, 0.6fr)' },
  { id: 'netPnl', label: 'Net, USDT', width: 'minmax(84px, 0.9fr)' },
  { id: 'returnOnMargin', label: 'On margin', width: 'minmax(84px, 0.9fr)' },
  { id: 'adverseExcursionFraction', label: 'Worst', width: 'minmax(72px, 0.8fr)' },
  { id: 'favourableExcursionFraction', label: 'Best', width: 'minmax(72px, 0.8fr)' },
];
const template = columns.map((column) => column.width).join(' ');

interface Props {
  trades: readonly Trade[];
  priceDecimals: number;
  selected: number | null;
  onSelect: (trade: number | null) => void;
  /** Candle under the pointer's row, for the crosshair. */
  onPoint: (candle: number | null) => void;
}

/** Every trade, sortable; only the rows in sight exist. Arrow keys walk, and the chart follows the selected row. */
export function TradeTable({ trades, priceDecimals, selected, onSelect, onPoint }: Props) {
  const [sort, setSort] = useState<TradeSort>({ column: 'number', isDescending: false });
  const order = useMemo(() => sortedTrades(trades, sort), [trades, sort]);
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: order.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 8,
  });

  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined || order.length === 0) return;
    event.preventDefault();
    const at = selected === null ? (step > 0 ? -1 : order.length) : order.indexOf(selected);
    const next = Math.min(order.length - 1, Math.max(0, at + step));
    onSelect(order[next] ?? null);
    rows.scrollToIndex(next);
  };

  if (trades.length === 0)
    return <EmptyState text="No trade opened in this window. Lower the entry threshold or change the weights." />;
  return (
    <div
      ref={scroller}
      role="table"
      aria-label="Trades"
      aria-rowcount={order.length + 1}
      tabIndex={0}
      className="h-[min(420px,60dvh)] overflow-auto text-label tabular-nums"
      onKeyDown={onKeyDown}
      onPointerLeave={() => onPoint(null)}
    >
      <div role="rowgroup" className="sticky top-0 z-10 min-w-[980px] bg-panel">
        <div
          role="row"
          aria-rowindex={1}
          className="grid h-8 border-b border-line"
          style={{ gridTemplateColumns: template }}
        >
          {columns.map((column) => (
            <HeadCell key={column.id} column={column} sort={sort} onSort={() => setSort(nextSort(sort, column.id))} />
          ))}
        </div>
      </div>
      <div role="rowgroup" className="relative min-w-[980px]" style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index: at, start }) => {
          const trade = trades[order[at] ?? -1];
          if (trade === undefined) return null;
          const number = order[at] ?? 0;
          return (
            <div
              key={number}
              role="row"
              aria-rowindex={at + 2}
              aria-selected={number === selected}
              className={`absolute inset-x-0 grid cursor-pointer items-center border-b border-line hover:bg-row-hover ${
                number === selected ? 'bg-accent-soft' : ''
              }`}
              style={{ gridTemplateColumns: template, height: ROW_PX, transform: `translateY(${start}px)` }}
              onClick={() => onSelect(number === selected ? null : number)}
              onPointerEnter={() => onPoint(trade.entryIndex)}
            >
              <TradeCells trade={trade} number={number} priceDecimals={priceDecimals} />
            </div>
          );
        })}
      </div>
    </div>
  );
}

function HeadCell({ column, sort, onSort }: { column: Column; sort: TradeSort; onSort: () => void }) {
  const isSorted = sort.column === column.id;
  const Arrow = sort.isDescending ? ArrowDown : ArrowUp;
  return (
    <div role="columnheader" aria-sort={isSorted ? (sort.isDescending ? 'descending' : 'ascending') : 'none'}>
      <button
        type="button"
        className={`flex h-full w-full items-center gap-1 px-2 font-medium text-muted hover:text-text ${column.isText === true ? '' : 'justify-end'}`}
        onClick={onSort}
      >
        {column.label}
        {isSorted && <Arrow size={12} aria-hidden="true" />}
      </button>
    </div>
  );
}

function TradeCells({ trade, number, priceDecimals }: { trade: Trade; number: number; priceDecimals: number }) {
  const tone = trade.netPnl > 0 ? 'text-up' : trade.netPnl < 0 ? 'text-down' : 'text-muted';
  const figure = 'truncate px-2 text-right font-mono';
  return (
    <>
      <span role="cell" className={`${figure} text-muted`}>
        {number + 1}
      </span>
      <span role="cell" className="px-2 font-medium">
        {trade.side === 'LONG' ? '↑ Long' : '↓ Short'}
      </span>
      <span role="cell" className="truncate px-2" title={formatUtc(trade.entryTimeMs)}>
        {formatTime(trade.entryTimeMs)}
      </span>
      <span role="cell" className={figure}>
        {formatFixed(trade.entryPrice, priceDecimals)}
      </span>
      <span role="cell" className={figure}>
        {formatFixed(trade.exitPrice, priceDecimals)}
      </span>
      <span role="cell" className={figure}>
        {trade.exitIndex - trade.entryIndex}
      </span>
      <span
        role="cell"
        className="truncate px-2"
        title={trade.isAmbiguous ? 'Stop and target were in one bar' : undefined}
      >
        {exitNames[trade.closeReason]}
        {trade.isAmbiguous && <span className="text-warn"> ?</span>}
      </span>
      <span role="cell" className={figure}>
        {formatMoney(trade.fees)}
      </span>
      <span role="cell" className={`${figure} ${tone}`}>
        {formatMoney(trade.netPnl, true)}
      </span>
      <span role="cell" className={`${figure} ${tone}`}>
        {formatPercent(trade.returnOnMargin, true)}
      </span>
      <span role="cell" className={`${figure} text-muted`}>
        {formatPercent(-trade.adverseExcursionFraction, true)}
      </span>
      <span role="cell" className={`${figure} text-muted`}>
        {formatPercent(trade.favourableExcursionFraction, true)}
      </span>
    </>
  );
}
