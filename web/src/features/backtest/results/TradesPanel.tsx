import type { Trade } from '@sextant/workers/src/protocol/backtest.ts';
import { type ReactNode, useMemo, useState } from 'react';
import {
  formatCount,
  formatMany,
  formatMoney,
  formatPercent,
  formatPrice,
  formatQuantity,
  signTone,
} from '../../../format/number.ts';
import { EmptyState, Panel } from '../../../ui/Panel.tsx';
import { CandleTime, CandleZone } from '../../../ui/Time.tsx';
import { DataGrid, type GridSort } from '../../../ui/grid/DataGrid.tsx';
import { GridCells, nextSort, type SortableColumn, sortRows } from '../../../ui/grid/GridCells.tsx';
import { exitNames } from './ResultPanels.tsx';

/** Net PnL of the trades up to and with each, in the order of time. */
export function cumulativeNetPnl(trades: readonly Trade[]): Float64Array {
  let sum = 0;
  return Float64Array.from(trades, ({ netPnl }) => (sum += netPnl));
}

interface TradeRow {
  trade: Trade;
  /** From 0, in the order of time. */
  number: number;
  /** Cumulative net PnL up to and including this trade. */
  total: number;
  priceDecimals: number;
  intervalMs: number;
}

const sideText = { LONG: '↑ Long', SHORT: '↓ Short' } as const;
const barsOf = ({ entryIndex, exitIndex }: Trade): number => exitIndex - entryIndex;
const toneOf = (amount: number): string => signTone(amount, 'text-muted');
/** Class of a cell that holds a figure. */
const figure = 'truncate px-2 text-right font-mono';

/** In this order. */
const tradeColumns = [
  {
    id: 'number',
    label: '#',
    width: '48px',
    sortKey: ({ number }) => number,
    isLeastFirst: true,
    className: `${figure} text-muted`,
    cell: ({ number }) => number + 1,
  },
  {
    id: 'side',
    label: 'Side',
    width: '68px',
    isText: true,
    sortKey: ({ trade }) => trade.side,
    isLeastFirst: true,
    className: 'px-2 font-medium',
    cell: ({ trade }) => sideText[trade.side],
  },
  {
    id: 'entryTimeMs',
    label: 'Entry time',
    width: 'minmax(138px, 1.2fr)',
    isText: true,
    sortKey: ({ trade }) => trade.entryTimeMs,
    isLeastFirst: true,
    className: 'truncate px-2',
    cell: ({ trade, intervalMs }) => <CandleTime at={trade.entryTimeMs} lengthMs={intervalMs} />,
  },
  {
    id: 'exitTimeMs',
    label: 'Exit time',
    width: 'minmax(138px, 1.2fr)',
    isText: true,
    sortKey: ({ trade }) => trade.exitTimeMs,
    isLeastFirst: true,
    className: 'truncate px-2',
    cell: ({ trade, intervalMs }) => <CandleTime at={trade.exitTimeMs} lengthMs={intervalMs} />,
  },
  {
    id: 'entryPrice',
    label: 'Entry price',
    width: 'minmax(88px, 1fr)',
    sortKey: ({ trade }) => trade.entryPrice,
    className: figure,
    cell: ({ trade, priceDecimals }) => formatPrice(trade.entryPrice, priceDecimals),
  },
  {
    id: 'exitPrice',
    label: 'Exit price',
    width: 'minmax(88px, 1fr)',
    sortKey: ({ trade }) => trade.exitPrice,
    className: figure,
    cell: ({ trade, priceDecimals }) => formatPrice(trade.exitPrice, priceDecimals),
  },
  {
    id: 'quantity',
    label: 'Size, coins',
    width: 'minmax(88px, 0.9fr)',
    sortKey: ({ trade }) => trade.quantity,
    className: figure,
    cell: ({ trade }) => formatQuantity(trade.quantity),
  },
  {
    id: 'bars',
    label: 'Candles',
    width: '76px',
    sortKey: ({ trade }) => barsOf(trade),
    className: figure,
    cell: ({ trade }) => barsOf(trade),
  },
  {
    id: 'closeReason',
    label: 'Exit',
    width: '92px',
    isText: true,
    sortKey: ({ trade }) => trade.closeReason,
    className: 'truncate px-2',
    cell: ({ trade }) => <ExitName trade={trade} />,
  },
  {
    id: 'fees',
    label: 'Fees',
    width: 'minmax(60px, 0.6fr)',
    sortKey: ({ trade }) => trade.fees,
    className: figure,
    cell: ({ trade }) => formatMoney(trade.fees),
  },
  {
    id: 'netPnl',
    label: 'Net, USDT',
    width: 'minmax(84px, 0.9fr)',
    sortKey: ({ trade }) => trade.netPnl,
    className: figure,
    toneOf: ({ trade }) => toneOf(trade.netPnl),
    cell: ({ trade }) => formatMoney(trade.netPnl, true),
  },
  {
    id: 'cumulativeNetPnl',
    label: 'Total, USDT',
    width: 'minmax(92px, 0.9fr)',
    sortKey: ({ total }) => total,
    className: figure,
    toneOf: ({ total }) => toneOf(total),
    cell: ({ total }) => formatMoney(total, true),
  },
  {
    id: 'returnOnMargin',
    label: 'Net on margin',
    width: 'minmax(104px, 0.9fr)',
    sortKey: ({ trade }) => trade.returnOnMargin,
    className: figure,
    toneOf: ({ trade }) => toneOf(trade.netPnl),
    cell: ({ trade }) => formatPercent(trade.returnOnMargin, true),
  },
  {
    id: 'adverseExcursionFraction',
    label: 'Worst move',
    width: 'minmax(96px, 0.8fr)',
    sortKey: ({ trade }) => trade.adverseExcursionFraction,
    className: `${figure} text-muted`,
    cell: ({ trade }) => formatPercent(-trade.adverseExcursionFraction, true),
  },
  {
    id: 'favourableExcursionFraction',
    label: 'Best move',
    width: 'minmax(88px, 0.8fr)',
    sortKey: ({ trade }) => trade.favourableExcursionFraction,
    className: `${figure} text-muted`,
    cell: ({ trade }) => formatPercent(trade.favourableExcursionFraction, true),
  },
] as const satisfies readonly SortableColumn<TradeRow, Omit<TradeRow, 'priceDecimals' | 'intervalMs'>>[];

