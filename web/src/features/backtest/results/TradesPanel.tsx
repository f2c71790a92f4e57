import type { Trade } from '@sextant/workers/src/protocol.ts';
import { type ReactNode, useMemo, useState } from 'react';
import {
  formatCount,
  formatMany,
  formatMoney,
  formatPercent,
  formatPrice,
  formatQuantity,
} from '../../../format/number.ts';
import { EmptyState, Panel } from '../../../ui/Panel.tsx';
import { Time } from '../../../ui/Time.tsx';
import { DataGrid, type GridColumn, type GridSort } from '../../../ui/grid/DataGrid.tsx';
import { exitNames } from './ResultPanels.tsx';

type TradeColumn =
  | 'number'
  | 'side'
  | 'entryTimeMs'
  | 'exitTimeMs'
  | 'entryPrice'
  | 'exitPrice'
  | 'quantity'
  | 'bars'
  | 'closeReason'
  | 'fees'
  | 'netPnl'
  | 'cumulativeNetPnl'
  | 'returnOnMargin'
  | 'adverseExcursionFraction'
  | 'favourableExcursionFraction';

type TradeSort = GridSort<TradeColumn>;

/** Net PnL of the trades up to and with each, in the order of time. */
export function cumulativeNetPnl(trades: readonly Trade[]): Float64Array {
  let sum = 0;
  return Float64Array.from(trades, ({ netPnl }) => (sum += netPnl));
}

interface Keyed {
  trade: Trade;
  /** From 0, in the order of time. */
  index: number;
  cumulative: number;
}

const valueOf = ({ trade, index, cumulative }: Keyed, column: TradeColumn): number | string => {
  if (column === 'number') return index;
  if (column === 'cumulativeNetPnl') return cumulative;
  if (column === 'bars') return trade.exitIndex - trade.entryIndex;
  return trade[column];
};

/** Order of the trades as indices; equal values keep the order of time. */
export function sortedTrades(trades: readonly Trade[], { column, isDescending }: TradeSort): number[] {
  const sums = cumulativeNetPnl(trades);
  const keyed = trades.map((trade, index) => ({
    index,
    key: valueOf({ trade, index, cumulative: sums[index] ?? NaN }, column),
  }));
  const sign = isDescending ? -1 : 1;
  keyed.sort((a, b) => (a.key === b.key ? a.index - b.index : a.key < b.key ? -sign : sign));
  return keyed.map(({ index }) => index);
}

const fromLeast: readonly TradeColumn[] = ['number', 'entryTimeMs', 'exitTimeMs', 'side'];

/** A click on the sorted column turns it round; on another one starts with what one looks for there first. */
export function nextSort(sort: TradeSort, column: TradeColumn): TradeSort {
  if (sort.column === column) return { column, isDescending: !sort.isDescending };
  return { column, isDescending: !fromLeast.includes(column) };
}

const tradeColumns: readonly GridColumn<TradeColumn>[] = [
  { id: 'number', label: '#', width: '48px' },
  { id: 'side', label: 'Side', width: '68px', isText: true },
  { id: 'entryTimeMs', label: 'Entry time', width: 'minmax(138px, 1.2fr)', isText: true },
  { id: 'exitTimeMs', label: 'Exit time', width: 'minmax(138px, 1.2fr)', isText: true },
  { id: 'entryPrice', label: 'Entry price', width: 'minmax(88px, 1fr)' },
  { id: 'exitPrice', label: 'Exit price', width: 'minmax(88px, 1fr)' },
  { id: 'quantity', label: 'Size, coins', width: 'minmax(88px, 0.9fr)' },
  { id: 'bars', label: 'Candles', width: '76px' },
  { id: 'closeReason', label: 'Exit', width: '92px', isText: true },
  { id: 'fees', label: 'Fees', width: 'minmax(60px, 0.6fr)' },
  { id: 'netPnl', label: 'Net, USDT', width: 'minmax(84px, 0.9fr)' },
  { id: 'cumulativeNetPnl', label: 'Total, USDT', width: 'minmax(92px, 0.9fr)' },
  { id: 'returnOnMargin', label: 'Net on margin', width: 'minmax(104px, 0.9fr)' },
  { id: 'adverseExcursionFraction', label: 'Worst move', width: 'minmax(96px, 0.8fr)' },
  { id: 'favourableExcursionFraction', label: 'Best move', width: 'minmax(88px, 0.8fr)' },
];

interface Props {
  trades: readonly Trade[];
  priceDecimals: number;
  selected: number | null;
  onSelect: (trade: number | null) => void;
  /** Candle of the row under the pointer. */
  onPoint: (index: number | null) => void;
  aside?: ReactNode;
}

