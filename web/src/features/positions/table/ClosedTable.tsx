import type { PositionView } from '../../../api/positionView.ts';
import { formatMoney, formatPercent, formatPrice, NO_VALUE } from '../../../format/number.ts';
import { formatDuration } from '../../../format/time.ts';
import { signTone } from '../../../format/tone.ts';
import { DataGrid } from '../../../ui/grid/DataGrid.tsx';
import { Time } from '../../../ui/Time.tsx';
import { closedColumns } from './closedColumns.ts';
import { MarketMark } from './MarketMark.tsx';
import { reasonNames } from './reasonNames.ts';
import { SideMark } from './SideMark.tsx';

const TWO_LINES_PX = 52;

interface Props {
  label: string;
  rows: readonly PositionView[];
  decimalsOf: (symbol: string) => number | undefined;
  selected: string | null;
  onSelect: (id: string) => void;
  heightMaxPx?: number;
}

/** Closed positions, newest close first: gross as the specification has it, net beside it. */
export function ClosedTable({ label, rows, decimalsOf, selected, onSelect, heightMaxPx = 560 }: Props) {
  return (
    <DataGrid
      label={label}
      columns={closedColumns}
      rows={rows}
      keyOf={({ id }) => id}
      cells={(row) => <WideCells row={row} decimals={decimalsOf(row.symbol)} />}
      minWidthPx={1060}
      heightMaxPx={heightMaxPx}
      selected={selected}
      onSelect={({ id }) => onSelect(id)}
      compact={{ rowPx: TWO_LINES_PX, template: '1fr auto', cells: (row) => <TwoLines row={row} /> }}
    />
  );
}

function WideCells({ row, decimals }: { row: PositionView; decimals: number | undefined }) {
  const figure = 'px-2 text-right font-mono';
  return (
    <>
      <span role="gridcell" className="truncate px-2">
        <span className="font-medium">{row.symbol}</span> <span className="text-muted">{row.interval}</span>{' '}
        <MarketMark market={row.market} />
      </span>
      <span role="gridcell" className="flex items-center gap-1.5 px-2">
        <SideMark side={row.side} /> <span className="text-muted">{row.leverage}x</span>
      </span>
      <span role="gridcell" className={figure}>
        {formatPrice(row.entryPrice, decimals)}
      </span>
      <span role="gridcell" className={figure}>
        {formatPrice(row.closePrice, decimals)}
      </span>
      <span role="gridcell" className="px-2">
        {reasonText(row)}
      </span>
      <span role="gridcell" className={figure}>
        {formatMoney(row.pnl, true)}
      </span>
      <span role="gridcell" className={figure}>
        {percentText(row.roiPct)}
      </span>
      <span role="gridcell" className={`${figure} text-muted`}>
        {formatMoney(-(row.fees + row.funding), true)}
      </span>
      <span role="gridcell" className={`${figure} font-medium ${signTone(row.netPnl)}`}>
        {formatMoney(row.netPnl, true)}
      </span>
      <span role="gridcell" className={figure}>
        {percentText(row.returnOnMarginPct)}
      </span>
      <span role="gridcell" className="px-2 text-right text-muted">
        {heldText(row)}
      </span>
      <span role="gridcell" className="px-2 text-right whitespace-nowrap text-muted">
        <Time at={row.closedAt} />
      </span>
    </>
  );
}

function TwoLines({ row }: { row: PositionView }) {
  return (
    <>
      <span role="gridcell" className="flex min-w-0 flex-col px-3">
        <span className="flex items-baseline gap-2">
          <span className="font-medium">{row.symbol}</span>
          <SideMark side={row.side} />
          <MarketMark market={row.market} />
        </span>
        <span className="text-muted">
          {reasonText(row)}, held {heldText(row)}
        </span>
      </span>
      <span role="gridcell" className="flex flex-col px-3 text-right">
        <span className={`font-mono font-medium ${signTone(row.netPnl)}`}>{formatMoney(row.netPnl, true)}</span>
        <span className="font-mono text-muted">{percentText(row.returnOnMarginPct)}</span>
      </span>
    </>
  );
}

const reasonText = ({ closeReason }: PositionView): string =>
  closeReason === null ? NO_VALUE : reasonNames[closeReason];
const heldText = ({ closedAt, openedAt }: PositionView): string =>
  closedAt === null ? NO_VALUE : formatDuration(closedAt - openedAt);
const percentText = (pct: number | null): string => (pct === null ? NO_VALUE : formatPercent(pct / 100, true));
