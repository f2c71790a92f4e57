import type { ReactNode } from 'react';
import type { PositionView } from '../../../api/positionView.ts';
import { formatMoney, formatPercent, formatPrice, NO_VALUE, signTone } from '../../../format/number.ts';
import { formatDuration } from '../../../format/time.ts';
import { Time } from '../../../ui/Time.tsx';
import { DataGrid, type GridColumn } from '../../../ui/grid/DataGrid.tsx';
import { useServed } from '../useMarked.ts';
import { MarketMark, SideMark } from './OpenTable.tsx';
import { reasonNames } from '../../../format/names.ts';

const closedColumns = [
  { id: 'symbol', label: 'Symbol', width: 'minmax(128px, 1.2fr)', isText: true },
  { id: 'side', label: 'Side', width: '92px', isText: true },
  { id: 'entry', label: 'Entry', width: 'minmax(88px, 1fr)' },
  { id: 'exit', label: 'Exit', width: 'minmax(88px, 1fr)' },
  { id: 'reason', label: 'Closed by', width: '108px', isText: true },
  { id: 'pnl', label: 'Gross PnL, USDT', width: 'minmax(122px, 1fr)' },
  { id: 'roi', label: 'Gross ROI', width: '80px' },
  { id: 'costs', label: 'Costs, USDT', width: 'minmax(96px, 1fr)' },
  { id: 'net', label: 'Net, USDT', width: 'minmax(84px, 1fr)' },
  { id: 'margin', label: 'Net on margin', width: '108px' },
  { id: 'held', label: 'Held', width: '72px' },
  { id: 'closed', label: 'Closed at', width: '138px' },
] as const satisfies readonly GridColumn[];

type ClosedColumn = (typeof closedColumns)[number]['id'];
/** Left out where there is less room: the net result stands for its costs, the net in USDT for the share of the margin. */
const secondary: readonly ClosedColumn[] = ['costs', 'margin'];
const fewerClosedColumns = closedColumns.filter(({ id }) => !secondary.includes(id));

/** Room for the name of another market behind the symbol. */
const withMarket = (columns: readonly (typeof closedColumns)[number][]) =>
  columns.map((column) => (column.id === 'symbol' ? { ...column, width: 'minmax(176px, 1.2fr)' } : column));

const TWO_LINES_PX = 52;

interface Props {
  label: string;
  rows: readonly PositionView[];
  decimalsOf: (symbol: string) => number | undefined;
  selected: string | null;
  onSelect: (id: string) => void;
  heightMaxPx?: number;
  /** Beside another column of panels there is less room. */
  isNarrow?: boolean;
}

/** Closed positions, newest close first: gross as the specification has it, net beside it. */
export function ClosedTable(props: Props) {
  const { label, rows, decimalsOf, selected, onSelect, heightMaxPx = 560, isNarrow = false } = props;
  const { isServed } = useServed();
  const usual = isNarrow ? fewerClosedColumns : closedColumns;
  const columns = rows.every(isServed) ? usual : withMarket(usual);
  return (
    <DataGrid
      label={label}
      columns={columns}
      rows={rows}
      keyOf={({ id }) => id}
      cells={(row) => <WideCells columns={columns} row={row} decimals={decimalsOf(row.symbol)} />}
      minWidthPx={isNarrow ? 1000 : 1204}
      heightMaxPx={heightMaxPx}
      selected={selected}
      onSelect={({ id }) => onSelect(id)}
      compact={{ rowPx: TWO_LINES_PX, template: '1fr auto', cells: (row) => <TwoLines row={row} /> }}
    />
  );
}

const figure = 'px-2 text-right font-mono';

interface Cell {
  className: string;
  content: ReactNode;
}

/** What stands in each column. */
const cellOf: Record<ClosedColumn, (row: PositionView, decimals: number | undefined) => Cell> = {
  symbol: ({ symbol, interval, market }) => ({
    className: 'truncate px-2',
    content: (
      <>
        <span className="font-medium">{symbol}</span> <span className="text-muted">{interval}</span>{' '}
        <MarketMark market={market} />
      </>
    ),
  }),
  side: ({ side, leverage }) => ({
    className: 'flex items-center gap-1.5 px-2',
    content: (
      <>
        <SideMark side={side} /> <span className="text-muted">{leverage}x</span>
      </>
    ),
  }),
  entry: ({ entryPrice }, decimals) => ({ className: figure, content: formatPrice(entryPrice, decimals) }),
  exit: ({ closePrice }, decimals) => ({ className: figure, content: formatPrice(closePrice, decimals) }),
  reason: (row) => ({ className: 'px-2', content: reasonText(row) }),
  pnl: ({ pnl }) => ({ className: figure, content: formatMoney(pnl, true) }),
  roi: ({ roiPct }) => ({ className: figure, content: percentText(roiPct) }),
  costs: ({ fees, funding }) => ({ className: `${figure} text-muted`, content: formatMoney(-(fees + funding), true) }),
  net: ({ netPnl }) => ({
    className: `${figure} font-medium ${signTone(netPnl)}`,
    content: formatMoney(netPnl, true),
  }),
  margin: ({ returnOnMarginPct }) => ({ className: figure, content: percentText(returnOnMarginPct) }),
  held: (row) => ({ className: 'px-2 text-right text-muted', content: heldText(row) }),
  closed: ({ closedAt }) => ({
    className: 'px-2 text-right whitespace-nowrap text-muted',
    content: <Time at={closedAt} />,
  }),
};

interface WideProps {
  columns: readonly { id: ClosedColumn }[];
  row: PositionView;
  decimals: number | undefined;
}

function WideCells({ columns, row, decimals }: WideProps) {
  return columns.map(({ id }) => {
    const { className, content } = cellOf[id](row, decimals);
    return (
      <span key={id} role="gridcell" className={className}>
        {content}
      </span>
    );
  });
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