/** Every trade of a run under how many they are. */
export function TradesPanel({ aside, ...table }: Props) {
  return (
    <Panel title={`Trades, ${formatCount(table.trades.length)}`} aside={aside} bodyClassName="">
      <TradeTable {...table} />
    </Panel>
  );
}

interface TradeTableProps {
  trades: readonly Trade[];
  priceDecimals: number;
  selected: number | null;
  onSelect: (trade: number | null) => void;
  /** Candle under the pointer's row, for the crosshair. */
  onPoint: (candle: number | null) => void;
}

/** Every trade, sortable; the chart follows the selected row. */
function TradeTable({ trades, priceDecimals, selected, onSelect, onPoint }: TradeTableProps) {
  const [sort, setSort] = useState<TradeSort>({ column: 'number', isDescending: false });
  const order = useMemo(() => sortedTrades(trades, sort), [trades, sort]);
  const sums = useMemo(() => cumulativeNetPnl(trades), [trades]);
  if (trades.length === 0)
    return <EmptyState text="No trade opened in this window. Lower the entry threshold or change the weights." />;
  const cellsOf = (Cells: typeof TradeCells) => (number: number) => {
    const trade = trades[number];
    if (trade === undefined) return null;
    return <Cells trade={trade} number={number} total={sums[number] ?? 0} priceDecimals={priceDecimals} />;
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
      onSort={(column) => setSort(nextSort(sort, column))}
      selected={selected}
      onSelect={(number, by) => onSelect(by === 'click' && number === selected ? null : number)}
      onPoint={(number) => onPoint(number === null ? null : (trades[number]?.entryIndex ?? null))}
    />
  );
}

interface TradeCellsProps {
  trade: Trade;
  /** From 0, in the order of time. */
  number: number;
  /** Net PnL of the trades up to and with this one. */
  total: number;
  priceDecimals: number;
}

const sideText = { LONG: '↑ Long', SHORT: '↓ Short' } as const;
const toneOf = (amount: number): string => {
  if (amount === 0) return 'text-muted';
  return amount > 0 ? 'text-up' : 'text-down';
};

/** One cell for each of tradeColumns. */
function TradeCells({ trade, number, total, priceDecimals }: TradeCellsProps) {
  const tone = toneOf(trade.netPnl);
  const figures: [string, string?][] = [
    [formatPrice(trade.entryPrice, priceDecimals)],
    [formatPrice(trade.exitPrice, priceDecimals)],
    [formatQuantity(trade.quantity)],
    [String(trade.exitIndex - trade.entryIndex)],
  ];
  const outcomes: [string, string?][] = [
    [formatMoney(trade.fees)],
    [formatMoney(trade.netPnl, true), tone],
    [formatMoney(total, true), toneOf(total)],
    [formatPercent(trade.returnOnMargin, true), tone],
    [formatPercent(-trade.adverseExcursionFraction, true), 'text-muted'],
    [formatPercent(trade.favourableExcursionFraction, true), 'text-muted'],
  ];
  return (
    <>
      <Figure text={String(number + 1)} className="text-muted" />
      <span role="gridcell" className="px-2 font-medium">
        {sideText[trade.side]}
      </span>
      <span role="gridcell" className="truncate px-2">
        <Time at={trade.entryTimeMs} />
      </span>
      <span role="gridcell" className="truncate px-2">
        <Time at={trade.exitTimeMs} />
      </span>
      {figures.map(([text, className = ''], at) => (
        <Figure key={at} text={text} className={className} />
      ))}
      <span role="gridcell" className="truncate px-2">
        <ExitName trade={trade} />
      </span>
      {outcomes.map(([text, className = ''], at) => (
        <Figure key={at} text={text} className={className} />
      ))}
    </>
  );
}

function Figure({ text, className }: { text: string; className: string }) {
  return (
    <span role="gridcell" className={`truncate px-2 text-right font-mono ${className}`}>
      {text}
    </span>
  );
}

function ExitName({ trade }: { trade: Trade }) {
  if (!trade.isAmbiguous) return exitNames[trade.closeReason];
  return (
    <span title="The target and the stop or liquidation price were in one candle: which came first is not known">
      {exitNames[trade.closeReason]} <span className="text-warn">?</span>
    </span>
  );
}

/** Two lines with the three figures that matter, for a narrow screen. */
function CompactTradeCells({ trade, number, priceDecimals }: TradeCellsProps) {
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
          <Time at={trade.entryTimeMs} />, {formatMany(trade.exitIndex - trade.entryIndex, 'candle')},{' '}
          <ExitName trade={trade} />
        </span>
        <span className={`font-mono ${tone}`}>{formatPercent(trade.returnOnMargin, true)}</span>
      </span>
    </span>
  );
}