type TradeColumn = (typeof tradeColumns)[number]['id'];
type TradeSort = GridSort<TradeColumn>;

/** Order of the trades as indices; equal values keep the order of time. */
export function sortedTrades(trades: readonly Trade[], sort: TradeSort): number[] {
  const sums = cumulativeNetPnl(trades);
  const rows = trades.map((trade, number) => ({ trade, number, total: sums[number] ?? NaN }));
  return sortRows(rows, tradeColumns, sort).map(({ number }) => number);
}

export const nextTradeSort = (sort: TradeSort, column: TradeColumn): TradeSort => nextSort(tradeColumns, sort, column);

interface Props {
  trades: readonly Trade[];
  priceDecimals: number;
  /** Length of the candles. */
  intervalMs: number;
  selected: number | null;
  onSelect: (trade: number | null) => void;
  /** Candle of the row under the pointer. */
  onPoint: (index: number | null) => void;
  aside?: ReactNode;
}

/** Every trade of a run under how many they are. */
export function TradesPanel({ aside, ...table }: Props) {
  return (
    <Panel
      title={`Trades, ${formatCount(table.trades.length)}`}
      aside={
        <span className="flex items-center gap-3">
          <span className="max-md:hidden">
            <CandleZone lengthMs={table.intervalMs} />
          </span>
          {aside}
        </span>
      }
      bodyClassName=""
    >
      <TradeTable {...table} />
    </Panel>
  );
}

interface TradeTableProps {
  trades: readonly Trade[];
  priceDecimals: number;
  /** Length of the candles. */
  intervalMs: number;
  selected: number | null;
  onSelect: (trade: number | null) => void;
  /** Candle under the pointer's row, for the crosshair. */
  onPoint: (candle: number | null) => void;
}

/** Every trade, sortable; the chart follows the selected row. */
function TradeTable({ trades, priceDecimals, intervalMs, selected, onSelect, onPoint }: TradeTableProps) {
  const [sort, setSort] = useState<TradeSort>({ column: 'number', isDescending: false });
  const order = useMemo(() => sortedTrades(trades, sort), [trades, sort]);
  const sums = useMemo(() => cumulativeNetPnl(trades), [trades]);
  if (trades.length === 0)
    return <EmptyState text="No trades in this window. Lower the entry threshold or change the weights." />;
  const cellsOf = (Cells: typeof TradeCells) => (number: number) => {
    const trade = trades[number];
    if (trade === undefined) return null;
    const row = { trade, number, total: sums[number] ?? 0, priceDecimals, intervalMs };
    return <Cells {...row} />;
  };
  return (
    <DataGrid
      label="Trades"
      columns={tradeColumns}
      rows={order}
      keyOf={(number) => number}
      cells={cellsOf(TradeCells)}
      compact={{ rowPx: 48, template: '1fr', cells: cellsOf(CompactTradeCells) }}
      minWidthPx={1360}
      heightMaxPx={388}
      sort={sort}
      onSort={(column) => setSort(nextTradeSort(sort, column))}
      selected={selected}
      onSelect={(number, by) => onSelect(by === 'click' && number === selected ? null : number)}
      onPoint={(number) => onPoint(number === null ? null : (trades[number]?.entryIndex ?? null))}
    />
  );
}

const TradeCells = (row: TradeRow) => <GridCells columns={tradeColumns} row={row} />;

function ExitName({ trade }: { trade: Trade }) {
  if (!trade.isAmbiguous) return exitNames[trade.closeReason];
  return (
    <span title="One candle reached target and stop or liquidation: the order is assumed">
      {exitNames[trade.closeReason]} <span className="text-warn">?</span>
    </span>
  );
}

/** Two lines with the three figures that matter, for a narrow screen. */
function CompactTradeCells({ trade, number, priceDecimals, intervalMs }: TradeRow) {
  const tone = toneOf(trade.netPnl);
  return (
    <span role="gridcell" className="flex min-w-0 flex-col px-3">
      <span className="flex justify-between gap-3">
        <span className="truncate font-medium">
          {number + 1}. {sideText[trade.side]} at {formatPrice(trade.entryPrice, priceDecimals)}
        </span>
        <span className={`font-mono ${tone}`}>{formatMoney(trade.netPnl, true)}</span>
      </span>
      <span className="flex justify-between gap-3 text-muted">
        <span className="truncate">
          <CandleTime at={trade.entryTimeMs} lengthMs={intervalMs} />, {formatMany(barsOf(trade), 'candle')},{' '}
          <ExitName trade={trade} />
        </span>
        <span className={`font-mono ${tone}`}>{formatPercent(trade.returnOnMargin, true)}</span>
      </span>
    </span>
  );
}
