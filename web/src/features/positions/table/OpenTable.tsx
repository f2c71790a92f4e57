import type { PositionView } from '../../../api/positionView.ts';
import { formatMoney, formatPercent, formatPrice, NO_VALUE } from '../../../format/number.ts';
import { formatDuration } from '../../../format/time.ts';
import { signTone } from '../../../format/tone.ts';
import { useNow } from '../../../ui/Age.tsx';
import { FlashingPrice } from '../../../ui/FlashingPrice.tsx';
import { DataGrid } from '../../../ui/grid/DataGrid.tsx';
import type { Marked } from '../valuation/mark.ts';
import { LevelLine } from './LevelLine.tsx';
import { openColumns } from './openColumns.ts';
import { SideMark } from './SideMark.tsx';

const TWO_LINES_PX = 60;

interface Props {
  label: string;
  rows: readonly Marked[];
  /** Decimals of a symbol's prices, when its tick is known. */
  decimalsOf: (symbol: string) => number | undefined;
  selected: string | null;
  onSelect: (id: string) => void;
  onClose: (position: PositionView) => void;
  heightMaxPx?: number;
}

/** Open positions at their last prices. Arrow keys walk the rows. */
export function OpenTable({ label, rows, decimalsOf, selected, onSelect, onClose, heightMaxPx = 560 }: Props) {
  const nowMs = useNow(10_000);
  return (
    <DataGrid
      label={label}
      columns={openColumns}
      rows={rows}
      keyOf={({ position }) => position.id}
      cells={(row) => (
        <WideCells row={row} nowMs={nowMs} decimals={decimalsOf(row.position.symbol)} onClose={onClose} />
      )}
      minWidthPx={1000}
      heightMaxPx={heightMaxPx}
      selected={selected}
      onSelect={({ position }) => onSelect(position.id)}
      compact={{
        rowPx: TWO_LINES_PX,
        template: '1fr auto',
        cells: (row) => <TwoLines row={row} decimals={decimalsOf(row.position.symbol)} />,
      }}
    />
  );
}

/** Without a price nothing is reckoned: the row says so instead. */
const NoPrice = () => (
  <span className="text-warn" title="No fresh price has come in. This position is left out of the sums.">
    no price
  </span>
);

interface CellsProps {
  row: Marked;
  decimals: number | undefined;
}

function WideCells({
  row,
  nowMs,
  decimals,
  onClose,
}: CellsProps & { nowMs: number; onClose: (position: PositionView) => void }) {
  const { position, price, netIfClosed, roiPct, returnOnMarginPct } = row;
  return (
    <>
      <span role="gridcell" className="truncate px-2">
        <span className="font-medium">{position.symbol}</span> <span className="text-muted">{position.interval}</span>
      </span>
      <span role="gridcell" className="flex items-center gap-1.5 px-2">
        <SideMark side={position.side} /> <span className="text-muted">{position.leverage}x</span>
      </span>
      <span role="gridcell" className="px-2 text-right font-mono">
        {formatMoney(position.notional)}
      </span>
      <span role="gridcell" className="px-2 text-right font-mono">
        {formatPrice(position.entryPrice, decimals)}
      </span>
      <span role="gridcell" className="px-2 text-right font-mono">
        {price === null ? <NoPrice /> : <FlashingPrice price={price} decimals={decimals} />}
      </span>
      <span role="gridcell" className="px-3">
        <LevelLine position={position} price={price} decimals={decimals} />
      </span>
      <span role="gridcell" className={`px-2 text-right font-mono font-medium ${signTone(netIfClosed)}`}>
        {formatMoney(netIfClosed, true)}
      </span>
      <span role="gridcell" className="px-2 text-right font-mono">
        {percentText(roiPct)}
      </span>
      <span role="gridcell" className="px-2 text-right font-mono">
        {percentText(returnOnMarginPct)}
      </span>
      <span role="gridcell" className="px-2 text-right text-muted">
        {formatDuration(nowMs - position.openedAt)}
      </span>
      <span role="gridcell" className="px-2 text-right">
        <button
          type="button"
          className="btn btn-ghost btn-small"
          aria-label={`Close ${position.side} ${position.symbol}`}
          onClick={(event) => {
            event.stopPropagation();
            onClose(position);
          }}
        >
          Close
        </button>
      </span>
    </>
  );
}

/** The figures that matter, in two lines; the rest is below the chart of the selected row. */
function TwoLines({ row: { position, price, netIfClosed, returnOnMarginPct }, decimals }: CellsProps) {
  return (
    <>
      <span role="gridcell" className="flex min-w-0 flex-col gap-0.5 px-3">
        <span className="flex items-baseline gap-2">
          <span className="font-medium">{position.symbol}</span>
          <SideMark side={position.side} />
          <span className="text-muted">{position.leverage}x</span>
        </span>
        <span className="w-40 max-w-full">
          <LevelLine position={position} price={price} decimals={decimals} />
        </span>
      </span>
      <span role="gridcell" className="flex flex-col px-3 text-right">
        <span className={`font-mono font-medium ${signTone(netIfClosed)}`}>
          {price === null ? <NoPrice /> : formatMoney(netIfClosed, true)}
        </span>
        <span className="font-mono text-muted">{percentText(returnOnMarginPct)}</span>
      </span>
    </>
  );
}

const percentText = (pct: number | null): string => (pct === null ? NO_VALUE : formatPercent(pct / 100, true));
