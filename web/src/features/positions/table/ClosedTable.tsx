import type { PositionView } from '../../../api/positionView.ts';
import { formatMoney, formatMultiple, formatPrice, NO_VALUE, signTone } from '../../../format/number.ts';
import { formatDuration } from '../../../format/time.ts';
import { Time } from '../../../ui/Time.tsx';
import { DataGrid } from '../../../ui/grid/DataGrid.tsx';
import { type CellColumn, GridCells } from '../../../ui/grid/GridCells.tsx';
import { useServed } from '../useMarked.ts';
import { entryColumn, figure, MarketMark, percentText, type PositionRow, sideColumn, SideMark } from './OpenTable.tsx';
import { reasonNames } from '../../../format/names.ts';

/** In this order. */
const closedColumns = [
  {
    id: 'symbol',
    label: 'Symbol',
    width: 'minmax(128px, 1.2fr)',
    isText: true,
    className: 'truncate px-2',
    cell: ({ position: { symbol, interval, market } }) => (
      <>
        <span className="font-medium">{symbol}</span> <span className="text-muted">{interval}</span>{' '}
        <MarketMark market={market} />
      </>
    ),
  },
  sideColumn,
  entryColumn,
  {
    id: 'exit',
    label: 'Exit',
    width: 'minmax(88px, 1fr)',
    className: figure,
    cell: ({ position, decimals }) => formatPrice(position.closePrice, decimals),
  },
  {
    id: 'reason',
    label: 'Closed by',
    width: '108px',
    isText: true,
    className: 'px-2',
    cell: ({ position }) => reasonText(position),
  },
  {
    id: 'pnl',
    label: 'Gross PnL, USDT',
    width: 'minmax(122px, 1fr)',
    className: figure,
    cell: ({ position }) => formatMoney(position.pnl, true),
  },
  {
    id: 'roi',
    label: 'Gross ROI',
    width: '80px',
    className: figure,
    cell: ({ position }) => percentText(position.roiPct),
  },
  {
    id: 'costs',
    label: 'Costs, USDT',
    width: 'minmax(96px, 1fr)',
    className: `${figure} text-muted`,
    cell: ({ position: { fees, funding } }) => formatMoney(-(fees + funding), true),
  },
  {
    id: 'net',
    label: 'Net, USDT',
    width: 'minmax(84px, 1fr)',
    className: `${figure} font-medium`,
    toneOf: ({ position }) => signTone(position.netPnl),
    cell: ({ position }) => formatMoney(position.netPnl, true),
  },
  {
    id: 'multiple',
    label: 'R',
    width: '76px',
    className: figure,
    toneOf: ({ position }) => signTone(position.riskMultiple),
    cell: ({ position }) => formatMultiple(position.riskMultiple),
  },
  {
    id: 'margin',
    label: 'Net on margin',
    width: '108px',
    className: figure,
    cell: ({ position }) => percentText(position.returnOnMarginPct),
  },
  {
    id: 'held',
    label: 'Held',
    width: '72px',
    className: 'px-2 text-right text-muted',
    cell: ({ position }) => heldText(position),
  },
  {
    id: 'closed',
    label: 'Closed at',
    width: '138px',
    className: 'px-2 text-right whitespace-nowrap text-muted',
    cell: ({ position }) => <Time at={position.closedAt} />,
  },
] as const satisfies readonly CellColumn<PositionRow>[];

type ClosedColumn = (typeof closedColumns)[number]['id'];
/** Left out in narrow tables: the net result covers the costs, the net in USDT the share of the margin. */
const secondary: readonly ClosedColumn[] = ['costs', 'margin'];
const fewerClosedColumns = closedColumns.filter(({ id }) => !secondary.includes(id));

/** Room for the name of another market behind the symbol. */
const withMarket = (columns: readonly CellColumn<PositionRow>[]) =>
  columns.map((column) => (column.id === 'symbol' ? { ...column, width: 'minmax(176px, 1.2fr)' } : column));

const TWO_LINES_PX = 52;

interface Props {
  label: string;
  rows: readonly PositionView[];
  decimalsOf: (symbol: string) => number | undefined;
  selected: string | null;
  onSelect: (id: string) => void;
  heightMaxPx?: number;
  /** Narrow, because another column of panels is beside it. */
  isNarrow?: boolean;
}

/** Closed positions, newest close first: gross as the specification has it, net beside it. */
export function ClosedTable(props: Props) {
  const { label, rows, decimalsOf, selected, onSelect, heightMaxPx = 560, isNarrow = false } = props;
  const { isServed } = useServed();
  const usual: readonly CellColumn<PositionRow>[] = isNarrow ? fewerClosedColumns : closedColumns;
  const columns = rows.every(isServed) ? usual : withMarket(usual);
  return (
    <DataGrid
      label={label}
      columns={columns}
      rows={rows}
      keyOf={({ id }) => id}
      cells={(position) => <GridCells columns={columns} row={{ position, decimals: decimalsOf(position.symbol) }} />}
      minWidthPx={isNarrow ? 1076 : 1280}
      heightMaxPx={heightMaxPx}
      selected={selected}
      onSelect={({ id }) => onSelect(id)}
      compact={{ rowPx: TWO_LINES_PX, template: '1fr auto', cells: (row) => <TwoLines row={row} /> }}
    />
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
        <span className="font-mono text-muted">
          {percentText(row.returnOnMarginPct)}, {formatMultiple(row.riskMultiple)}
        </span>
      </span>
    </>
  );
}

const reasonText = ({ closeReason }: PositionView): string =>
  closeReason === null ? NO_VALUE : reasonNames[closeReason];
const heldText = ({ closedAt, openedAt }: PositionView): string =>
  closedAt === null ? NO_VALUE : formatDuration(closedAt - openedAt);
