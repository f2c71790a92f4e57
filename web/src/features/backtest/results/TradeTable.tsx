import type { Trade } from '@sextant/workers/src/protocol.ts';
import { useMemo, useState } from 'react';
import { DataGrid } from '../../../ui/grid/DataGrid.tsx';
import { EmptyState } from '../../../ui/Panel.tsx';
import { CompactTradeCells, TradeCells } from './TradeCells.tsx';
import { tradeColumns } from './tradeColumns.ts';
import { nextSort, sortedTrades, type TradeSort } from './tradeSort.ts';

interface Props {
  trades: readonly Trade[];
  priceDecimals: number;
  selected: number | null;
  onSelect: (trade: number | null) => void;
  /** Candle under the pointer's row, for the crosshair. */
  onPoint: (candle: number | null) => void;
}

/** Every trade, sortable; the chart follows the selected row. */
export function TradeTable({ trades, priceDecimals, selected, onSelect, onPoint }: Props) {
  const [sort, setSort] = useState<TradeSort>({ column: 'number', isDescending: false });
  const order = useMemo(() => sortedTrades(trades, sort), [trades, sort]);
  if (trades.length === 0)
    return <EmptyState text="No trade opened in this window. Lower the entry threshold or change the weights." />;
  const cellsOf = (Cells: typeof TradeCells) => (number: number) => {
    const trade = trades[number];
    return trade === undefined ? null : <Cells trade={trade} number={number} priceDecimals={priceDecimals} />;
  };
  return (
    <DataGrid
      label="Trades"
      columns={tradeColumns}
      rows={order}
      keyOf={(number) => number}
      cells={cellsOf(TradeCells)}
      compact={{ rowPx: 48, template: '1fr', cells: cellsOf(CompactTradeCells) }}
      minWidthPx={980}
      heightMaxPx={388}
      sort={sort}
      onSort={(column) => setSort(nextSort(sort, column))}
      selected={selected}
      onSelect={(number, by) => onSelect(by === 'click' && number === selected ? null : number)}
      onPoint={(number) => onPoint(number === null ? null : (trades[number]?.entryIndex ?? null))}
    />
  );
}
