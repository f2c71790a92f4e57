import type { ReactNode } from 'react';
import type { GridColumn, GridSort } from './DataGrid.tsx';

/** A column with the content of its cells: one entry adds a column to a table. */
export interface CellColumn<Row, Id extends string = string> extends GridColumn<Id> {
  className: string;
  /** A class that depends on the row, such as the colour of a gain. */
  toneOf?: (row: Row) => string;
  /** Tooltip of a cell; none when undefined. */
  titleOf?: (row: Row) => string | undefined;
  cell: (row: Row) => ReactNode;
}

/** The cells of one row, in the order of the columns. */
export function GridCells<Row>({ columns, row }: { columns: readonly CellColumn<Row>[]; row: Row }) {
  return columns.map(({ id, className, toneOf, titleOf, cell }) => (
    <span
      key={id}
      role="gridcell"
      className={toneOf === undefined ? className : `${className} ${toneOf(row)}`}
      title={titleOf?.(row)}
    >
      {cell(row)}
    </span>
  ));
}

type SortKey = number | string | null;

/** Sort key of a column, which may use less than its cells show. */
interface Sorting<Sorted, Id extends string = string> {
  id: Id;
  /** Without it the column cannot be sorted. */
  sortKey?: (row: Sorted) => SortKey;
  /** Sorts ascending first; other columns start with the largest. */
  isLeastFirst?: boolean;
}

export type SortableColumn<Row, Sorted, Id extends string = string> = CellColumn<Row, Id> & Sorting<Sorted, Id>;

/** Rows sorted by a column. Rows without a value come last in either direction; ties preserve their order. */
export function sortRows<Sorted, Id extends string>(
  rows: readonly Sorted[],
  columns: readonly Sorting<Sorted, Id>[],
  { column, isDescending }: GridSort<NoInfer<Id>>,
): Sorted[] {
  const keyOf = columns.find(({ id }) => id === column)?.sortKey;
  if (keyOf === undefined) return [...rows];
  const sign = isDescending ? -1 : 1;
  return rows
    .map((row) => ({ row, key: keyOf(row) }))
    .sort(({ key: one }, { key: two }) => {
      if (one === null || two === null) return Number(one === null) - Number(two === null);
      return one === two ? 0 : sign * (one < two ? -1 : 1);
    })
    .map(({ row }) => row);
}

/** A press on the sorted column reverses it; on another one it starts with that column's usual order. */
export const nextSort = <Id extends string>(
  columns: readonly Sorting<never>[],
  sort: GridSort<Id>,
  column: NoInfer<Id>,
): GridSort<Id> => ({
  column,
  isDescending:
    sort.column === column ? !sort.isDescending : columns.find(({ id }) => id === column)?.isLeastFirst !== true,
});
