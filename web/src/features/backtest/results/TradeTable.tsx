import type { Trade } from '@sextant/workers/src/protocol.ts';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { type KeyboardEvent, useMemo, useRef, useState } from 'react';
import { EmptyState } from '../../../ui/Panel.tsx';
import { rowWindow, scrollTopFor } from '../../../ui/rowWindow.ts';
import { useIsWide } from '../../../ui/useIsWide.ts';
import { CompactTradeCells, TradeCells } from './TradeCells.tsx';
import { type Column, tradeColumns, tradeTemplate } from './tradeColumns.ts';
import { nextSort, sortedTrades, type TradeSort } from './tradeSort.ts';

const ROW_PX = 32;
const COMPACT_ROW_PX = 48;
const HEIGHT_MAX_PX = 420;

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
  const isWide = useIsWide('tablet');
  const [sort, setSort] = useState<TradeSort>({ column: 'number', isDescending: false });
  const order = useMemo(() => sortedTrades(trades, sort), [trades, sort]);
  const scroller = useRef<HTMLDivElement>(null);
  const rowPx = isWide ? ROW_PX : COMPACT_ROW_PX;
  const [scrollTop, setScrollTop] = useState(0);
  const totalPx = order.length * rowPx;
  const bodyPx = Math.min(HEIGHT_MAX_PX - ROW_PX, totalPx);
  const view = { top: scrollTop, height: bodyPx, rowPx };
  const { from, to } = rowWindow({ ...view, count: order.length });

  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const start = step > 0 ? -1 : order.length;
    const next = (selected === null ? start : order.indexOf(selected)) + step;
    const within = Math.min(order.length - 1, Math.max(0, next));
    onSelect(order[within] ?? null);
    scroller.current?.scrollTo({ top: scrollTopFor(within, view) });
  };

  if (trades.length === 0)
    return <EmptyState text="No trade opened in this window. Lower the entry threshold or change the weights." />;
  const Cells = isWide ? TradeCells : CompactTradeCells;
  const template = isWide ? tradeTemplate : '1fr';
  return (
    <div
      ref={scroller}
      role="grid"
      aria-label="Trades"
      aria-rowcount={order.length + 1}
      tabIndex={0}
      className="overflow-auto text-label tabular-nums"
      style={{ height: bodyPx + (isWide ? ROW_PX : 0) + 2 }}
      onScroll={(event) => setScrollTop(event.currentTarget.scrollTop)}
      onKeyDown={onKeyDown}
      onPointerLeave={() => onPoint(null)}
    >
      {isWide && <Head sort={sort} onSort={(column) => setSort(nextSort(sort, column))} />}
      <div role="rowgroup" className="relative md:min-w-[980px]" style={{ height: totalPx }}>
        {order.slice(from, to).map((number, at) => {
          const row = from + at;
          const trade = trades[number];
          if (trade === undefined) return null;
          const isSelected = number === selected;
          return (
            <div
              key={number}
              role="row"
              aria-rowindex={row + 2}
              aria-selected={isSelected}
              className={`absolute inset-x-0 grid cursor-pointer items-center border-b border-line hover:bg-row-hover ${
                isSelected ? 'bg-accent-soft' : ''
              }`}
              style={{ gridTemplateColumns: template, height: rowPx, transform: `translateY(${row * rowPx}px)` }}
              onClick={() => onSelect(isSelected ? null : number)}
              onPointerEnter={() => onPoint(trade.entryIndex)}
            >
              <Cells trade={trade} number={number} priceDecimals={priceDecimals} />
            </div>
          );
        })}
      </div>
    </div>
  );
}

function Head({ sort, onSort }: { sort: TradeSort; onSort: (column: Column['id']) => void }) {
  return (
    <div role="rowgroup" className="sticky top-0 z-10 min-w-[980px] bg-panel">
      <div
        role="row"
        aria-rowindex={1}
        className="grid h-8 border-b border-line"
        style={{ gridTemplateColumns: tradeTemplate }}
      >
        {tradeColumns.map((column) => (
          <HeadCell key={column.id} column={column} sort={sort} onSort={() => onSort(column.id)} />
        ))}
      </div>
    </div>
  );
}

function HeadCell({ column, sort, onSort }: { column: Column; sort: TradeSort; onSort: () => void }) {
  const isSorted = sort.column === column.id;
  const Arrow = sort.isDescending ? ArrowDown : ArrowUp;
  const direction = sort.isDescending ? 'descending' : 'ascending';
  return (
    <div role="columnheader" aria-sort={isSorted ? direction : 'none'}>
      <button
        type="button"
        className={`flex h-full w-full items-center gap-1 px-2 font-medium text-muted hover:text-text ${
          column.isText === true ? '' : 'justify-end'
        }`}
        onClick={onSort}
      >
        {column.label}
        {isSorted && <Arrow size={12} aria-hidden="true" />}
      </button>
    </div>
  );
}
