import type { GridColumn } from '../../../ui/grid/gridColumns.ts';

export const closedColumns = [
  { id: 'symbol', label: 'Symbol', width: 'minmax(104px, 1.2fr)', isText: true },
  { id: 'side', label: 'Side', width: '92px', isText: true },
  { id: 'entry', label: 'Entry', width: 'minmax(80px, 1fr)' },
  { id: 'exit', label: 'Exit', width: 'minmax(80px, 1fr)' },
  { id: 'reason', label: 'Closed by', width: '108px', isText: true },
  { id: 'pnl', label: 'Gross PnL', width: 'minmax(80px, 1fr)' },
  { id: 'roi', label: 'Gross ROI', width: '86px' },
  { id: 'costs', label: 'Fees, funding', width: 'minmax(92px, 1fr)' },
  { id: 'net', label: 'Net, USDT', width: 'minmax(84px, 1fr)' },
  { id: 'margin', label: 'Net on margin', width: '108px' },
  { id: 'held', label: 'Held', width: '84px' },
  { id: 'closed', label: 'Closed at', width: '138px' },
] as const satisfies readonly GridColumn[];

export type ClosedColumn = (typeof closedColumns)[number]['id'];
/** Left out where there is less room: the net result stands for its costs, the net in USDT for the share of the margin. */
const secondary: readonly ClosedColumn[] = ['costs', 'margin'];
export const fewerClosedColumns = closedColumns.filter(({ id }) => !secondary.includes(id));

/** Room for the name of another market behind the symbol. */
export const withMarket = (columns: readonly (typeof closedColumns)[number][]) =>
  columns.map((column) => (column.id === 'symbol' ? { ...column, width: 'minmax(176px, 1.2fr)' } : column));
